import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { digest } from '#core/digest';
import { newReading } from '#core/storage/segment-reader';
import type { Winner } from '#kernel/reading';
import { arbitraryHistory, createHistory } from '../helpers/history';
import { arbitraryLine } from '../helpers/lines';
import { dumpReading, listRows, readSegments } from '../helpers/reading';
import { type EdgeRow, project } from '../reference/projection';
import { headsOf, labelsOf, replay } from '../reference/replay';

const now = '2026-08-01T00:00:00Z';

function referenceRows(lines: readonly string[]) {
  return project(replay(lines, digest), { now })
    .filter((row): row is EdgeRow => 'txf' in row)
    .map(({ txf, input, source, artifact, pinned, state, current, resolutions }) => ({
      txf,
      input,
      source,
      artifact,
      pinned,
      state,
      current,
      resolutions: Array.isArray(resolutions) ? resolutions.length : resolutions,
    }))
    .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

const bytesOf = (lines: readonly string[]) => Buffer.from(lines.map((line) => `${line}\n`).join(''), 'utf8');

/** Lines dealt out over segments, some twice, each segment cut into pieces. */
const dealt = fc.tuple(arbitraryHistory(), fc.array(fc.nat(), { minLength: 1, maxLength: 200 })).map(([history, dice]) => {
  const segments: string[][] = [[], [], []];
  history.lines.forEach((line, i) => {
    const die = dice[i % dice.length]!;
    segments[die % 3]!.push(line);
    if (die % 7 === 0) segments[(die >> 3) % 3]!.unshift(line);
  });
  return { lines: history.lines, segments: segments.map(bytesOf), dice };
});

describe('a reading of a ledger', () => {
  it('projects what the plain replay projects, whatever the order of lines', () => {
    fc.assert(
      fc.property(dealt, ({ lines, segments }) => {
        expect(listRows(readSegments(segments), now)).toEqual(referenceRows(lines));
      }),
      { numRuns: 150 },
    );
  });

  it('has the heads and labels of the plain replay', () => {
    fc.assert(
      fc.property(arbitraryHistory(), ({ lines }) => {
        const reading = readSegments([bytesOf(lines)]);
        const { graph } = reading;
        for (const object of replay(lines, digest).objects.values()) {
          const number = graph.findObject(object.id);
          const heads = number === 0xffffffff ? [] : graph.heads(number).map((head) => graph.revisionText(head));
          expect(heads).toEqual(headsOf(object));
          const labels = labelsOf(object);
          for (const revision of object.revisions.keys()) {
            expect(`v${graph.depth(graph.findNode(number, revision))}`).toBe(labels.get(revision));
          }
        }
      }),
      { numRuns: 80 },
    );
  });

  it('labels by what is recorded: a parent that only its child names is on no path, until it is recorded', () => {
    const history = createHistory();
    const document = history.document('a.md');
    const first = history.write(document, 'one');
    const [, lost] = history.lines;
    history.write(document, 'two', { parents: [first.revision] });
    const lines = history.lines.filter((line) => line !== lost);
    const labelsIn = ({ graph }: ReturnType<typeof readSegments>) =>
      [...graph.revisions(graph.findObject(document.object))].map((node) => graph.depth(node)).sort();
    const reading = readSegments([bytesOf(lines)]);
    expect(labelsIn(reading)).toEqual([1]);
    reading.read(bytesOf([lost!]), 0, 0);
    expect(labelsIn(reading)).toEqual([1, 2]);
  });

  it('read in pieces equals read at once', () => {
    fc.assert(
      fc.property(dealt, ({ segments, dice }) => {
        const atOnce = readSegments(segments);
        let inPieces = readInPieces(segments, dice, new Map());
        while (inPieces.conflict) inPieces = readInPieces(segments, dice, inPieces.winners);
        expect(dumpReading(inPieces)).toEqual(dumpReading(atOnce));
      }),
      { numRuns: 80 },
    );
  });

  it('of a ledger cut at any byte is that of its whole lines', () => {
    fc.assert(
      fc.property(arbitraryHistory(), fc.nat(), ({ lines }, die) => {
        const bytes = bytesOf(lines);
        const cut = bytes.subarray(0, die % (bytes.length + 1));
        const whole = lines.slice(0, cut.toString('utf8').split('\n').length - 1);
        expect(dumpReading(readSegments([cut]))).toEqual(dumpReading(readSegments([bytesOf(whole)])));
      }),
      { numRuns: 80 },
    );
  });

  it('never falls over bytes that are no ledger', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), arbitraryHistory(), fc.nat(), (noise, { lines }, die) => {
        const bytes = bytesOf(lines);
        const at = die % (bytes.length + 1);
        const spoilt = Buffer.concat([bytes.subarray(0, at), noise, Buffer.from('\n'), bytes.subarray(at)]);
        expect(() => listRows(readSegments([spoilt]), now)).not.toThrow();
      }),
      { numRuns: 80 },
    );
  });

  it('agrees with the plain replay on 20,000 generated entries cut at random bytes', () => {
    const folder = mkdtempSync(join(tmpdir(), 'stemma-generated-'));
    try {
      const args = [
        'bench/gen-ledger.mjs',
        '--out',
        folder,
        '--entries',
        '20000',
        '--objects',
        '700',
        '--fork',
        '0.06',
        '--merge',
        '0.5',
        '--bytes',
        '40',
      ];
      execFileSync(process.execPath, args);
      const ledger = join(folder, '.vmark', 'ledger');
      const bytes = Buffer.concat(readdirSync(ledger).map((name) => readFileSync(join(ledger, name))));
      for (const share of [1, 0.7310585786, 0.2689414214, 0.0066928509]) {
        const cut = bytes.subarray(0, Math.floor(bytes.length * share));
        const lines = cut.toString('utf8').split('\n').slice(0, -1);
        expect(listRows(readSegments([cut]), now)).toEqual(referenceRows(lines));
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

/** Reads a little of each segment in turn, as a core does that follows three writers. */
function readInPieces(segments: readonly Buffer[], dice: readonly number[], winners: ReadonlyMap<string, Winner>) {
  const reading = newReading(winners);
  const offsets = segments.map(() => 0);
  for (let turn = 0; offsets.some((offset, i) => offset < segments[i]!.length); turn++) {
    const i = turn % segments.length;
    const from = offsets[i]!;
    const seen = segments[i]!.subarray(from, from + 200 + (dice[turn % dice.length]! % 3000));
    const isLast = from + seen.length >= segments[i]!.length;
    const taken = reading.read(seen, i, from);
    offsets[i] = taken === 0 && !isLast ? from : from + taken;
    if (taken === 0) offsets[i] = from + reading.read(segments[i]!.subarray(from), i, from);
    if (offsets[i] === from && isLast) offsets[i] = segments[i]!.length;
  }
  return reading;
}

describe('a line that stands twice with two times', () => {
  it.each([
    ['the later one first', [1, 0]],
    ['the earlier one first', [0, 1]],
  ])('is read once, as the earlier, and reading comes to an end: %s', (_, order) => {
    const [line] = fc.sample(arbitraryLine(), { numRuns: 1, seed: 7 });
    const at = (time: string) => line!.replace(/"time":"[^"]*"/, `"time":"${time}"`);
    const both = [at('2026-01-31T10:00:00.000Z'), at('2026-02-28T10:00:00.000Z')];
    const bytes = Buffer.from(order.map((place) => `${both[place]}\n`).join(''));
    let reading = newReading();
    let rounds = 0;
    for (reading.read(bytes, 0, 0); reading.conflict && rounds < 5; rounds++) {
      reading = newReading(reading.winners);
      reading.read(bytes, 0, 0);
    }
    expect(reading.conflict).toBe(false);
    expect([...Array(reading.graph.entryTime.length).keys()].map((row) => reading.graph.entryTime.at(row))).toEqual([
      Date.parse('2026-01-31T10:00:00.000Z'),
    ]);
  });
});
