import type { EditorState, Extension, Range } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { changedLines, type Part, redrawn } from './live/parts.ts';

const own = Decoration.line({ attributes: { dir: 'auto' } });

function linesIn({ doc }: EditorState, ranges: readonly Part[]): Range<Decoration>[] {
  const found: Range<Decoration>[] = [];
  for (const { from, to } of ranges) {
    for (let at = from; at <= to; ) {
      const line = doc.lineAt(at);
      found.push(own.range(line.from));
      at = line.to + 1;
    }
  }
  return found;
}

const directions = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;
    constructor({ state, visibleRanges }: EditorView) {
      this.decorations = Decoration.set(linesIn(state, visibleRanges), true);
    }
    update({ state, changes, docChanged, viewportChanged, view: { visibleRanges } }: ViewUpdate) {
      if (viewportChanged) this.decorations = Decoration.set(linesIn(state, visibleRanges), true);
      else if (docChanged) {
        const lines = changedLines(changes, state.doc);
        this.decorations = redrawn(this.decorations.map(changes), lines, visibleRanges, (seen) => linesIn(state, seen));
      }
    }
  },
  { decorations: (plugin) => plugin.decorations },
);

/** Gives each line the direction of its own text. */
export const lineDirection: Extension = [directions, EditorView.perLineTextDirection.of(true)];
