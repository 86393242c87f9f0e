import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { digest } from '#core/digest';
import { knownKinds } from '#kernel/body';
import type { Json } from '#kernel/body-field';
import { entryLine, parseLine } from '#kernel/entry';
import { wordsOf } from '#kernel/line-batch';
import { scanLine } from '#kernel/line-scanner';
import { arbitraryEntryOf } from '../helpers/entries.ts';
import { arbitraryHistory, createHistory, namedUuid } from '../helpers/history.ts';
import { dumpReading, listRows, readSegments } from '../helpers/reading.ts';
import { acceptsVmark, vmarkLine } from '../helpers/vmark.ts';

const now = '2026-07-18T13:00:00.000Z';
const bytesOf = (lines: readonly string[]) => Buffer.from(lines.map((line) => `${line}\n`).join(''));
const isEntry = (line: string) => line.startsWith('{"format":0,"id"');
const bodyOf = (line: string) => (JSON.parse(line) as { body: Json }).body;

/** A body without what VMark never writes: the document that a quote is from, and what a document was derived from. */
const writtenByBoth = (body: unknown) =>
  JSON.parse(
    JSON.stringify(body, (key, value) => {
      if (key === 'derived_from') return undefined;
      return key === 'evidence' ? (value as Json[]).map(({ quote, loc }) => ({ quote, loc })) : value;
    }),
  ) as unknown;

describe('a ledger as VMark writes it', () => {
  it('says what the same ledger says as we write it', () => {
    fc.assert(
      fc.property(arbitraryHistory(), ({ lines }) => {
        const theirs = lines.map((line) => (isEntry(line) ? vmarkLine(line) : line));
        const [ours, read] = [readSegments([bytesOf(lines)]), readSegments([bytesOf(theirs)])];
        expect(dumpReading(read)).toEqual(dumpReading(ours));
        expect(listRows(read, now)).toEqual(listRows(ours, now));
        expect([read.malformed.length, read.future]).toEqual([ours.malformed.length, ours.future]);
      }),
      { numRuns: 60 },
    );
  });

  it.each(knownKinds)('is read where it is a %s, and means what ours means', (kind) => {
    fc.assert(
      fc.property(arbitraryEntryOf(kind), (entry) => {
        const line = entryLine(entry).slice(0, -1);
        const read = (text: string) => {
          const parsed = parseLine(text, digest);
          return parsed.kind === 'entry' ? writtenByBoth(parsed.entry.body) : parsed;
        };
        expect(read(vmarkLine(line))).toEqual(read(line));
      }),
      { numRuns: 40 },
    );
  });

  it('goes the short way from its bytes where it is a plain transformation, or a resolution by a person', () => {
    const history = createHistory();
    const [source, made] = [history.document('source.md'), history.document('made.md')];
    history.write(source, 'one');
    history.write(made, 'm', { inputs: [{ object: source.object, revision: source.revisions[0]!, kind: 'conformance' }] });
    const newer = history.write(source, 'two');
    history.resolve('waiver', 0, newer.revision);
    history.resolve('ratification', 0, newer.revision);
    const lines = history.lines.filter((one) => /"kind":"(transformation|waiver|ratification)"/u.test(one));
    expect(lines).toHaveLength(5);
    for (const line of lines) {
      const bytes = Buffer.from(vmarkLine(line));
      expect(scanLine(bytes, 0, bytes.length, new Uint32Array(wordsOf(bytes.length)), 0)).toBeGreaterThan(0);
    }
  });
});

/** What differs between VMark's versions, and between its page and its code; each is read alike. */
const variants: Readonly<
  Record<
    string,
    { readonly kind: 'waiver' | 'ratification' | 'transformation' | 'object-registered'; readonly change: (body: Json) => Json }
  >
