import type { Extension } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';

const own = Decoration.line({ attributes: { dir: 'auto' } });

function linesOf({ state: { doc }, visibleRanges }: EditorView): DecorationSet {
  const found = [];
  for (const { from, to } of visibleRanges) {
    for (let at = from; at <= to; ) {
      const line = doc.lineAt(at);
      found.push(own.range(line.from));
      at = line.to + 1;
    }
  }
  return Decoration.set(found, true);
}

const directions = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;
    constructor(view: EditorView) {
      this.decorations = linesOf(view);
    }
    update(update: ViewUpdate) {
      if (update.docChanged || update.viewportChanged) this.decorations = linesOf(update.view);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);

/** Gives each line the direction of its own text. */
export const lineDirection: Extension = [directions, EditorView.perLineTextDirection.of(true)];
