import { syntaxTree } from '@codemirror/language';
import type { EditorState, Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { wikiAddress } from './link-target.ts';

/** The address of the link around a place in a document; null where there is none. */
export function addressAt(state: EditorState, at: number): string | null {
  for (let node = syntaxTree(state).resolveInner(at, 1); ; node = node.parent) {
    if (node.name === 'URL') return state.sliceDoc(node.from, node.to);
    if (node.name === 'Wikilink') {
      const target = node.getChild('WikilinkTarget');
      return target === null ? null : wikiAddress(state.sliceDoc(target.from, target.to));
    }
    if (node.name === 'Link' || node.name === 'Image' || node.name === 'Autolink') {
      const url = node.getChild('URL');
      return url === null ? referenced(state, node.from, node.to) : state.sliceDoc(url.from, url.to);
    }
    if (node.parent === null) return null;
  }
}

function referenced(state: EditorState, from: number, to: number): string | null {
  const label = /\[([^\]]*)\](?:\[\])?$/.exec(state.sliceDoc(from, to))?.[1]?.toLowerCase();
  let found: string | null = null;
  syntaxTree(state).iterate({
    enter(node) {
      if (node.name !== 'LinkReference' || found !== null) return;
      const name = node.node.getChild('LinkLabel');
      const url = node.node.getChild('URL');
      if (name && url && state.sliceDoc(name.from + 1, name.to - 1).toLowerCase() === label) found = state.sliceDoc(url.from, url.to);
    },
  });
  return found;
}

/** Follows a link when it is clicked with Command (macOS) or Control (elsewhere) held, and never otherwise. */
export function followLinks(follow: (address: string) => void): Extension {
  const isMac = /Mac/.test(globalThis.navigator?.platform ?? '');
  return EditorView.domEventHandlers({
    mousedown(event, view) {
      if (event.button !== 0 || !(isMac ? event.metaKey : event.ctrlKey)) return false;
      const at = view.posAtCoords({ x: event.clientX, y: event.clientY });
      const address = at === null ? null : addressAt(view.state, at);
      if (address === null) return false;
      follow(address);
      return true;
    },
  });
}
