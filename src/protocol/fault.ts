import { aiFaultDetails } from '#protocol/ai-faults';
import { wordsFor } from '#protocol/words';

/** Every code with the details that its sentence needs; others may be added to a fault, and travel with it. */
export const faultDetails = {
  usage: ['problem'],
  'folder-missing': ['path'],
  'not-a-folder': ['path'],
  'is-a-folder': ['path'],
  'no-workspace-record': [],
  'file-missing': ['path'],
  'file-unreadable': ['path'],
  'file-too-large': ['path', 'bytes', 'limit'],
  'file-busy': ['path'],
  'outside-workspace': ['path'],
  'not-a-document': ['path'],
  'not-text': ['path'],
  'encoding-unfit': ['path', 'encoding', 'character'],
  'is-a-link': ['path'],
  'path-invalid': ['path'],
  'name-too-long': ['path'],
  'link-loop': ['path'],
  'not-tracked': ['path'],
  'revision-unknown': ['path', 'revision'],
  'revision-ambiguous': ['path', 'revision', 'candidates'],
  'several-heads': ['path', 'candidates'],
  'content-unavailable': ['path', 'revision'],
  'content-damaged': ['path', 'revision'],
  'held-duplicate': ['path', 'other'],
  'conflicted-copy': ['path', 'other'],
  'not-a-copy': ['path'],
  'nothing-to-join': ['path'],
  'context-unknown': ['context', 'candidates'],
  'context-unreadable': ['path'],
  'ledger-from-the-future': [],
  'ledger-unreadable': ['path'],
  'ledger-unwritable': ['path'],
  'ledger-busy': [],
  'settings-unreadable': ['path'],
  'disk-full': ['path'],
  'read-only': ['path'],
  permission: ['path'],
  'too-many-open-files': ['path'],
  io: ['path', 'system'],
  'conflict-on-disk': ['path'],
  'too-many-inputs': ['count', 'limit'],
  'entry-too-large': ['bytes', 'limit'],
  'agent-human-refused': [],
  'agent-invalid': ['agent'],
  'git-busy': [],
  'scan-incomplete': ['reason'],
  'node-too-old': ['found', 'needed'],
  'no-such-declaration': ['path', 'name', 'candidates'],
  'declaration-ambiguous': ['path', 'name', 'candidates'],
  'declaration-damaged': ['path', 'name'],
  'language-unknown': ['path'],
  'range-invalid': ['path', 'lines'],
  'section-unknown': ['path', 'section', 'candidates'],
  'code-moved': ['path'],
  'anchor-unknown': ['id'],
  'anchor-exists': ['id', 'name'],
  'anchor-moved': ['id'],
  'anchor-unseen': ['id'],
  'anchor-lost': ['id'],
  'anchor-unchecked': ['id', 'reason'],
  'pair-unknown': ['id'],
  'pair-exists': ['path', 'other'],
  'pair-itself': ['path'],
  'pair-moved': [],
  'repository-unknown': ['name', 'candidates'],
  'repository-name': ['name'],
  'repository-url': ['name', 'url'],
  'repository-local': ['name'],
  'repository-unfetched': ['name'],
  'repository-unconfirmed': ['name', 'path'],
  'repository-unconfirmed-origin': ['name', 'origin'],
  'repository-unconfirmed-token': ['name', 'origin', 'variable'],
  'repository-private': ['name', 'origin'],
  'repository-refused': ['name', 'origin', 'variable'],
  'repository-absent': ['name', 'url'],
  'repository-too-large': ['name', 'limit'],
  'repository-redirected': ['name', 'origin'],
  'repository-certificate': ['name', 'origin'],
  'repository-unreachable': ['name', 'origin'],
  'repository-busy': ['name'],
  'fetch-stopped': ['name'],
  'fetch-failed': ['name', 'origin'],
  'git-missing': ['name'],
  'token-name': ['name', 'variable'],
  'token-missing': ['name', 'variable'],
  'token-unusable': ['name', 'variable'],
  'token-unkept': ['name', 'variable'],
  'repositories-unreadable': ['path'],
  'ref-unknown': ['name', 'ref'],
  'needs-yes': ['count'],
  'state-unknown': ['state', 'candidates'],
  'picture-unavailable': ['problem'],
  'already-exists': ['path'],
  'moved-into-itself': ['path'],
  'no-file-manager': [],
  'row-gone': [],
  'port-taken': ['port'],
  'page-missing': ['path'],
  'core-restarted': [],
  'call-invalid': ['call', 'problem'],
  'arguments-invalid': ['call', 'problem'],
  'path-absolute': ['path'],
  'edit-empty': ['number'],
  'edit-missing': ['number'],
  'edit-ambiguous': ['number'],
  'identity-unwritable': ['path'],
  'grant-missing': [],
  'agent-unknown': [],
  'agent-missing': ['name'],
  'agent-taken': ['name'],
  'agent-name-invalid': ['name'],
  'too-many-calls': ['limit'],
  'calls-too-fast': ['limit'],
  'line-too-long': ['limit'],
  'answer-too-large': ['bytes', 'limit'],
  ...aiFaultDetails,
  bug: ['problem'],
} as const satisfies Record<string, readonly string[]>;

