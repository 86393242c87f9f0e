import type { EditorState } from '@codemirror/state';
import type { SyntaxNode } from '@lezer/common';
import { targetOf, wikiTarget } from '../link-target.ts';
import { place } from './neighbours.ts';
import { referencesOf } from './references.ts';

/** The address that a link or a picture leads to, by itself or by the name of a reference; null where it leads nowhere. */
export function addressOfLink(state: EditorState, node: SyntaxNode): string | null {
  const url = node.getChild('URL');
  if (url !== null) return state.sliceDoc(url.from, url.to).replace(/^<(.*)>$/u, '$1');
  // `[words]()` is a link that has no address yet.
  if (node.getChildren('LinkMark').some(({ from, to }) => state.sliceDoc(from, to) === '(')) return '';
  const label = /\[([^\]]*)\](?:\[\])?$/u.exec(state.sliceDoc(node.from, node.to))?.[1];
  return label === undefined ? null : (referencesOf(state).get(label.toLowerCase()) ?? null);
}

/** Whether an address leads to a document or file that is not there. What is not known, and what is outside, is not broken. */
export function isBroken(state: EditorState, address: string): boolean {
  const { path, neighbours } = state.facet(place);
  const files = neighbours?.files() ?? null;
  if (files === null) return false;
  if (address === '') return true;
  const wiki = wikiTarget(address, path, files);
  if (wiki !== null) return !wiki.isThere;
  const target = targetOf(address, path);
  if (target.kind !== 'document') return target.kind === 'refused';
  if (target.path === path) return false;
  return !isThere(target.path, files);
}

const sets = new WeakMap<readonly string[], Set<string>>();

function isThere(path: string, files: readonly string[]): boolean {
  let known = sets.get(files);
  if (known === undefined) {
    known = new Set(files.flatMap((file) => folders(file.normalize('NFC'))));
    sets.set(files, known);
  }
  const wanted = path.normalize('NFC');
  return known.has(wanted) || known.has(`${wanted}.md`);
}

/** A file and the folders that it is in. */
function folders(file: string): string[] {
  const parts = file.split('/');
  return parts.map((_, depth) => parts.slice(0, depth + 1).join('/'));
}
