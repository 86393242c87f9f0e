import { rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMemory } from '#core/workspace/memory';
import type { Workspace } from '#core/workspace/workspace';
import type { Uuid } from '#kernel/uuid';
import { contextsOf } from '../../helpers/contexts.ts';
import { createFaultyDisk } from '../../helpers/faulty-disk.ts';
import { arbitraryHistory } from '../../helpers/history.ts';
import { placeOf, productRows } from '../../helpers/ledger-place.ts';
import { dumpReading } from '../../helpers/reading.ts';
import { createTrackingPlace, type Place, savingOf } from '../../helpers/workspace.ts';

const now = '2026-07-18T12:00:00.000Z';

/** Everything that a workspace says of its ledger, through each context, by names and in one order. */
const answerOf = (workspace: Workspace) => ({
  ...dumpReading(workspace.replica.reading),
  malformed: workspace.replica.reading.malformed.length,
  rows: ['one', 'two', 'default'].map((context) => productRows(workspace, { context })),
});

const assemble = (place: Place) => place.assemble({ chance: { now: () => Date.parse(now), newId: () => crypto.randomUUID() as Uuid } });

/** A program that starts: it recalls the index, if there is one, and reads what is not in it. */
async function start(place: Place): Promise<Workspace> {
  const workspace = await assemble(place);
  await createMemory(workspace).recall(false);
  await workspace.replica.refresh();
  return workspace;
}

/** A ledger that came in pieces: a first segment, which grew later, and those of other clones, with lines that stand in several. */
const pieces = arbitraryHistory().chain((history) =>
  fc.record({
    history: fc.constant(history),
    manifests: contextsOf(history),
    lines: fc.shuffledSubarray(history.lines, { minLength: history.lines.length }),
    cuts: fc.tuple(fc.nat(), fc.nat()),
  }),
);

describe('a rebuilt index', () => {
  it('is what an index that followed the ledger is, to the row: forks, contexts, carried anchors and all', async () => {
    const met = { forks: 0, carried: 0, contexts: 0, rows: 0 };
    await fc.assert(
      fc.asyncProperty(pieces, async ({ history, manifests, lines, cuts }) => {
        const [first, second] = cuts.map((cut) => cut % (lines.length + 1)).sort((a, b) => a - b) as [number, number];
        const place = placeOf({ ...history, lines: lines.slice(0, first) }, manifests);
        const early = await start(place);
        await createMemory(early).keep();
        const segment = (name: string, own: readonly string[]) =>
          place.write(`.vmark/ledger/${name}.jsonl`, own.map((line) => `${line}\n`).join(''));
        segment('other', lines.slice(0, second));
        segment('clone', ['no JSON', ...lines.slice(second), ...lines.slice(0, 3)]);

        const followed = await start(place);
        const said = answerOf(followed);
        // The same process that has followed from the first piece on, and one that has never had an index.
        await early.replica.refresh();
        expect(answerOf(early)).toEqual(said);
        const rebuilt = await assemble(place);
        expect(await createMemory(rebuilt).rebuild()).toBe('workspace');
        expect(answerOf(rebuilt)).toEqual(said);
        expect(answerOf(await start(place))).toEqual(said);
        rmSync(join(place.folder, '.vmark/index.db'));
        expect(answerOf(await start(place))).toEqual(said);

        met.forks += said.objects.filter(({ heads }) => heads.length > 1).length;
        met.carried += said.rows.flat().filter(({ carried }) => carried === true).length;
        met.contexts += JSON.stringify(said.rows[0]) === JSON.stringify(said.rows[2]) ? 0 : 1;
        met.rows += said.rows.flat().length;
      }),
      { numRuns: 25, seed: 20260718 },
    );
    expect(Object.entries(met).filter(([, count]) => count === 0)).toEqual([]);
  });
});

it.each([
  ['of which nothing was read yet', false],
  ['that was read before', true],
])('a ledger that cannot be looked at, %s, is not answered for from memory, nor taken for none', async (_, isRead) => {
  const place = createTrackingPlace();
  await (await place.open({ git: false })).save(savingOf(place, 'a.md', 'a\n', { base: null }));
  const faulty = createFaultyDisk();
  const core = await place.open({ disk: faulty.disk, git: false });
  if (isRead) expect(await core.rebuild()).toMatchObject({ index: 'workspace', documents: 1 });
  faulty.plan({ at: 0, failure: 'EACCES', kind: 'lstatSync', path: /\.vmark.ledger$/u, lasting: true });
  await expect(core.rebuild()).rejects.toMatchObject({ code: 'permission', detail: { path: '.vmark' } });
  await expect(core.scan()).rejects.toMatchObject({ code: 'permission' });
  faulty.plan(null);
  expect(await core.rebuild()).toMatchObject({ index: 'workspace', documents: 1 });
});