> = {
  'a resolution without expires, as the first versions wrote': { kind: 'ratification', change: ({ expires: _, ...body }) => body },
  'a resolution without reason and expires': { kind: 'ratification', change: ({ expires: _, reason: __, ...body }) => body },
  'a resolution with a null delegation': { kind: 'waiver', change: (body) => ({ ...body, delegation: null }) },
  'an agent with a null id': { kind: 'transformation', change: (body) => ({ ...body, agent: { ...(body.agent as Json), id: null } }) },
  'an input with its kind written out': {
    kind: 'transformation',
    change: (body) => ({ ...body, inputs: (body.inputs as Json[]).map((input) => ({ kind: 'dependency', ...input })) }),
  },
  'an input of a kind that nobody knows yet': {
    kind: 'transformation',
    change: (body) => ({ ...body, inputs: (body.inputs as Json[]).map((input) => ({ ...input, kind: 'rhymes-with' })) }),
  },
  'a registration without a schema': { kind: 'object-registered', change: ({ schema: _, ...body }) => body },
  'ids in capitals': {
    kind: 'object-registered',
    change: (body) => ({ ...body, object: String(body.object).toUpperCase() }),
  },
  'ids without hyphens': {
    kind: 'object-registered',
    change: (body) => ({ ...body, object: String(body.object).replaceAll('-', '') }),
  },
};

function createStory(): string[] {
  const history = createHistory();
  const [source, made] = [history.document('source.md'), history.document('made.md')];
  const first = history.write(source, 'one');
  history.write(made, 'm', { inputs: [{ object: source.object, revision: first.revision }] });
  history.write(made, 'm2', { inputs: [{ object: source.object, revision: first.revision }] });
  const second = history.write(source, 'two');
  history.resolve('ratification', 0, second.revision);
  history.resolve('waiver', 1, second.revision);
  return history.lines;
}

describe('an entry that versions of VMark write differently', () => {
  it.each(Object.entries(variants))('%s: is read alike', (_, { kind, change }) => {
    const lines = createStory().map(vmarkLine);
    const varied = lines.map((line) => {
      const entry = JSON.parse(line) as Json;
      return entry.kind === kind ? JSON.stringify({ ...entry, body: change(bodyOf(line)) }) : line;
    });
    expect(varied).not.toEqual(lines);
    expect(dumpReading(readSegments([bytesOf(varied)])).objects).toEqual(dumpReading(readSegments([bytesOf(lines)])).objects);
    expect(readSegments([bytesOf(varied)]).malformed).toEqual([]);
  });

  it.each([
    ['the id of the grant', namedUuid('grant')],
    ['the id of the entry that gave it', namedUuid('entry 9')],
  ])("an agent's resolution that names %s counts", (_, delegation) => {
    const lines = createStory();
    const by = { actor: { type: 'agent', id: 'a-model' }, delegation };
    const varied = lines.map((line) => {
      const entry = JSON.parse(line) as Json;
      return entry.kind === 'waiver' ? JSON.stringify({ ...entry, body: { ...bodyOf(line), ...by } }) : line;
    });
    expect(listRows(readSegments([bytesOf(varied)]), now).map(({ state }) => state)).toEqual(['waived']);
  });
});

describe('a line that we write', () => {
  it.each(knownKinds)('is one that VMark reads, where it is a %s', (kind) => {
    fc.assert(
      fc.property(arbitraryEntryOf(kind), (entry) => {
        expect(acceptsVmark(entryLine(entry))).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it('is refused by those rules where it breaks one', () => {
    const [line] = fc.sample(arbitraryEntryOf('ratification'), { numRuns: 1, seed: 4 }).map(entryLine);
    const broken = (change: (body: Json) => Json) => `${JSON.stringify({ ...(JSON.parse(line!) as Json), body: change(bodyOf(line!)) })}\n`;
    expect(acceptsVmark(line!)).toBe(true);
    expect(acceptsVmark(line!.slice(0, -1))).toBe(false);
    expect(acceptsVmark(broken(({ pinned: _, ...body }) => body))).toBe(false);
    expect(acceptsVmark(broken((body) => ({ ...body, actor: { type: 'external', id: 'x' } })))).toBe(false);
    expect(acceptsVmark(broken((body) => ({ ...body, edge: { txf: 'x', input: 0 } })))).toBe(false);
    expect(acceptsVmark(line!.replace('"ratification"', '"code-anchor"'))).toBe(false);
  });
});
