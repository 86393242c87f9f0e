import { shownWord } from '#cli/breakdown-row';
import type { Outputs, Words } from '#protocol';

type Check = Outputs['check'];
type Artifact = Check['breakdown']['artifacts'][number];

/** A row in a listed state, with the document that it is about. */
export interface Finding {
  readonly artifact: Artifact;
  readonly row: Artifact['rows'][number];
}

/** The rows that a check failed on, in the order of the breakdown. */
export function findingsOf({ breakdown, fail_on }: Check): Finding[] {
  const listed = new Set<string>(fail_on);
  return breakdown.artifacts.flatMap((artifact) =>
    artifact.rows.filter(({ state }) => listed.has(state)).map((row) => ({ artifact, row })),
  );
}

/** What a finding says, as a sentence. */
export function findingSentence({ artifact, row }: Finding, words: Words): string {
  const detail = { artifact: artifact.path ?? artifact.object, state: words(`states.${shownWord(row)}`) };
  if (row.source === null) return words('cli.check.document', detail);
  return words('cli.check.finding', { ...detail, source: row.source.path ?? row.source.object });
}
