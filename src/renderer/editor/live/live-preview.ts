import { syntaxTree } from '@codemirror/language';
import { type Extension, Prec } from '@codemirror/state';
import { Decoration, type DecorationSet, type EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { frontOf } from '../front.ts';
import { attentionOf, isRevealed } from './attention.ts';
import { footnoteTip } from './footnote.ts';
import { inlineDrawings } from './inline.ts';
import { createShapes, lineDecoration } from './line.ts';
import { liveLook } from './look.ts';
import { neighboursChanged } from './neighbours.ts';
import { references } from './references.ts';
import type { Scene } from './scene.ts';
import { blockDrawings, drawLineStarts } from './shapes.ts';

const drawings = { ...blockDrawings, ...inlineDrawings };

/** Draws what of the document is seen. */
function draw(view: EditorView): DecorationSet {
  const { state } = view;
  const front = frontOf(state.doc)?.all.to ?? -1;
  const tree = syntaxTree(state);
  const ranges: Scene['ranges'] = [];
  for (const seen of view.visibleRanges) {
    const scene: Scene = { state, seen, ranges, shapes: createShapes(state), isRevealed: (from, to) => isRevealed(state, from, to) };
    if (front >= seen.from) for (const shape of scene.shapes.over(0, front, seen)) shape.classes.add('cm-front');
    for (let at = seen.from; at <= seen.to; ) at = scene.shapes.at(at).line.to + 1;
    tree.iterate({
      ...seen,
      enter(node) {
        if (node.to <= front) return false;
        return drawings[node.name]?.(scene, node);
      },
    });
    drawLineStarts(scene);
    for (const shape of scene.shapes.all()) {
      if (shape.line.from >= seen.from) ranges.push(lineDecoration(shape).range(shape.line.from));
    }
  }
  return Decoration.set(ranges, true);
}

const drawn = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;
    constructor(view: EditorView) {
      this.decorations = draw(view);
    }
    update(update: ViewUpdate) {
      const { held } = attentionOf(update.state);
      const isOther =
        update.docChanged ||
        update.viewportChanged ||
        update.selectionSet ||
        attentionOf(update.startState) !== attentionOf(update.state) ||
        syntaxTree(update.startState) !== syntaxTree(update.state) ||
        update.transactions.some(({ effects }) => effects.some((effect) => effect.is(neighboursChanged)));
      if (!isOther) return;
      if (held === null || (held === 'pointer' && update.viewportChanged)) this.decorations = draw(update.view);
      else this.decorations = this.decorations.map(update.changes);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);

/**
 * Markdown as it is meant, in the text itself: an element shows its marks only while the cursor is in it. What is drawn
 * changes nothing of the document; what a widget changes is the smallest change of the source.
 */
export function livePreview(): Extension {
  return [references, Prec.low(drawn), footnoteTip, liveLook];
}
