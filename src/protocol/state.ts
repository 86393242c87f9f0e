/** What a row of the breakdown can say; `fresh` only when all rows are asked for. The last two are rows about a document, without an edge. */
export const rowStates = [
  'fresh',
  'version-stale',
  'diverged',
  'diverged-multi-head',
  'waived',
  'unpinnable',
  'anchor-lost',
  'parallel-versions',
  'finished-changed',
] as const;

/** One of `rowStates`. */
export type RowState = (typeof rowStates)[number];

/** What a code anchor, or a document of a pair, can be besides in order. */
export const codeStates = ['stale', 'moved-renamed', 'lost', 'pair-ahead'] as const;

/** What a check of code may have spent. */
export const budgetLimits = ['files', 'bytes', 'time', 'repository_files'] as const;

/** The states that `stemma check --fail-on` may list: every one but `fresh`. */
export const checkStates = [
  'version-stale',
  'diverged',
  'diverged-multi-head',
  'waived',
  'unpinnable',
  'anchor-lost',
  'parallel-versions',
  'finished-changed',
  ...codeStates,
] as const;

/** One of `checkStates`. */
export type CheckState = (typeof checkStates)[number];

/** What fails `stemma check` when nothing is listed (interfaces §2). */
export const failOnByDefault: readonly CheckState[] = ['version-stale', 'diverged', 'diverged-multi-head', 'anchor-lost', ...codeStates];

/** Why a row that is not fresh asks nothing of the writer. */
export const silences = ['document-finished', 'section-unchanged', 'same-text'] as const;

/** One of `silences`. */
export type Silence = (typeof silences)[number];

/** Why a scan, or an answer that needs one, is not complete. */
export const incompleteReasons = [
  'git-busy',
  'git-unreadable',
  'unreadable',
  'truncated',
  'settling',
  'provenance-off',
  'not-scanned',
  'code-unchecked',
] as const;

/** One of `incompleteReasons`. */
export type IncompleteReason = (typeof incompleteReasons)[number];

/** Why an input that was declared is not in the entry. */
export const dropReasons = [
  'missing',
  'unreadable',
  'several-heads',
  'not-tracked',
  'held',
  'outside-workspace',
  'not-a-document',
  'link',
  'not-utf8',
  'too-large',
  'repeated',
  'too-many',
  'not-as-read',
] as const;

/** One of `dropReasons`. */
export type DropReason = (typeof dropReasons)[number];
