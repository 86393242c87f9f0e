import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, statSync, truncateSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Core } from '#core';
import type { RevisionId } from '#kernel/revision';
import type { Uuid } from '#kernel/uuid';
import { createTrackingPlace, entriesOf, inputOf, type Place, savingFrom, savingOf } from '../../helpers/workspace.ts';

/** What asks something of the writer: each row by its document and its source. */
async function asking(core: Core): Promise<string[]> {
  const { artifacts } = await core.breakdown({ all: false, scan: true });
  return artifacts.flatMap(({ path, rows }) => rows.map(({ source, state }) => `${path} < ${source?.path}: ${state}`));
}

const saveFrom = async (place: Place, core: Core, path: string, text: string, ...sources: string[]) => {
  const inputs = await Promise.all(sources.map((source) => inputOf(core, source)));
  await core.save(savingFrom(place, path, text, inputs));
};

const edit = (place: Place, core: Core, path: string, from: string, to: string) =>
  core.save(savingOf(place, path, place.text(path).replace(from, to)));

/** What people reported of tools that keep texts in step (docs/field-reports.md): the scenario, and what is right. */
describe('a report about documents that rest on others', () => {
  it('FR-173: where a prompt is a document that was read, another prompt is a reason of its own', async () => {
    const place = createTrackingPlace();
    const core = await place.open();
    await core.save(savingOf(place, 'data.md', '# Data\n\nTwelve boats.\n'));
    await core.save(savingOf(place, 'sum-prompt.md', 'Say it in one sentence.\n'));
    await saveFrom(place, core, 'sum.md', 'There are boats.\n', 'data.md', 'sum-prompt.md');
    expect(await asking(core)).toEqual([]);
    await edit(place, core, 'sum-prompt.md', 'one sentence', 'two sentences');
    expect(await asking(core)).toEqual(['sum.md < sum-prompt.md: version-stale']);
  });

  it('FR-174: made anew with the same text, a document makes nothing stale that rests on it', async () => {
    const place = createTrackingPlace();
    const core = await place.open();
    await core.save(savingOf(place, 'a.md', 'one\n'));
    await saveFrom(place, core, 'b.md', 'of one\n', 'a.md');
    await saveFrom(place, core, 'c.md', 'of b\n', 'b.md');
    await edit(place, core, 'a.md', 'one', 'two');
    expect(await asking(core)).toEqual(['b.md < a.md: version-stale']);
    await saveFrom(place, core, 'b.md', place.text('b.md'), 'a.md');
    expect(await asking(core)).toEqual([]);
  });

  it('FR-178: a document that was made from another and then edited by hand says so, apart from being stale', async () => {
    const place = createTrackingPlace();
    const core = await place.open();
    await core.save(savingOf(place, 'a.md', 'one\n'));
    await saveFrom(place, core, 'b.md', 'of one\n', 'a.md');
    place.write('b.md', place.text('b.md').replace('of one', 'by hand'));
    const { provenanceUnknown } = await core.breakdown({ all: false, scan: true });
    expect([await asking(core), provenanceUnknown.map(({ path }) => path)]).toEqual([[], ['b.md']]);
    await edit(place, core, 'a.md', 'one', 'two');
    expect((await core.breakdown({ all: false, scan: true })).provenanceUnknown.map(({ path }) => path)).toEqual(['b.md']);
  });

  it('FR-179: what was accepted says who and when, and only against what was shown', async () => {
    const place = createTrackingPlace();
    const core = await place.open();
    await core.save(savingOf(place, 'a.md', 'one\n'));
    await saveFrom(place, core, 'b.md', 'of one\n', 'a.md');
    await edit(place, core, 'a.md', 'one', 'two');
    const [{ rows } = { rows: [] }] = (await core.breakdown({ all: false, scan: true })).artifacts;
    const { edge, current } = rows[0]!;
    const shown = { edge: edge as { txf: Uuid; input: number }, against: current!.revision as RevisionId };
    await edit(place, core, 'a.md', 'two', 'three');
    expect(await core.resolve({ ...shown, decision: { kind: 'accept' } })).toMatchObject({ kind: 'moved' });
    expect(entriesOf(place, 'ratification')).toEqual([]);
    const [{ rows: now } = { rows: [] }] = (await core.breakdown({ all: false, scan: true })).artifacts;
    const against = now[0]!.current!.revision as RevisionId;
    expect(await core.resolve({ ...shown, against, decision: { kind: 'accept' } })).toMatchObject({ kind: 'resolved' });
    const [entry] = entriesOf(place, 'ratification');
    expect(entry?.body).toMatchObject({ actor: { type: 'human', id: expect.stringMatching(/./u) }, resolved_against: against });
    expect(Date.parse(entry!.time)).toBeGreaterThan(Date.parse('2020-01-01'));
    expect(await asking(core)).toEqual([]);
  });
});

describe('a report about folders that are synchronised', () => {
  /** Each file that is newer on one side, or only there, goes to the other; the hidden folder and what is derived in it with it, cut off half way now and then. */
  const synchronise = (one: Place, other: Place, round: number) => {
    for (const [from, to] of [
      [one, other],
      [other, one],
    ] as const)
      for (const name of readdirSync(from.folder, { recursive: true, encoding: 'utf8' })) {
        const [source, target] = [join(from.folder, name), join(to.folder, name)];
        const { mtime, mtimeMs, size } = statSync(source);
        if (!statSync(source).isFile() || (existsSync(target) && statSync(target).mtimeMs >= mtimeMs)) continue;
        mkdirSync(dirname(target), { recursive: true });
        copyFileSync(source, `${target}.sync`);
        if (/index\.db/u.test(name) && round % 2 === 1) truncateSync(`${target}.sync`, Math.floor(size / 2));
        utimesSync(`${target}.sync`, mtime, mtime);
        renameSync(`${target}.sync`, target);
      }
  };

  it('FR-154: the hidden folder goes along, its index too and torn, under two open programs: both say the same, and nothing is lost', async () => {
    const [one, other] = [createTrackingPlace(), createTrackingPlace()];
    const cores = [await one.open(), await other.open()] as const;
    for (let round = 0; round < 6; round++) {
      for (const [at, place] of [one, other].entries()) {
        const [core, source, made] = [cores[at]!, `source-${at}.md`, `made-${at}.md`];
        await core.save(savingOf(place, source, `${existsSync(join(place.folder, source)) ? place.text(source) : ''}round ${round}\n`));
        await saveFrom(place, core, made, `of round ${round}\n`, source);
        if (round % 3 === 2) await edit(place, core, source, `round ${round}`, `changed ${round}`);
      }
      // The index is there to be carried about.
      await cores[round % 2]!.rebuild();
      synchronise(one, other, round);
      const said = await Promise.all(cores.map(asking));
      expect(said[1], `round ${round}`).toEqual(said[0]);
    }
    synchronise(one, other, 0);
    for (const place of [one, other]) {
      const core = await place.open();
      expect(await asking(core)).toEqual(['made-0.md < source-0.md: version-stale', 'made-1.md < source-1.md: version-stale']);
      expect((await core.verify({ restoreLines: false })).problems).toEqual([]);
    }
    const acknowledged = entriesOf(one, 'transformation').length;
    expect(entriesOf(other, 'transformation')).toHaveLength(acknowledged);
    expect(acknowledged).toBe(2 * (6 * 2 + 2));
  });
});
