import type { BreakdownRow } from '#protocol/breakdown-calls';
import type { Words } from '#protocol/words';

/** How a state looks: never by colour alone. */
export interface RowMark {
  /** The key of its word under `states`. */
  readonly word: string;
  readonly shape: 'dot' | 'diamond' | 'dash' | 'cross' | 'check';
  readonly tone: 'changed' | 'diverged' | 'lost' | 'waived' | 'fine';
}

type Look = Pick<RowMark, 'shape' | 'tone'>;

const looks: Readonly<Record<BreakdownRow['state'], Look>> = {
  fresh: { shape: 'check', tone: 'fine' },
  'version-stale': { shape: 'dot', tone: 'changed' },
  'finished-changed': { shape: 'dot', tone: 'changed' },
  diverged: { shape: 'diamond', tone: 'diverged' },
  'diverged-multi-head': { shape: 'diamond', tone: 'diverged' },
  'parallel-versions': { shape: 'diamond', tone: 'diverged' },
  waived: { shape: 'dash', tone: 'waived' },
  unpinnable: { shape: 'cross', tone: 'lost' },
  'anchor-lost': { shape: 'cross', tone: 'lost' },
};

/** What a row shows for its state. An edge on a section says that the section has changed. */
export function markOf({ state, section }: Pick<BreakdownRow, 'state' | 'section'>): RowMark {
  const word = state === 'version-stale' && section?.status === 'changed' ? 'section-changed' : state;
  return { word, ...looks[state] };
}

/** The name of a row among all rows, stable over refreshes. */
export function rowKey(row: BreakdownRow, artifact: string): string {
  return row.edge === null ? `${artifact}:${row.state}` : `${row.edge.txf}:${row.edge.input}`;
}

type Reference = { readonly revision: string; readonly label: string | null };

/** A revision by its label; one that the record does not hold has none, and nobody knows it by its id. */
export function labelOf({ label }: Pick<Reference, 'label'>): string {
  return label ?? '?';
}

/** `v2 → v4`, `v2 ∥ v3` where neither descends from the other, `v2` where there is nothing to compare with. */
export function versionsOf(row: BreakdownRow): string {
  if (row.state === 'parallel-versions') return row.heads.map(labelOf).join(' ∥ ');
  const pinned = row.pinned === null ? '?' : labelOf(row.pinned);
  if (row.current === null || row.state === 'fresh') return pinned;
  return `${pinned} ${row.state === 'diverged' ? '∥' : '→'} ${labelOf(row.current)}`;
}

/** A heading path as it is read: `§ People › Ines`. */
export function sectionName(path: readonly string[]): string {
  return `§ ${path.join(' › ')}`;
}

/** The accessible name of a row: artifact, source and the shown word (breakdown.md §7). */
export function rowName(artifact: string, row: BreakdownRow, words: Words): string {
  const state = words(`states.${markOf(row).word}`);
  if (row.source === null) return words('row.document', { artifact, state });
  const section = row.section === null ? '' : ` ${sectionName(row.section.path)}`;
  return words('row.edge', { artifact, source: `${row.source.path ?? row.source.object}${section}`, state });
}

/** The path whose versions are to be joined before this row can be decided; null where there is nothing to join, or no file. */
export function joinable({ row, artifact }: { row: BreakdownRow; artifact: { readonly path: string | null } }): string | null {
  if (row.state === 'parallel-versions') return artifact.path;
  return row.state === 'diverged-multi-head' ? (row.source?.path ?? null) : null;
}

/** What a person may do, and the key of the reason why not. */
export interface RowActions {
  readonly accept: string | null;
  readonly revise: string | null;
  readonly waive: string | null;
}

/** For each action null where it may be taken, else the key of the reason under `disabled`. */
export function refusals(row: BreakdownRow): RowActions {
  const undecidable = row.edge === null ? 'no-source' : row.state === 'unpinnable' ? 'unpinnable' : 'several-versions';
  const decided = (may: boolean) => (may && row.current !== null ? null : undecidable);
  return {
    accept: decided(row.actions.accept),
    revise: row.actions.revise ? null : 'no-path',
    waive: decided(row.actions.waive),
  };
}

/** How sure a model was, in whole percents. */
export const percentOf = (confidence: number): number => Math.round(confidence * 100);
