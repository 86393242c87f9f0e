import { foldEffect, syntaxTree, unfoldEffect } from '@codemirror/language';
import { type EditorState, type Extension, Prec } from '@codemirror/state';
import { Decoration, type DecorationSet, type EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { frontOf } from '../front.ts';
import { attentionOf, isRevealed, opened } from './attention.ts';
import { createShapes, lineDecoration } from './line.ts';
import { neighboursChanged } from './neighbours.ts';
import type { Draw, Scene } from './scene.ts';
import { drawLineStarts } from './shapes.ts';

type Drawings = Readonly<Record<string, Draw>>;

/** What is drawn of some ranges of a document, each element by its name in the grammar; no decoration of it holds a line break. */
export function decorationsOf(
  state: EditorState,
  visibleRanges: readonly { readonly from: number; readonly to: number }[],
  drawings: Drawings,
  isShown: Scene['isRevealed'],
): DecorationSet {
  const front = frontOf(state.doc)?.all.to ?? -1;
  const tree = syntaxTree(state);
  const ranges: Scene['ranges'] = [];
  for (const seen of visibleRanges) {
    const scene: Scene = { state, seen, ranges, shapes: createShapes(state), isRevealed: isShown };
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

const draw = ({ state, visibleRanges }: EditorView, drawings: Drawings) =>
  decorationsOf(state, visibleRanges, drawings, (from, to) => isRevealed(state, from, to));

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
            update.startState.facet(opened) !== update.state.facet(opened) ||
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
