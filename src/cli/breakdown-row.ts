import type { Cell } from '#cli/column';
import type { Style } from '#cli/ink';
import { momentOf } from '#cli/moment';
import { brief } from '#cli/text';
import type { Outputs, RowState, Words } from '#protocol';

/** A row under its artifact. */
export type Row = Outputs['breakdown']['artifacts'][number]['rows'][number];
type Reference = { readonly revision: string; readonly label: string | null };

/** A row as cells of a table, and what stands below it. */
export interface ShownRow {
  readonly cells: readonly Cell[];
  readonly below: readonly string[];
  readonly about: 'source' | 'document';
}

const styles: Readonly<Record<RowState, Style>> = {
  fresh: 'good',
  'version-stale': 'attention',
  diverged: 'wrong',
  'diverged-multi-head': 'wrong',
  waived: 'quiet',
  unpinnable: 'wrong',
  'anchor-lost': 'wrong',
  'parallel-versions': 'wrong',
  'finished-changed': 'attention',
};

/** Source, section, `v2 → v4`, the word that is shown with its state, badges. A row about the document itself is only word and versions. */
export function shownRow(row: Row, words: Words): ShownRow {
  const state: Cell = { text: stateText(row, words), style: styles[row.state] };
  if (row.edge === null) return { cells: [state, { text: moveOf(row) }], below: [], about: 'document' };
  const cells: Cell[] = [
    { text: row.source.path ?? row.source.object },
    { text: row.section === null ? '' : `§ ${row.section.path.join(' › ')}` },
    { text: moveOf(row) },
    state,
    { text: badgesOf(row, words).join(' · '), style: 'quiet' },
  ];
  return { cells, about: 'source', below: [...waiverLines(row, words), ...evidenceLines(row)] };
}

/** The key of the word that a row shows: an edge on a section says that the section has changed. */
export function shownWord({ state, section }: Pick<Row, 'state' | 'section'>): string {
  return state === 'version-stale' && section?.status === 'changed' ? 'section-changed' : state;
}

/** The shown word, and the state by which `check --fail-on` knows it. */
function stateText(row: Row, words: Words): string {
  const word = words(`states.${shownWord(row)}`);
  return word === row.state ? word : `${word} (${row.state})`;
}

/** A revision by its label, or by the first digits of its id. */
export function labelOf({ revision, label }: Reference): string {
  return label ?? revision.slice(0, 'rev1:'.length + 8);
}

function moveOf(row: Row): string {
  if (row.state === 'parallel-versions')
    return row.heads.map(({ revision, label }) => `${label} ${labelOf({ revision, label: null })}`).join(', ');
  const pinned = row.pinned === null ? '?' : labelOf(row.pinned);
  if (row.state === 'fresh') return pinned;
  return `${pinned} → ${row.current === null ? '?' : labelOf(row.current)}`;
}

function badgesOf(row: Extract<Row, { edge: object }>, words: Words): string[] {
  const { check, provenance, resolutions, section, notCarried, delegated } = row;
  return [
    ...(section?.carried === true ? [words('badges.carried')] : []),
    ...(notCarried === undefined ? [] : [words('badges.not-carried')]),
    ...(check === null ? [] : [words(`badges.${check.verdict}`)]),
    ...(provenance === 'exact' ? [] : [words(`badges.${provenance}`)]),
    ...(resolutions === 0 ? [] : [words('badges.resolved', { count: resolutions })]),
    ...(delegated === undefined ? [] : [words('badges.delegated')]),
  ];
}

function waiverLines({ waiver }: Row, words: Words): string[] {
  if (waiver === null) return [];
  const { by, at, expires } = waiver;
  const detail = { reason: brief(waiver.reason ?? '—', 200), by, at: momentOf(at), expires: expires === null ? '' : momentOf(expires) };
  return [words(`explanations.waived${expires === null ? '' : '-until'}`, detail)];
}

function evidenceLines({ check }: Row): string[] {
  return (check?.evidence ?? []).map(({ quote, path }) => `“${brief(quote, 160)}”${path === null ? '' : ` (${path})`}`);
}
