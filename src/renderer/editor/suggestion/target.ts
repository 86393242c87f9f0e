import { ensureSyntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';
import { bodyStart } from '../front.ts';

/** What a model is asked about: a part of a document, and the blocks around it. */
export interface Target {
  readonly from: number;
  readonly to: number;
  readonly content: string;
  readonly before: string;
  readonly after: string;
}

/** How much of what stands around a text is looked at on each side, in characters. */
const reach = 40_000;

/** What a scope means in a document now: the selection (where nothing is selected, the block that the cursor is in), that block, or all but the frontmatter. `blocks`: how many around it. */
export function targetOf(state: EditorState, scope: 'selection' | 'block' | 'document', blocks: number): Target {
  const start = bodyStart(state);
  const { main } = state.selection;
  const whole =
    scope === 'document'
      ? { from: start, to: state.doc.length }
      : scope === 'selection' && !main.empty
        ? { from: Math.max(start, main.from), to: Math.max(start, main.to) }
        : blockAround(state, Math.max(start, main.head), start);
  const { from, to } = trimmed(state, whole);
  const around = blocks === 0 ? { before: '', after: '' } : contextOf(state, { from, to, start }, blocks);
  return { from, to, content: state.sliceDoc(from, to), ...around };
}

interface Place {
  readonly from: number;
  readonly to: number;
}

/** Blank ends are not of it: what is asked about begins and ends with text. */
function trimmed(state: EditorState, { from, to }: Place): Place {
  const text = state.sliceDoc(from, to);
  const start = text.length - text.trimStart().length;
  if (start === text.length) return { from, to: from };
  return { from: from + start, to: from + text.trimEnd().length };
}

/** The block of Markdown that holds a place; on a blank line the one before it. */
function blockAround(state: EditorState, at: number, start: number): Place {
  const { doc } = state;
  let line = doc.lineAt(at);
  while (line.text.trim() === '' && line.from > start) line = doc.lineAt(line.from - 1);
  const top = ensureSyntaxTree(state, line.to, 50)?.topNode.childAfter(line.from);
  if (top != null && top.from <= line.from + (line.text.length - line.text.trimStart().length) && top.to >= line.from)
    return { from: Math.max(start, doc.lineAt(top.from).from), to: top.to };
  let [first, last] = [line, line];
  while (first.from > start && doc.lineAt(first.from - 1).text.trim() !== '') first = doc.lineAt(first.from - 1);
  while (last.to < doc.length && doc.lineAt(last.to + 1).text.trim() !== '') last = doc.lineAt(last.to + 1);
  return { from: Math.max(start, first.from), to: last.to };
}

function contextOf(state: EditorState, { from, to, start }: Place & { readonly start: number }, blocks: number) {
  const before = blocksIn(state.sliceDoc(Math.max(start, from - reach), from));
  const after = blocksIn(state.sliceDoc(to, Math.min(state.doc.length, to + reach)));
  return { before: before.slice(-blocks).join('\n\n'), after: after.slice(0, blocks).join('\n\n') };
}

const blocksIn = (text: string) =>
  text
    .split(/\n[ \t]*\n/u)
    .filter((block) => block.trim() !== '')
    .map((block) => block.replace(/^\n+|\n+$/gu, ''));
