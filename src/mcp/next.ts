import type { FaultCode } from '#protocol';

const write = 'Nothing was written.';

/** What an agent does next, by the code of a refusal. Always English, as all that agents read. */
const steps: Partial<Readonly<Record<FaultCode, string>>> = {
  'arguments-invalid': 'Correct the arguments as the message says and call again.',
  'folder-missing': 'Do not go on. Tell the person that the folder of this workspace is gone; it may have been moved.',
  'path-absolute': 'Give the path from the top of the workspace, such as chapters/03.md; `workspace list` shows those there are.',
  'path-invalid': 'Give a plain path from the top of the workspace; `workspace list` shows those there are.',
  'outside-workspace': 'Only this workspace is served. Choose a document from `workspace list`, or ask the person to open another folder.',
  'not-a-document': 'Only Markdown documents are served. Use a name that ends in .md.',
  'is-a-link': 'Choose the document that the link leads to, from `workspace list`.',
  'is-a-folder': 'Name a document in it; `workspace list` with this path shows them.',
  'not-a-folder': 'A file stands where the path needs a folder. Choose another path.',
  'name-too-long': 'Choose a shorter name.',
  'link-loop': 'Choose another document; the person has to repair the links.',
  'file-missing': 'See `workspace list` for what there is; to make a new document use the action create.',
  'already-exists': 'Read the document and use replace or edit, or choose another name.',
  'file-too-large': 'Documents over 5 MB do not cross. Work with smaller documents, or ask the person to split this one.',
  'not-text': 'This document is no UTF-8 text. Leave it alone and tell the person.',
  'conflict-on-disk': `${write} \`current\` holds the document as it is now: work from its text and call again with its hash as base.`,
  'edit-empty': `${write} Give the exact text to replace; to write a whole document use replace.`,
  'edit-missing': `${write} Read the document again and copy the text exactly, white space included.`,
  'edit-ambiguous': `${write} Make \`old\` longer until it stands in the document once.`,
  'identity-unwritable': `${write} Keep the frontmatter a closed YAML mapping without a vmark key, and call again.`,
  'grant-missing': 'Do not try again. Tell the person which row it is; they accept or waive it in the app.',
  'agent-unknown':
    'Do not try again. Tell the person that STEMMA_AGENT_TOKEN is not known here; without that variable you may go on unnamed.',
  'context-unknown': 'Leave `context` out, or take a name from `coherence contexts`.',
  'git-busy': 'Wait until git is done, then call again.',
  'ledger-busy': 'Another program is writing. Wait a moment and call again.',
  'ledger-from-the-future': 'Go on reading and writing; tell the person that Stemma has to be updated to record again.',
  'no-workspace-record': 'Go on reading and writing; nothing is recorded until the person turns provenance on.',
  'core-restarted': 'Call again; Stemma has been interrupted and is there again. A write is not made twice if you read the document first.',
  'too-many-calls': 'Wait until some of your calls are answered, then make this one again.',
  'calls-too-fast': 'Wait a second, then make this call again.',
  'line-too-long': 'Send less in one call.',
  'answer-too-large': 'Ask for less: a smaller document, or one folder by `path`.',
  'no-such-declaration': 'Nothing was anchored. Use one of the names in `candidates`, or see `code_anchors declarations` for the file.',
  'declaration-ambiguous': 'Nothing was anchored. Give `kind` and the whole name as `code_anchors declarations` has it.',
  'declaration-damaged': 'Nothing was anchored. The file does not parse there: anchor to `lines`, or mend the code first.',
  'language-unknown': 'Nothing was anchored. This file declares nothing that is known here: anchor to `lines` of it.',
  'range-invalid': 'Nothing was anchored. Name lines that the file has and that say something.',
  'section-unknown': 'Nothing was anchored. Give the headings as `document outline` shows them.',
  'code-moved': 'The code was changed while it was read. Call again.',
  'anchor-unknown': 'See `code_anchors list` for those there are.',
  'anchor-exists': 'It is there already, under the `id` in the detail. Go on.',
  'anchor-moved':
    'The code has changed since you looked. Call `code_anchors check`, read the code and the text again, then confirm with the new hash.',
  'anchor-lost': 'There is no code to confirm. Tell the person: the text is to be bound anew, removed, or said to describe removed code.',
  'anchor-unchecked': 'It could not be looked at now, so it was not confirmed. Tell the person what the message says.',
  'not-tracked': 'Nothing is recorded about this document yet; `code_anchor_write add` tracks it first.',
  permission: 'The system does not allow it. Tell the person.',
  'read-only': 'The disk is read-only. Tell the person.',
  'disk-full': 'Tell the person that the disk is full; do not try again before.',
  'file-busy': 'Another program holds the file. Wait a moment and call again.',
};

/** What to do next after a refusal; for one that an agent can do nothing about, to leave it to the person. */
export function nextAfter(code: FaultCode): string {
  return steps[code] ?? 'Do not repeat the call as it is. Tell the person what the message says.';
}
