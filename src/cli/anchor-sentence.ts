import type { Outputs, Words } from '#protocol';

/** An anchor as a check saw it. */
export type CheckedAnchor = Outputs['anchors-check']['anchors'][number];
type About = Pick<CheckedAnchor, 'document' | 'kind' | 'qualified_name' | 'file_hint' | 'fallback'>;
type Candidate = NonNullable<CheckedAnchor['detail']['candidates']>[number];

/** The code of an anchor: a declaration with its kind, or lines of a file. */
export function codeName({ kind, qualified_name, fallback }: Pick<About, 'kind' | 'qualified_name' | 'fallback'>): string {
  return fallback ? qualified_name : `${kind} ${qualified_name}`;
}

/** The document of an anchor, with its section. */
export function documentName({ document }: Pick<About, 'document'>): string {
  const path = document.path ?? document.object;
  return document.section.length === 0 ? path : `${path} § ${document.section.join(' › ')}`;
}

/** Why an anchor is in its state; what changed besides is said by the flags, not guessed from the reason. */
function reasonSentences({ detail, qualified_name, repository }: CheckedAnchor, words: Words): string {
  if (detail.repository_problem !== undefined) return words(`codeReasons.repository-${detail.repository_problem}`, { repository });
  const { reason, body_changed, signature_changed, candidates = [], suggestions = [] } = detail;
  const place = { file: detail.moved_to ?? detail.file, name: detail.renamed_to ?? qualified_name };
  const isElsewhere = ['moved', 'renamed', 'moved_and_renamed'].includes(reason);
  const isBoth = reason === 'body_changed' && signature_changed === true;
  return [
    words(`codeReasons.${reason}`, { ...place, candidates: candidates.map(candidateName).join(', ') }),
    ...(isElsewhere && body_changed === true ? [words('codeReasons.body-too')] : []),
    ...((isElsewhere && signature_changed === true) || isBoth ? [words('codeReasons.signature-too')] : []),
    ...(suggestions.length === 0 ? [] : [words('codeReasons.like', { candidates: suggestions.map(candidateName).join(', ') })]),
  ].join(' ');
}

const candidateName = ({ file, kind, qualified_name, line_start }: Candidate) => `${kind} ${qualified_name} (${file}:${line_start})`;

/** What a check says of an anchor, as a sentence. */
export function anchorSentence(anchor: CheckedAnchor, isUnchecked: boolean, words: Words): string {
  const detail = { document: documentName(anchor), what: codeName(anchor), state: words(`states.${anchor.state}`) };
  return words(`cli.anchors.${isUnchecked ? 'unchecked' : 'finding'}`, { ...detail, reason: reasonSentences(anchor, words) });
}
