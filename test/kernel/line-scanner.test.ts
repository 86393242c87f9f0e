import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { digest } from '#core/digest';
import type { Resolution } from '#kernel/body-act';
import { type Entry, entryLine, parseLine } from '#kernel/entry';
import { lineAt, lineKinds, packedEntry, wordsOf } from '#kernel/line-batch';
import { scanLine } from '#kernel/line-scanner';
import { arbitraryEntryOf } from '../helpers/entries';

function sortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedKeys);
  if (typeof value !== 'object' || value === null) return value;
  const pairs = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(pairs.map(([key, inner]) => [key, sortedKeys(inner)]));
}

const ourLine = (entry: Entry) => entryLine(entry).trimEnd();
/** The same line as VMark writes it: the keys of the body in the order of the alphabet. */
const sortedLine = (entry: Entry) => {
  const line = JSON.parse(ourLine(entry)) as { body: unknown };
  return JSON.stringify({ ...line, body: sortedKeys(line.body) });
};
/** Half of the lines have texts without a byte that JSON or UTF-8 would have to write otherwise. */
const line = fc
  .tuple(
    fc.oneof(arbitraryEntryOf('transformation'), arbitraryEntryOf('ratification'), arbitraryEntryOf('waiver')),
    fc.constantFrom(ourLine, sortedLine),
    fc.boolean(),
    fc.stringMatching(/^[ !#-[\]-~]{0,20}$/),
  )
  .map(([entry, write, isPlain, words]) => write(isPlain ? withWords(entry, words) : entry));

function withWords(entry: Entry, words: string): Entry {
  if (entry.kind !== 'transformation') return resolvedBy(entry, words);
  const { body } = entry;
  const agent = { ...body.agent, id: body.agent.id === null ? null : words };
  return { ...entry, body: { ...body, agent, intent: { ...body.intent, kind: words, summary: words } } };
}

/** Resolved by a person, for ever or until an instant as we write it. */
function resolvedBy(entry: Entry, words: string): Entry {
  const body = entry.body as Resolution;
  const expires = body.expires === null ? null : '2026-02-28T10:00:00.250Z';
  const reason = body.reason === null ? null : words;
  return { ...entry, body: { ...body, actor: { type: 'human', id: words }, reason, expires, delegation: null } } as Entry;
}

/** Whether a line is one that need not be parsed: its bytes are plain, and no agent resolved, nor until a day that only a parser can read. */
function isShort(text: string): boolean {
  if (!/^[\x20-\x7e]*$/u.test(text) || text.includes('\\')) return false;
  const { kind, body } = JSON.parse(text) as { kind: string; body: Partial<Resolution> };
  if (kind === 'transformation') return true;
  const isOurs = body.expires === null || /^(?!0)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/u.test(body.expires ?? '');
  return body.actor?.type === 'human' && body.delegation === undefined && isOurs;
}

function scan(bytes: Buffer): Uint32Array | null {
  const words = new Uint32Array(wordsOf(bytes.length));
  // As in a segment: something stands before the line and after it.
  const source = Buffer.concat([Buffer.from('{}\n'), bytes, Buffer.from('\n{"format":0')]);
  const size = scanLine(source, 3, 3 + bytes.length, words, 0);
  return size === 0 ? null : words.slice(0, size);
}

function parsed(text: string): Uint32Array | null {
  const outcome = parseLine(text, digest);
  if (outcome.kind !== 'entry') return null;
  const packed = packedEntry(outcome.entry, { offset: 0, length: 0 });
  return packed[lineAt.kind] === lineKinds.other ? null : packed;
}

describe('the line of a transformation or a resolution', () => {
  it('is scanned in both orders of keys when its texts are plain, and says what the parser says', () => {
    fc.assert(
      fc.property(line, (text) => {
        const scanned = scan(Buffer.from(text));
        expect(scanned !== null).toBe(isShort(text));
        if (scanned !== null) expect(scanned).toEqual(parsed(text));
      }),
      { numRuns: 500 },
    );
  });

  it('with one byte changed, left out or put in is scanned only where the parser says the same', () => {
    const change = fc.record({
      at: fc.nat(),
      byte: fc.oneof(fc.constantFrom(...Buffer.from('"{}[],:0af\\')), fc.nat(255)),
      cut: fc.nat(1),
      put: fc.nat(1),
    });
    fc.assert(
      fc.property(line, change, (text, { at, byte, cut, put }) => {
        const bytes = Buffer.from(text);
        const from = at % bytes.length;
        const changed = Buffer.concat([bytes.subarray(0, from), Buffer.alloc(put, byte), bytes.subarray(from + cut)]);
        const scanned = changed.includes(0x0a) ? null : scan(changed);
        if (scanned === null) return;
        const expected = parsed(changed.toString('utf8'));
        expect(expected).not.toBeNull();
        expect(scanned).toEqual(expected);
      }),
      { numRuns: 2000 },
    );
  });
});
