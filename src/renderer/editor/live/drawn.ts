import { foldEffect, syntaxTree, unfoldEffect } from '@codemirror/language';
import { type Extension, Prec } from '@codemirror/state';
import { Decoration, type DecorationSet, type EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { frontOf } from '../front.ts';
import { attentionOf, isRevealed } from './attention.ts';
import { createShapes, lineDecoration } from './line.ts';
import { neighboursChanged } from './neighbours.ts';
import type { Draw, Scene } from './scene.ts';
import { drawLineStarts } from './shapes.ts';

type Drawings = Readonly<Record<string, Draw>>;

/** Draws what of the document is seen. */
function draw(view: EditorView, drawings: Drawings): DecorationSet {
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

/** Draws what of a document is seen, each element by its name in the grammar. */
export const drawn = (drawings: Drawings): Extension =>
  Prec.low(
    ViewPlugin.fromClass(
      class {
        decorations: DecorationSet;
        constructor(view: EditorView) {
          this.decorations = draw(view, drawings);
        }
        update(update: ViewUpdate) {
          const { held } = attentionOf(update.state);
          const isOther =
            update.docChanged ||
            update.viewportChanged ||
            update.selectionSet ||
            attentionOf(update.startState) !== attentionOf(update.state) ||
            syntaxTree(update.startState) !== syntaxTree(update.state) ||
            update.transactions.some(({ effects }) =>
              effects.some((effect) => effect.is(neighboursChanged) || effect.is(foldEffect) || effect.is(unfoldEffect)),
            );
          if (!isOther) return;
          if (held === null || (held === 'pointer' && update.viewportChanged)) this.decorations = draw(update.view, drawings);
          else this.decorations = this.decorations.map(update.changes);
        }
      },
      { decorations: (plugin) => plugin.decorations },
    ),
  );
