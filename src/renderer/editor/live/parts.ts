import { syntaxTree } from '@codemirror/language';
import type { ChangeDesc, EditorState, Range, Text } from '@codemirror/state';
import type { Decoration, DecorationSet } from '@codemirror/view';
import type { SyntaxNode, Tree } from '@lezer/common';

/** A range of a document. */
export interface Part {
  readonly from: number;
  readonly to: number;
}

/** Whole lines around a range. */
function linesOf(doc: Text, from: number, to: number): Part {
  return { from: doc.lineAt(from).from, to: doc.lineAt(to).to };
}

/** The lines that a change touched. */
export function changedLines(changes: ChangeDesc, doc: Text): Part[] {
  const lines: Part[] = [];
  changes.iterChangedRanges((_fromA, _toA, from, to) => void lines.push(linesOf(doc, from, to)), true);
  return lines;
}

/** The block of the document before a change that is still this one, untouched; null where there is none. */
function sameBefore(node: SyntaxNode, before: SyntaxNode, back: ChangeDesc): SyntaxNode | null {
  const place = back.mapPos(node.from, 1);
  const old = before.childAfter(place);
  return old !== null && old.from === place && old.tree !== null && old.tree === node.tree ? old : null;
}

/**
 * What of some ranges of a document has to be looked at anew after a change of its text: all between two blocks that the grammar took over
 * as they were, where something between them is another. Whole lines.
 */
export function changedParts(startState: EditorState, state: EditorState, changes: ChangeDesc, seen: readonly Part[]): Part[] {
  const [before, after]: [Tree, Tree] = [syntaxTree(startState), syntaxTree(state)];
  const { doc } = state;
  const parts = changedLines(changes, doc);
  const touches = (from: number, to: number) => parts.some((part) => part.from <= to && part.to >= from);
  const back = changes.invertedDesc;
  for (const { from, to } of seen) {
    let [start, isOther] = [doc.lineAt(from).from, false];
    const gap = (end: number) => {
      if (start <= end && (isOther || touches(start, end))) parts.push({ from: start, to: end });
    };
    for (let node = after.topNode.childAfter(from - 1); node !== null && node.from <= to; node = node.nextSibling) {
      const lines = linesOf(doc, node.from, node.to);
      if (sameBefore(node, before.topNode, back) === null || touches(lines.from, lines.to)) {
        isOther = true;
        continue;
      }
      gap(lines.from - 1);
      start = lines.to + 1;
      isOther = false;
    }
    gap(doc.lineAt(to).to);
  }
  return parts;
}

/** The blocks of a document that its selection touches, as whole lines. */
export function selectedParts(state: EditorState): Part[] {
  const { topNode } = syntaxTree(state);
  return state.selection.ranges.map(({ from, to }) => {
    const [first, last] = [topNode.childAfter(from - 1), topNode.childBefore(to + 1)];
    return linesOf(state.doc, Math.min(from, first?.from ?? from), Math.max(to, last?.to ?? to));
  });
}

/** Parts of the document before a change, where they are now. */
export const movedParts = (parts: readonly Part[], changes: ChangeDesc, doc: Text): Part[] =>
  parts.map(({ from, to }) => linesOf(doc, changes.mapPos(from, -1), changes.mapPos(to, 1)));

/** Parts in their order, those that touch made one. */
function merged(parts: readonly Part[]): Part[] {
  const result: Part[] = [];
  for (const part of parts.toSorted((a, b) => a.from - b.from)) {
    const last = result.at(-1);
    if (last !== undefined && part.from <= last.to + 1) result[result.length - 1] = { from: last.from, to: Math.max(last.to, part.to) };
    else result.push(part);
  }
  return result;
}

/** Decorations with what stands in some parts, whole lines, drawn anew as far as it is seen. All others are the same objects as before. */
export function redrawn(
  before: DecorationSet,
  parts: readonly Part[],
  seen: readonly Part[],
  draw: (seen: readonly Part[]) => readonly Range<Decoration>[],
): DecorationSet {
  let next = before;
  for (const part of merged(parts)) {
    const shown = seen.map(({ from, to }) => ({ from: Math.max(from, part.from), to: Math.min(to, part.to) }));
    next = next.update({
      filterFrom: part.from,
      filterTo: part.to,
      filter: (from, to) => to < part.from || from > part.to,
      add: draw(shown.filter(({ from, to }) => from <= to)),
      sort: true,
    });
  }
  return next;
}
