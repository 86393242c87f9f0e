import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readWholeLedger } from '#core/workspace/entries';
import { save } from '#core/workspace/save';
import { createHistory, namedUuid } from '../../helpers/history';
import { createRandom } from '../../helpers/kills';
import { dumpReading, readSegments } from '../../helpers/reading';
import { createTrackingPlace, type Place, savingOf } from '../../helpers/workspace';

const writer = namedUuid('writer');
const file = `${writer}.jsonl`;
type Segments = Record<string, string | Buffer>;

/** A ledger with forks, edges, resolutions, an unknown kind and unknown fields, one line each. */
function createStory(): string[] {
  const history = createHistory();
  const [source, other, derived] = ['source.md', 'other.md', 'derived.md'].map((path) => history.document(path));
  const first = history.write(source!, 'one\n');
  const [, two] = [history.write(other!, 'o\n'), history.write(source!, 'two\n')];
  const inputs = [
    { object: source!.object, revision: first.revision },
    { object: other!.object, revision: other!.revisions[0]! },
  ];
  history.write(derived!, 'd\n', { inputs });
  history.resolve('waiver', 0, two.revision);
  history.write(source!, 'fork\n', { parents: [first.revision] });
  history.write(other!, 'o2\n');
  history.append('flag-judgment', { edge: history.edges[0]!.edge, judgment: 'noise', note: '' });
  const additive = { ...JSON.parse(history.lines[0]!), kind: 'hologram-sync', id: namedUuid('u'), idem: namedUuid('ui'), body: { a: [1] } };
  const extra = JSON.parse(history.lines[1]!) as { body: object };
  const withField = { ...extra, note: 'kept', body: { ...extra.body, mood: 'kept' } };
  return [...history.lines.map((line, at) => (at === 1 ? JSON.stringify(withField) : line)), JSON.stringify(additive)];
}

const joined = (lines: readonly string[], end = '\n') => lines.map((line) => line + end).join('');
const half = (lines: readonly string[]) => [lines.slice(0, lines.length / 2), lines.slice(lines.length / 2)] as const;

/** As git's union merge leaves two files that grew apart: both sides' lines, some of them twice, in any order. */
function merged(lines: readonly string[], seed: number): string[] {
  const random = createRandom(seed);
  const twice = [...lines, ...lines.filter(() => random() < 0.5)];
  return twice
    .map((line) => ({ line, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ line }) => line);
}

interface State {
  readonly make: (lines: readonly string[]) => Segments;
  readonly bad?: number;
  readonly future?: number;
  readonly torn?: number;
}

const states: Readonly<Record<string, State>> = {
  'one segment': { make: (lines) => ({ [file]: joined(lines) }) },
  'a union merge': { make: (lines) => ({ [file]: joined(merged(lines, 7)) }) },
  'two segments of one writer': {
    make: (lines) => ({ [file]: joined(half(lines)[0]), [`${writer}-018f3c7a9f2eab12.jsonl`]: joined(half(lines)[1]) }),
  },
  "VMark's numbering": { make: (lines) => ({ [file]: joined(half(lines)[0]), [`${writer}-001.jsonl`]: joined(half(lines)[1]) }) },
  'a name that nobody gives': { make: (lines) => ({ 'copy of ledger (2).jsonl': joined(lines) }) },
  'two segments that hold the same': { make: (lines) => ({ [file]: joined(lines), 'conflicted copy.jsonl': joined(lines) }) },
  'CRLF in all': { make: (lines) => ({ [file]: joined(lines, '\r\n') }) },
  'CRLF in some, and empty lines': {
    make: (lines) => ({ [file]: lines.map((line, at) => line + ['\n', '\r\n', '\n\n\n', '\r\n\r\n'][at % 4]).join('') }),
  },
  'a byte order mark': { make: (lines) => ({ [file]: `\uFEFF${joined(lines)}` }) },
  'a byte order mark that a merge moved': { make: (lines) => ({ [file]: joined([...lines.slice(1), `\uFEFF${lines[0]}`]) }) },
  'a whole last line without its newline': { make: (lines) => ({ [file]: joined(lines).slice(0, -1) }), torn: 1 },
  'a torn tail': { make: (lines) => ({ [file]: `${joined(lines)}{"format":0,"id":"018f` }), torn: 1 },
  'a torn tail of zero bytes': { make: (lines) => ({ [file]: joined(lines) + '\0'.repeat(100) }), torn: 1 },
  'torn tails that were closed': { make: (lines) => ({ [file]: `${joined(half(lines)[0])}{"form\n{\n${joined(half(lines)[1])}` }), bad: 2 },
  'bytes that are no text in the middle': {
    make: (lines) => ({
      [file]: Buffer.concat([Buffer.from(joined(half(lines)[0])), Buffer.from([0xff, 0xfe, 0x0a]), Buffer.from(joined(half(lines)[1]))]),
    }),
    bad: 1,
  },
  'marks of a conflict that git left': {
    make: (lines) => ({ [file]: `<<<<<<< HEAD\n${joined(half(lines)[0])}=======\n${joined(half(lines)[1])}>>>>>>> side\n` }),
    bad: 3,
  },
  'an entry of a newer format': {
    make: (lines) => ({ [file]: joined(lines), 'newer.jsonl': `${lines[0]!.replace('"format":0', '"format":1')}\n` }),
    future: 1,
  },
  'empty segments, and files that are none': {
    make: (lines) => ({ [file]: joined(lines), 'empty.jsonl': '', 'a.jsonl.tmp': 'x', 'index.json': '{' }),
  },
};