/** A stable name for what went wrong. Codes are added, never renamed. */
export type FaultCode = keyof typeof faultDetails;

/** Plain data about a fault: workspace-relative paths, counts, ids. Several `candidates` stand in one string, joined by `, `. */
export type FaultDetail = Readonly<Record<string, string | number>>;

/** The details that a code asks for, and room for more. */
export type DetailOf<Code extends FaultCode> = FaultDetail & Readonly<Record<(typeof faultDetails)[Code][number], string | number>>;

/** The world did not cooperate. `message` is the English sentence of the code; faces word `code` and `detail` themselves. */
export class Fault<Code extends FaultCode = FaultCode> extends Error {
  readonly code: Code;
  readonly detail: FaultDetail;

  constructor(code: Code, detail: DetailOf<Code>, options?: ErrorOptions) {
    super(faultSentence(code, detail), options);
    this.name = 'Fault';
    this.code = code;
    this.detail = detail;
  }
}

const codesBySystem: Readonly<Record<string, FaultCode>> = {
  EACCES: 'permission',
  EPERM: 'permission',
  ENOSPC: 'disk-full',
  EDQUOT: 'disk-full',
  EROFS: 'read-only',
  EISDIR: 'is-a-folder',
  ENOTDIR: 'not-a-folder',
  ELOOP: 'link-loop',
  ENAMETOOLONG: 'name-too-long',
  EBUSY: 'file-busy',
  EMFILE: 'too-many-open-files',
  ENFILE: 'too-many-open-files',
};

/**
 * What the operating system refused, as a fault that names `path`. `what` is what was looked for there. A fault comes back as it is, an
 * error without a system code is our own mistake (`bug`).
 */
export function faultFromSystem(error: unknown, path: string, what: 'file' | 'folder' = 'file'): Fault {
  if (error instanceof Fault) return error;
  const system = systemCode(error);
  if (system === undefined) return new Fault('bug', { problem: problemOf(error) }, { cause: error });
  const missing = what === 'folder' ? 'folder-missing' : 'file-missing';
  const code = system === 'ENOENT' ? missing : (codesBySystem[system] ?? 'io');
  return faultFrom(code, { path, system }, error);
}

/** A fault of a code that is only known at run time (it crossed a border, or came from a table); its details are taken as they are. */
export function faultFrom(code: string, detail: FaultDetail, cause?: unknown): Fault {
  const options = cause === undefined ? undefined : { cause };
  if (!isFaultCode(code)) return new Fault('bug', { ...detail, problem: code }, options);
  return new Fault(code, detail as DetailOf<FaultCode>, options);
}

/** Whether this program has a sentence for `code`. */
export function isFaultCode(code: string): code is FaultCode {
  return Object.hasOwn(faultDetails, code);
}

/** The first line of what an error says: never its stack. */
export function problemOf(error: unknown): string {
  const said = error instanceof Error ? error.message || error.name : String(error);
  return said.split('\n', 1)[0] ?? '';
}

function faultSentence(code: FaultCode, detail: FaultDetail): string {
  return wordsFor('en')(`faults.${code}`, detail);
}

function systemCode(error: unknown): string | undefined {
  const code = error !== null && typeof error === 'object' && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^E[A-Z0-9]+$/.test(code) ? code : undefined;
}
