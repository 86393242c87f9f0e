import { digest } from '#core/digest';
import { breakdown } from '#core/workspace/breakdown';
import { emptyReport } from '#core/workspace/scan';
import type { Workspace } from '#core/workspace/workspace';
import { contentHash } from '#kernel/revision';
import type { Uuid } from '#kernel/uuid';
import type { Outputs } from '#protocol';
import type { EdgeRow, ObjectRow, Row } from '../reference/projection.ts';
import type { History } from './history.ts';
import { createPlace, type Place } from './workspace.ts';

/** Writes a history as a workspace that somebody else made: its ledger, its snapshots (but `lost` ones) and contexts, and no document. */
export function placeOf(history: History, manifests: readonly object[] = [], lost: ReadonlySet<string> = new Set()): Place {
  const place = createPlace();
  place.write('.vmark/ledger/other.jsonl', `${history.lines.join('\n')}\n`);
  for (const [hash, text] of history.texts) {
    if (contentHash(digest, text) !== hash) throw new Error('A text without its hash.');
    if (!lost.has(hash)) place.write(`.vmark/snapshots/sha256/${hash.slice(7, 9)}/${hash.slice(9)}`, text);
  }
  for (const [at, manifest] of manifests.entries()) place.write(`.vmark/contexts/${at}.json`, JSON.stringify(manifest));
  return place;
}

/** A workspace over such a place at an instant, with its ledger read. */
export async function readPlace(place: Place, now: string): Promise<Workspace> {
  const workspace = await place.assemble({ chance: { now: () => Date.parse(now), newId: () => crypto.randomUUID() as Uuid } });
  await workspace.replica.refresh();
  return workspace;
}

type Breakdown = Outputs['breakdown'];

/** What both ways to see a ledger say of a row, in one shape. */
type Said = Record<string, unknown>;

/** Every row of the breakdown as plain data, in one order. */
export function productRows(workspace: Workspace, looking: { context?: string; absent?: ReadonlySet<Uuid> } = {}): Said[] {
  const { context, absent = new Set<Uuid>() } = looking;
  const seen = breakdown(workspace, { all: true, scanned: { ...emptyReport, absent }, context });
  const rows = [
    ...seen.artifacts.flatMap(({ object, rows: own }) => own.map((row) => ({ row, artifact: object, sourceGone: false }))),
    ...seen.silenced.map((row) => ({ row, artifact: row.artifact.object, sourceGone: false })),
    ...seen.sourceGone.map((row) => ({ row, artifact: row.artifact.object, sourceGone: true })),
  ];
  return rows.map(({ row, artifact, sourceGone }) => productRow(row, artifact, sourceGone)).sort(byJson);
}

function productRow(
  row: Breakdown['artifacts'][number]['rows'][number] | Breakdown['silenced'][number],
  artifact: string,
  sourceGone: boolean,
): Said {
  if (row.edge === null) return { artifact, state: row.state };
  return {
    artifact,
    ...row.edge,
    source: row.source.object,
    pinned: row.pinned.revision,
    current: row.current?.revision ?? null,
    state: row.state,
    silenced: sourceGone ? 'not asked' : row.silenced,
    section: row.section?.status ?? null,
    carried: row.section?.carried ?? false,
    notCarried: row.notCarried !== undefined,
    check: row.check?.verdict ?? null,
    waiver: row.waiver,
    resolutions: row.resolutions,
    judgment: row.judgment,
    sourceGone,
  };
}

/** Rows of the plain replay in the same shape: a lost anchor is a state of its own, and a source that is gone is not asked about. */
export function plainRows(rows: readonly Row[]): Said[] {
  return rows.map((row) => ('txf' in row ? plainRow(row) : { artifact: (row as ObjectRow).artifact, state: row.state })).sort(byJson);
}

function plainRow(row: EdgeRow): Said {
  const isLost = row.section === 'lost' && (row.state === 'version-stale' || row.state === 'diverged');
  return {
    artifact: row.artifact,
    txf: row.txf,
    input: row.input,
    source: row.source,
    pinned: row.pinned,
    current: row.current,
    state: isLost ? 'anchor-lost' : row.state,
    silenced: row.sourceGone ? 'not asked' : row.silenced,
    section: row.section,
    carried: row.section !== null && row.carried,
    notCarried: row.notCarried,
    check: row.check,
    waiver: row.waiver,
    resolutions: row.resolutions,
    judgment: row.judgment,
    sourceGone: row.sourceGone,
  };
}

const byJson = (a: unknown, b: unknown) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);
