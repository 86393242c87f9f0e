import { syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';

const codes = new Set(['FencedCode', 'CodeBlock', 'InlineCode', 'CodeText', 'HTMLBlock', 'HTMLTag', 'InlineMath', 'MathBlock']);

/** Whether a place is inside of code, a formula or HTML, where signs mean themselves; at the edges of a code span it is not. */
export function isInCode(state: EditorState, at: number): boolean {
  for (const side of [-1, 1] as const) {
    for (let node = syntaxTree(state).resolveInner(at, side); ; node = node.parent) {
      if (codes.has(node.name) && node.from < at && (at < node.to || isOpen(state, node.to, at, node.name))) return true;
      if (node.parent === null) break;
    }
  }
  return false;
}

/** A fence that nothing closes goes on to the end of what it stands in. */
function isOpen(state: EditorState, to: number, at: number, name: string): boolean {
  if (name === 'CodeBlock') return at === to;
  return name === 'FencedCode' && at === to && !/^[ >]*(`{3,}|~{3,})\s*$/.test(state.doc.lineAt(to).text);
}
