import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { breakdown } from '#core/workspace/breakdown';
import { emptyReport } from '#core/workspace/scan';
import { type Beside, createStanding, type Standing } from '#core/workspace/standing-breakdown';
import { contextsOf } from '../../helpers/contexts.ts';
import { arbitraryHistory, createHistory, type History, namedUuid } from '../../helpers/history.ts';
import { placeOf, readPlace } from '../../helpers/ledger-place.ts';

const noon = '2026-07-18T12:00:00.000Z';
const contexts = ['one', 'two'].map((name) => ({ id: namedUuid(name), name, parent: null, selections: {} }));

/** The breakdown in one go, and what was waited for meanwhile. */
function run(standing: Standing, beside: Beside) {
  const steps = standing.steps(beside);
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value;
}

/** What happens to a workspace between two answers: lines come, files go and come, contexts change, a snapshot is lost. */
const eventsIn = (history: History) =>
  fc.array(
    fc.record({
      lines: fc.nat({ max: 9 }),
      absent: fc.subarray([0, 1, 2, 3]),
      moved: fc.option(fc.nat({ max: 3 }), { freq: 3 }),
      manifests: fc.option(contextsOf(history), { freq: 2 }),
      scanned: fc.boolean(),
      loses: fc.boolean(),
    }),
    { minLength: 1, maxLength: 12 },
  );

describe('a breakdown that is kept', () => {
  it('is after every change what it would be if it were computed anew, in every context', async () => {
    let met = 0;
    const stories = arbitraryHistory().chain((history) =>
      fc.record({ history: fc.constant(history), events: eventsIn(history), first: fc.nat({ max: history.lines.length }) }),
    );
    await fc.assert(
      fc.asyncProperty(stories, async ({ history, events, first }) => {
        const place = placeOf({ ...history, lines: history.lines.slice(0, first) }, contexts);
        const workspace = await readPlace(place, noon);
        const late = history.lines.slice(first);
        const asked = [undefined, 'one', 'two'].map((context) => ({ all: context === 'two', context }));
        const standings = asked.map((request) => createStanding(workspace, request));
        const hashes = [...history.texts.keys()];
        for (const { lines, absent, moved, manifests, scanned, loses } of events) {
          const now = late.splice(0, lines);
          appendFileSync(join(place.folder, '.vmark/ledger/other.jsonl'), now.map((line) => `${line}\n`).join(''));
          await workspace.replica.refresh();
          for (const [at, manifest] of (manifests ?? []).entries()) {
            writeFileSync(join(place.folder, `.vmark/contexts/${at}.json`), JSON.stringify(manifest));
          }
          const lost = loses ? hashes.pop() : undefined;
          if (lost !== undefined) rmSync(join(place.folder, '.vmark/snapshots/sha256', lost.slice(7, 9), lost.slice(9)), { force: true });
          const ids = history.documents.map(({ object }) => object);
          const gone = new Set(absent.flatMap((at) => ids[at] ?? []));
          const seen = new Map(moved === null || ids[moved] === undefined ? [] : [[ids[moved], { path: 'elsewhere.md' }]]) as never;
          const beside = { scanned: scanned ? { ...emptyReport, absent: gone, seen } : null };
          for (const [at, request] of asked.entries()) {
            const anew = breakdown(workspace, { ...request, ...beside });
            expect(run(standings[at]!, beside)).toEqual(anew);
            met += anew.artifacts.length + anew.silenced.length + anew.sourceGone.length;
          }
        }
      }),
      { numRuns: 40 },
    );
    expect(met).toBeGreaterThan(100);
  });

  it('computes of a ledger that grew only the document that changed and those that rest on it', async () => {
    const history = createHistory();
    const sources = Array.from({ length: 30 }, (_, at) => history.document(`source-${at}.md`));
    const drafts = Array.from({ length: 60 }, (_, at) => history.document(`draft-${at}.md`));
    for (const source of sources) history.write(source, 'as it was');
    for (const [at, draft] of drafts.entries()) {
      const { object, revisions } = sources[at % 30]!;
      history.write(draft, `${at}`, { inputs: [{ object, revision: revisions[0]! }] });
    }
    const place = placeOf(history);
    const workspace = await readPlace(place, noon);
    const standing = createStanding(workspace, { all: false, context: undefined });
    expect(run(standing, { scanned: null }).artifacts).toEqual([]);
    const [before, written] = [standing.computed(), history.lines.length];
    expect(before).toBe(90);
    history.write(sources[7]!, 'as it is');
    appendFileSync(join(place.folder, '.vmark/ledger/other.jsonl'), `${history.lines.slice(written).join('\n')}\n`);
    await workspace.replica.refresh();
    const after = run(standing, { scanned: null });
    expect(after.artifacts.map(({ path }) => path)).toEqual(['draft-37.md', 'draft-7.md']);
    expect(standing.computed() - before).toBe(3);
    expect(run(standing, { scanned: null })).toEqual(after);
    expect(standing.computed() - before).toBe(3);
    const later = history.lines.length;
    history.write(drafts[37]!, 'by itself');
    history.write(sources[7]!, 'as it will be');
    appendFileSync(join(place.folder, '.vmark/ledger/other.jsonl'), `${history.lines.slice(later).join('\n')}\n`);
    await workspace.replica.refresh();
    run(standing, { scanned: null });
    const settled = standing.computed();
    appendFileSync(join(place.folder, '.vmark/ledger/other.jsonl'), `${lineOf(history, () => history.write(sources[7]!, 'at last'))}\n`);
    await workspace.replica.refresh();
    expect(run(standing, { scanned: null }).artifacts.map(({ path }) => path)).toEqual(['draft-7.md']);
    expect(standing.computed() - settled).toBe(2);
  });

  it('lets a waiver end when its time has come, though nothing is written', async () => {
    const history = createHistory();
    const source = history.document('source.md');
    const draft = history.document('draft.md');
    const { revision } = history.write(source, 'as it was');
    history.write(draft, 'a draft', { inputs: [{ object: source.object, revision }] });
    history.resolve('waiver', 0, history.write(source, 'as it is').revision, '2030-01-01T00:00:00Z');
    let clock = Date.parse(noon);
    const place = placeOf(history);
    const workspace = await place.assemble({ chance: { now: () => clock, newId: () => namedUuid('new') } });
    await workspace.replica.refresh();
    const standing = createStanding(workspace, { all: false, context: undefined });
    const stateNow = () => run(standing, { scanned: null }).artifacts[0]?.rows[0]?.state;
    expect(stateNow()).toBe('waived');
    clock = Date.parse('2030-01-01T00:00:01Z');
    expect(stateNow()).toBe('version-stale');
  });
});

/** The line that an act adds to a history. */
function lineOf(history: History, act: () => unknown): string {
  act();
  return history.lines.at(-1)!;
}
