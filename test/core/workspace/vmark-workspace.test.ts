import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { countKinds, createPlace, entriesOf } from '../../helpers/workspace';

// The ledger that VMark wrote is not ours to give away: who has it names its folder. What it says is in docs/formats/vmark.md.
const { STEMMA_VMARK_WORKSPACE: folder } = process.env;

/** The rows of that ledger: the end of the entry's id and the input, the versions, the state, why it is folded away, and the check. */
const rows = [
  'a4a5#0 v4→v6 version-stale document-finished unchecked',
  'a4a5#1 v5→v6 fresh - -',
  'a462#0 v2→v6 version-stale document-finished unchecked',
  'a462#1 v5→v8 fresh - -',
  'a462#2 v2→v6 fresh - -',
  '606e#0 v6→v6 fresh - -',
  'de85#0 v5→v6 fresh - -',
  'de85#1 v5→v6 fresh - -',
  'de85#2 v1→v3 version-stale document-finished verified-valid',
  '9d97#0 v4→v6 version-stale document-finished unchecked',
  '9d97#1 v1→v3 version-stale document-finished verified-valid',
  'f049#0 v2→v2 fresh - -',
  'f049#1 v5→v6 fresh - -',
  '991c#0 v5→v6 fresh - -',
];

describe('the ledger of VMark’s own repository', () => {
  beforeEach((context) => context.skip(folder === undefined, 'STEMMA_VMARK_WORKSPACE names no copy of it, which may not be part of ours'));

  const open = () => {
    const place = createPlace();
    cpSync(join(folder!, '.vmark'), join(place.folder, '.vmark'), { recursive: true });
    return place;
  };

  it('is read whole: every entry accepted, every revision recomputed, and what is missing said', async () => {
    const place = open();
    const core = await place.open();
    const { problems, ...answer } = await core.verify({ restoreLines: false });
    expect(answer).toMatchObject({
      entries: 216,
      revisions: 41,
      quarantined: [],
      future: 0,
      snapshots: { present: 9, missing: 30, damaged: 0 },
    });
    expect(countKinds(place)).toMatchObject({
      transformation: 46,
      ratification: 45,
      waiver: 1,
      'check-result': 21,
      delegation: 5,
      claim: 2,
    });
    expect(problems.map(({ code }) => code)).toEqual(Array(30).fill('snapshot-missing'));
    expect(entriesOf(place, 'transformation').flatMap(({ body }) => body.inputs)).toHaveLength(48);
  });

  it('projects as VMark projects it, row by row', async () => {
    const place = open();
    const before = place.tree();
    const { artifacts, silenced } = await (await place.open()).breakdown({ all: true, scan: false });
    const listed = [...artifacts.flatMap((artifact) => artifact.rows), ...silenced].map((row) => {
      const { edge, pinned, current, state, silenced: why, check } = row;
      const versions = `${pinned?.label}→${current?.label}`;
      return `${edge?.txf.slice(-4)}#${edge?.input} ${versions} ${state} ${why ?? '-'} ${check?.verdict ?? '-'}`;
    });
    expect(listed.sort()).toEqual([...rows].sort());
    expect(place.tree()).toEqual(before);
  });
});
