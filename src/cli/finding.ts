import { anchorSentence, type CheckedAnchor } from '#cli/anchor-sentence';
import { shownWord } from '#cli/breakdown-row';
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

/** What a check failed on. */
export type Finding = RowFinding | AnchorFinding;

/** The rows and code anchors that a check failed on, in the order of the breakdown. */
export function findingsOf({ breakdown, fail_on, anchors }: Check): Finding[] {
  const listed = new Set<string>(fail_on);
  const rows = breakdown.artifacts.flatMap((artifact) =>
    artifact.rows.filter(({ state }) => listed.has(state)).map((row) => ({ artifact, row })),
  );
  const unchecked = new Set(anchors.unchecked_anchor_ids);
  const code = breakdown.codeAnchors.filter(({ state }) => listed.has(state));
  return [...rows, ...code.map((anchor) => ({ anchor, isUnchecked: unchecked.has(anchor.id) }))];
}

/** What a finding says, as a sentence. */
export function findingSentence(finding: Finding, words: Words): string {
  if ('anchor' in finding) return anchorSentence(finding.anchor, finding.isUnchecked, words);
  const { artifact, row } = finding;
  const detail = { artifact: artifact.path ?? artifact.object, state: words(`states.${shownWord(row)}`) };
  if (row.source === null) return words('cli.check.document', detail);
  return words('cli.check.finding', { ...detail, source: row.source.path ?? row.source.object });
}
