import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { productRows, readPlace } from '../../helpers/ledger-place';
import { vmarkLine } from '../../helpers/vmark';
import { countKinds, createPlace } from '../../helpers/workspace';

const now = '2026-07-19T12:00:00.000Z';

/** A small ledger in VMark's own dialect (our words): two writers, a second segment, a removed kind, a text without its snapshot, a context. */
const open = () => {
  const place = createPlace();
  cpSync(join(import.meta.dirname, '../../fixtures/vmark'), join(place.folder, '.vmark'), { recursive: true });
  return place;
};

async function rowsIn(context: string) {
  const workspace = await readPlace(open(), now);
  const { facts } = workspace.replica.reading;
  const name = (object: unknown) => facts.pathOf(object as never)?.replace(/^.*\//u, '');
  return productRows(workspace, { context })
    .map((row) => [name(row.artifact), name(row.source), row.state, row.silenced, row.section, row.check, row.judgment].join(' '))
    .sort();
}

describe('a miniature in VMark’s dialect', () => {
  it('is written as VMark lays its lines out', () => {
    for (const line of open().lines()) {
      if (!/"kind":"(?:group-prepare|ratification)"/u.test(line)) expect(line).toBe(vmarkLine(line));
    }
  });

  it('is read whole: every entry accepted, every revision recomputed, the missing text said, nothing changed', async () => {
    const place = open();
    const before = place.tree();
    const core = await place.open();
    const { problems, ...said } = await core.verify({ restoreLines: false });
    expect(said).toMatchObject({
      entries: 25,
      quarantined: [],
      future: 0,
      revisions: 7,
      snapshots: { present: 6, missing: 1, damaged: 0 },
    });
    expect(problems.map(({ code }) => code)).toEqual(['snapshot-missing']);
    expect(countKinds(place)).toEqual({
      'check-result': 1,
      claim: 2,
      delegation: 2,
      diagnostic: 1,
      'edge-anchor': 1,
      'flag-judgment': 1,
      'group-prepare': 1,
      navigation: 1,
      'object-lifecycle': 1,
      'object-registered': 5,
      ratification: 1,
      transformation: 7,
      waiver: 1,
    });
    expect(place.tree()).toEqual(before);
  });

  it('projects row by row, and through its context', async () => {
    expect(await rowsIn('default')).toMatchInlineSnapshot(`
      [
        "01.md elena.md version-stale   unchecked relevant",
        "01.md harbour.md version-stale section-unchanged unchanged  ",
        "outline.md 01.md fresh    ",
        "outline.md elena.md version-stale document-finished   ",
      ]
    `);
    expect(await rowsIn('first-draft')).toMatchInlineSnapshot(`
      [
        "01.md elena.md fresh    relevant",
        "01.md harbour.md version-stale section-unchanged unchanged  ",
        "outline.md 01.md fresh    ",
        "outline.md elena.md fresh    ",
      ]
    `);
  });

  it('gives its claim, its grant that was taken back, and its place after a move', async () => {
    const core = await open().open();
    expect(await core.claims()).toMatchObject([{ statement: 'Her eyes are brown.', maturity: 'established' }]);
    expect((await core.grants()).map(({ agent, state }) => [agent, state])).toMatchInlineSnapshot(`
      [
        [
          "scribe",
          "revoked",
        ],
      ]
    `);
    expect((await core.logFile('world/harbour.md')).revisions.map(({ label, agent, intent }) => [label, agent.type, intent.kind])).toEqual([
      ['v1', 'external', 'observed-external-edit'],
      ['v2', 'human', 'editor-save'],
    ]);
  });

  it('takes an entry of ours beside its own, and none of its segments is touched', async () => {
    const place = open();
    const before = place.segments();
    const core = await place.open();
    const [row] = (await core.breakdown({ all: false, scan: false })).artifacts.flatMap(({ rows }) => rows);
    const against = row!.current!.revision as never;
    expect(await core.resolve({ edge: row!.edge as never, against, decision: { kind: 'accept' } })).toMatchObject({ kind: 'resolved' });
    for (const [name, bytes] of before) expect(place.segments().get(name)).toEqual(bytes);
    expect(countKinds(place).ratification).toBe(2);
  });
});