function writeLedger(place: Place, segments: Segments): void {
  const folder = join(place.folder, '.vmark', 'ledger');
  mkdirSync(folder, { recursive: true });
  for (const [name, bytes] of Object.entries(segments)) writeFileSync(join(folder, name), bytes);
}

const story = createStory();
const whole = dumpReading(readSegments([Buffer.from(joined(story))]));

describe('a ledger with', () => {
  it.each(Object.entries(states))('%s says what its entries say, and is counted', async (_, { make, bad = 0, future = 0, torn = 0 }) => {
    const place = createTrackingPlace();
    writeLedger(place, make(story));
    const workspace = await place.assemble();
    await workspace.replica.refresh();
    expect(dumpReading(workspace.replica.reading)).toEqual(whole);
    expect([workspace.replica.reading.malformed.length, workspace.replica.reading.future]).toEqual([bad, future]);
    const ledger = await readWholeLedger(workspace.disk, workspace.vmark);
    expect([ledger.entries.length, ledger.bad.length, ledger.future.length, ledger.torn.length]).toEqual([story.length, bad, future, torn]);
  });

  it.each(Object.entries(states))('%s keeps each of its bytes when something is saved', async (_, { make, future = 0 }) => {
    const place = createTrackingPlace();
    writeLedger(place, make(story));
    const kept = place.segments();
    const workspace = await place.assemble();
    const { recorded } = (await save(workspace, savingOf(place, 'new.md', 'new\n'))) as { recorded: { kind: string } };
    expect(recorded.kind).toBe(future > 0 ? 'failed' : 'recorded');
    expect(place.text('new.md')).toMatch(/new\n$/u);
    for (const [name, bytes] of kept) expect(place.segments().get(name)!.subarray(0, bytes.length)).toEqual(bytes);
    const ended = [...place.segments().values()].map((bytes) => Buffer.concat([bytes, Buffer.from('\n')]));
    expect(dumpReading(workspace.replica.reading)).toEqual(dumpReading(readSegments(ended)));
  });

  it('folders and links between its segments leaves them alone', async () => {
    const place = createTrackingPlace();
    writeLedger(place, { [file]: joined(story) });
    const folder = join(place.folder, '.vmark', 'ledger');
    mkdirSync(join(folder, 'folder.jsonl'));
    writeFileSync(join(place.folder, 'outside.jsonl'), 'no ledger\n');
    symlinkSync(join(place.folder, 'outside.jsonl'), join(folder, 'link.jsonl'));
    const workspace = await place.assemble();
    await workspace.replica.refresh();
    expect(dumpReading(workspace.replica.reading)).toEqual(whole);
    expect(await readWholeLedger(workspace.disk, workspace.vmark)).toMatchObject({ segments: 1, bad: [] });
  });

  it('any union merge of two that grew apart says the same', () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        expect(dumpReading(readSegments([Buffer.from(joined(merged(story, seed)))]))).toEqual(whole);
      }),
      { numRuns: 30 },
    );
  });
});
