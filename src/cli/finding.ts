import { anchorSentence, type CheckedAnchor } from '#cli/anchor-sentence';
import { shownWord } from '#cli/breakdown-row';
import { behindSide } from '#kernel/body-pair';
import type { Outputs, Words } from '#protocol';

type Check = Outputs['check'];
type Artifact = Check['breakdown']['artifacts'][number];

/** A row in a listed state, with the document that it is about. */
export interface RowFinding {
  readonly artifact: Artifact;
  readonly row: Artifact['rows'][number];
}

/** A code anchor in a listed state. */
export interface AnchorFinding {
  readonly anchor: CheckedAnchor;
  readonly isUnchecked: boolean;
}

/** A pair of documents of which one is ahead. */
export interface PairFinding {
  readonly pair: Check['breakdown']['pairs'][number];
}

/** What a check failed on. */
export type Finding = RowFinding | AnchorFinding | PairFinding;

/** The rows and code anchors that a check failed on, in the order of the breakdown. */
export function findingsOf({ breakdown, fail_on, anchors }: Check): Finding[] {
  const listed = new Set<string>(fail_on);
  const rows = breakdown.artifacts.flatMap((artifact) =>
    artifact.rows.filter(({ state }) => listed.has(state)).map((row) => ({ artifact, row })),
  );
  const unchecked = new Set(anchors.unchecked_anchor_ids);
  const code = breakdown.codeAnchors.filter(({ state }) => listed.has(state));
  const pairs = breakdown.pairs.filter(({ state }) => listed.has(state)).map((pair) => ({ pair }));
  return [...rows, ...code.map((anchor) => ({ anchor, isUnchecked: unchecked.has(anchor.id) })), ...pairs];
}

/** What a finding says, as a sentence. */
export function findingSentence(finding: Finding, words: Words): string {
  if ('anchor' in finding) return anchorSentence(finding.anchor, finding.isUnchecked, words);
  if ('pair' in finding) return pairSentence(finding, words);
  const { artifact, row } = finding;
  const detail = { artifact: artifact.path ?? artifact.object, state: words(`states.${shownWord(row)}`) };
  if (row.source === null) return words('cli.check.document', detail);
  return words('cli.check.finding', { ...detail, source: row.source.path ?? row.source.object });
}

/** The document that stayed behind comes first, for it is what has to be looked at; of two that moved, the technical one. */
export function pairSentence({ pair }: PairFinding, words: Words): string {
  const { technical, human, ahead } = pair;
  const name = ({ path, object }: typeof technical) => path ?? object;
  if (ahead.length > 1) return words('cli.check.pair-both', { technical: name(technical), human: name(human) });
  const [behind, moved] = behindSide(pair) === 'human' ? [human, technical] : [technical, human];
  return words('cli.check.pair', { behind: name(behind), moved: name(moved) });
}
