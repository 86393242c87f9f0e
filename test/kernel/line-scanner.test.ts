import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { digest } from '#core/digest';
import type { Transformation } from '#kernel/body-transformation';
import { type Entry, entryLine, parseLine } from '#kernel/entry';
import { wordsFromHex } from '#kernel/key-table';
import { scanTransformation } from '#kernel/line-scanner';
import { TransformationRecord } from '#kernel/record';
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
  .tuple(arbitraryEntryOf('transformation'), fc.constantFrom(ourLine, sortedLine), fc.boolean(), fc.stringMatching(/^[ !#-[\]-~]{0,20}$/))
  .map(([entry, write, isPlain, words]) => write(isPlain ? withWords(entry, words) : entry));

function withWords(entry: Entry, words: string): Entry {
  const body = entry.body as Transformation;
  const agent = { ...body.agent, id: body.agent.id === null ? null : words };
  return { ...entry, body: { ...body, agent, intent: { ...body.intent, kind: words, summary: words } } } as Entry;
}

function scan(bytes: Buffer): TransformationRecord | null {
  const record = new TransformationRecord();
  // As in a segment: something stands before the line and after it.
  const source = Buffer.concat([Buffer.from('{}\n'), bytes, Buffer.from('\n{"format":0')]);
  return scanTransformation(source, 3, 3 + bytes.length, record) ? record : null;
}

function parsed(text: string): TransformationRecord | null {
  const outcome = parseLine(text, digest);
  if (outcome.kind !== 'entry' || String(outcome.entry.kind) !== 'transformation') return null;
  const record = new TransformationRecord();
  wordsFromHex(outcome.entry.id, 0, 4, record.id, 0);
  wordsFromHex(outcome.entry.idem, 0, 4, record.idem, 0);
  record.time = outcome.entry.instant;
  record.takeBody(outcome.entry.body as Transformation);
  return record;
}

/** What of a record counts: the lists as far as they are filled. */
function said(record: TransformationRecord) {
  const { id, idem, time, confidence, inputs, outputs, parents } = record;
  return {
    ...{ id, idem, time, confidence, inputs, outputs, parents },
    input: [record.inputObject.subarray(0, inputs * 4), record.inputRevision.subarray(0, inputs * 8)],
    inputFlags: [record.inputDirect.subarray(0, inputs), record.inputKind.subarray(0, inputs)],
    output: [record.outputObject.subarray(0, outputs * 4), record.outputRevision.subarray(0, outputs * 8)],
    content: record.outputContent.subarray(0, outputs * 8),
    parent: [record.parentEnd.subarray(0, outputs), record.parent.subarray(0, parents * 8)],
  };
}

describe('a transformation line', () => {
  it('is scanned in both orders of keys when its texts are plain, and says what the parser says', () => {
    fc.assert(
      fc.property(line, (text) => {
        const isPlain = /^[\x20-\x7e]*$/u.test(text) && !text.includes('\\');
        const scanned = scan(Buffer.from(text));
        expect(scanned !== null).toBe(isPlain);
        if (scanned !== null) expect(said(scanned)).toEqual(said(parsed(text)!));
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
        expect(said(scanned)).toEqual(said(expected!));
      }),
      { numRuns: 2000 },
    );
  });
});
