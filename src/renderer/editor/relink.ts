import { ensureSyntaxTree } from '@codemirror/language';
import { type ChangeSet, type EditorState, Text } from '@codemirror/state';
import { resolveAddress, rewriteAddress } from '#kernel/address';
import { maskIdentity } from '#kernel/identity';
import { join } from './line-breaks.ts';
import { minimalChange } from './minimal-change.ts';

/** How long a text is read for its links at most, in ms. */
const patience = 500;

/** The changes after which the links and pictures of a document at `from` lead from `to` to the same files. What leads to none of `files` stays. */
export function relinked(state: EditorState, from: string, to: string, files: readonly string[]): ChangeSet {
  const known = new Set(files);
  const changes: { from: number; to: number; insert: string }[] = [];
  ensureSyntaxTree(state, state.doc.length, patience)?.iterate({
    enter({ name, from: start, to: end }) {
      if (name !== 'URL') return;
      const address = state.sliceDoc(start, end);
      const target = resolveAddress(address, from);
      if (target === null || !known.has(target.path)) return;
      const insert = rewriteAddress(address, to, target.path);
      if (insert !== address) changes.push({ from: start, to: end, insert });
    },
  });
  return state.changes(changes);
}

/** The text that a copy of a document has elsewhere, as a file holds it: without its identity, its links leading where they lead. */
export function copyText(state: EditorState, from: string, to: string, files: readonly string[]): string {
  const masked = Text.of(maskIdentity(state.doc.toString()).split('\n'));
  const bare = state.update({ changes: minimalChange(state.doc, masked), filter: false }).state;
  return join(bare.update({ changes: relinked(bare, from, to, files), filter: false }).state);
}
