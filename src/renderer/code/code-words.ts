import type { AnchorRow, CheckedAnchor } from '#protocol/anchor-calls';
import type { Words } from '#protocol/words';
import type { RowMark } from '#renderer/breakdown/row-words.ts';

type Named = Pick<CheckedAnchor, 'kind' | 'qualified_name' | 'fallback'>;

/** What is described: `function readRows`, or `lines 2-9`. */
export function whatOf({ kind, qualified_name, fallback }: Named, words: Words): string {
  return fallback ? words('lines', { lines: qualified_name }) : `${kind} ${qualified_name}`;
}

/** The document of an anchor and its section: `docs/a.md § Rows`. */
export function documentOf({ document }: Pick<CheckedAnchor, 'document'>): string {
  const path = document.path ?? document.object;
  return document.section.length === 0 ? path : `${path} § ${document.section.join(' › ')}`;
}

/** Why it is as it is, as a part of a sentence; what changed besides is said by the flags (code-anchors §2). */
export function whyOf(
  { detail, qualified_name, repository }: Pick<CheckedAnchor, 'detail' | 'qualified_name' | 'repository'>,
  words: Words,
): string {
  const { reason, body_changed: isBody = false, signature_changed: isSignature = false, repository_problem: problem } = detail;
  if (problem !== undefined) return words(`why.repository-${problem}`, { repository });
  if (reason === 'body_changed' && isSignature) return words('why.both_changed');
  const why = words(`why.${reason}`, { file: detail.moved_to ?? detail.file, name: detail.renamed_to ?? qualified_name });
  if (!['moved', 'renamed', 'moved_and_renamed'].includes(reason) || !(isBody || isSignature)) return why;
  return words(`why.${isBody && isSignature ? 'both' : isBody ? 'body' : 'signature'}-too`, { why });
}

const looks: Readonly<Record<CheckedAnchor['state'], Pick<RowMark, 'shape' | 'tone'>>> = {
  fresh: { shape: 'check', tone: 'fine' },
  stale: { shape: 'dot', tone: 'changed' },
  'moved-renamed': { shape: 'diamond', tone: 'diverged' },
  lost: { shape: 'cross', tone: 'lost' },
};

/** How a state looks, and the key of its word under `marks`: what moved and what was renamed is said apart. */
export function markOf({ state, detail }: Pick<CheckedAnchor, 'state' | 'detail'>): RowMark {
  const isPlace = state === 'moved-renamed' && ['moved', 'renamed', 'moved_and_renamed'].includes(detail.reason);
  return { word: isPlace ? detail.reason : state, ...looks[state] };
}

/** The accessible name of a row: `docs/a.md: function readRows — Stale — the declaration is still there, but its body changed`. */
export function rowName({ anchor, isUnchecked }: AnchorRow, words: Words): string {
  const word = words(`marks.${markOf(anchor).word}`);
  const state = isUnchecked ? `${words('marks.unchecked')} (${word})` : word;
  return words('row', { document: documentOf(anchor), what: whatOf(anchor, words), state: capital(state), why: whyOf(anchor, words) });
}

/** A word as it begins a sentence. */
const capital = (text: string) => text.charAt(0).toLocaleUpperCase() + text.slice(1);

/** Where it is: `src/rows.ts:12`; without a line where it is not there. */
export function placeOf({ detail }: Pick<CheckedAnchor, 'detail'>): string {
  return detail.line_start === undefined ? detail.file : `${detail.file}:${detail.line_start}`;
}
