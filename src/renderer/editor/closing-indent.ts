import { syntaxTree } from '@codemirror/language';
import type { EditorState, Extension, TransactionSpec } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import type { SyntaxNode } from '@lezer/common';

const openings: Readonly<Record<string, string>> = { '}': '{', ')': '(', ']': '[' };
/** So many lines are looked through for the bracket that is closed. */
const farthest = 1000;

/** What closes something in a block of code stands as far in as what it closes: a bracket as the line of its other, a fence as the fence above. */
export const closingIndent: Extension = EditorView.inputHandler.of((view, from, to, text) => {
  const spec = view.composing || view.state.readOnly ? null : closedAt(view.state, from, to, text);
  if (spec === null) return false;
  view.dispatch(spec);
  return true;
});

/** What typing a sign at a place becomes where it closes something and stands elsewhere; null where it is typed as it is. */
export function closedAt(state: EditorState, from: number, to: number, text: string): TransactionSpec | null {
  if (from !== to || state.selection.ranges.length > 1 || !/^[})\]`~]$/u.test(text)) return null;
  const line = state.doc.lineAt(from);
  const before = /^((?:[ \t]*>[ \t]?)*)([ \t]*)(`*|~*)$/u.exec(state.sliceDoc(line.from, from));
  const block = before === null ? null : blockAt(state, from);
  if (before === null || block === null) return null;
  const [, quotes = '', indent = '', run = ''] = before;
  const isFence = openings[text] === undefined;
  if ((run !== '' && !isFence) || (isFence && line.to > from)) return null;
  const wanted = isFence ? fenceIndent(state, block, `${run}${text}`, quotes) : bracketIndent(state, block, line.number, text);
  if (wanted === null || wanted === indent) return null;
  const start = line.from + quotes.length;
  const insert = `${wanted}${run}${text}`;
  return {
    changes: { from: start, to: from, insert },
    selection: { anchor: start + insert.length },
    scrollIntoView: true,
    userEvent: 'input.type',
  };
}

function blockAt(state: EditorState, at: number): SyntaxNode | null {
  for (const side of [-1, 1] as const) {
    for (let node: SyntaxNode | null = syntaxTree(state).resolveInner(at, side); node !== null; node = node.parent) {
      if (node.name === 'FencedCode') return state.doc.lineAt(node.from).to < at ? node : null;
    }
  }
  return null;
}

/** Where the fence above stands; null where the signs do not close it yet, or no more. */
function fenceIndent(state: EditorState, block: SyntaxNode, signs: string, quotes: string): string | null {
  const mark = block.getChild('CodeMark');
  if (mark === null || state.sliceDoc(mark.from, mark.to) !== signs) return null;
  const before = state.sliceDoc(state.doc.lineAt(block.from).from, block.from);
  return /^[ \t]*$/u.test(before) ? before : ' '.repeat(Math.max(0, before.length - quotes.length));
}

/** How far in the line of the bracket stands that this one closes; null where there is none. */
function bracketIndent(state: EditorState, block: SyntaxNode, number: number, close: string): string | null {
  const first = state.doc.lineAt(block.from).number;
  let depth = 0;
  for (let at = number - 1; at > first && at > number - farthest; at--) {
    const { text } = state.doc.line(at);
    for (const sign of [...text].reverse()) {
      if (sign === close) depth++;
      else if (sign === openings[close] && depth-- === 0) return /^(?:[ \t]*>[ \t]?)*([ \t]*)/u.exec(text)![1]!;
    }
  }
  return null;
}
