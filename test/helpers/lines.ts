import fc from 'fast-check';
import type { Resolution } from '#kernel/body-act';
import { type Entry, entryLine } from '#kernel/entry';
import { arbitraryEntryOf } from './entries';

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
/** A line of a transformation or a resolution, in our order of keys or VMark's. Half of them have texts without a byte that JSON or UTF-8 would have to write otherwise. */
export const arbitraryLine = (): fc.Arbitrary<string> =>
  fc
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

/** One byte of a line changed, left out or put in. */
export const arbitraryDamage = () =>
  fc
    .record({
      at: fc.nat(),
      byte: fc.oneof(fc.constantFrom(...Buffer.from('"{}[],:0af\\')), fc.nat(255)),
      cut: fc.nat(1),
      put: fc.nat(1),
    })
    .map(({ at, byte, cut, put }) => (bytes: Buffer) => {
      const from = at % bytes.length;
      return Buffer.concat([bytes.subarray(0, from), Buffer.alloc(put, byte), bytes.subarray(from + cut)]);
    });
