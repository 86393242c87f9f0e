import { foldEffect, foldedRanges, syntaxTree, unfoldEffect } from '@codemirror/language';
import { type ChangeDesc, type EditorState, type Extension, Prec, type Range, type StateEffect } from '@codemirror/state';
import { Decoration, type DecorationSet, type EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { frontOf } from '../front.ts';
import { attentionOf, isRevealed, opened } from './attention.ts';
import { createShapes, lineDecoration } from './line.ts';
import { neighboursChanged } from './neighbours.ts';
import { changedParts, movedParts, type Part, redrawn, selectedParts } from './parts.ts';
import { referencesOf } from './references.ts';
import type { Draw, Scene } from './scene.ts';
import { drawLineStarts } from './shapes.ts';

type Drawings = Readonly<Record<string, Draw>>;

/** What is drawn of some ranges of a document, each element by its name in the grammar; no decoration of it holds a line break. */
export function decorationsOf(
  state: EditorState,
  ranges: readonly Part[],
  drawings: Drawings,
  isShown: Scene['isRevealed'],
): readonly Range<Decoration>[] {
  const front = frontOf(state.doc)?.all.to ?? -1;
  const tree = syntaxTree(state);
  const drawn: Scene['ranges'] = [];
  for (const seen of ranges) {
    const scene: Scene = { state, seen, ranges: drawn, shapes: createShapes(state), isRevealed: isShown };
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
      if (shape.line.from >= seen.from) drawn.push(lineDecoration(shape).range(shape.line.from));
    }
  }
  return drawn;
}

const frontEnd = ({ doc }: EditorState) => frontOf(doc)?.all.to ?? -1;

/** Whether an update may change what is drawn anywhere, and not only where the text or the selection became other. */
function isOtherEverywhere({ startState, state, docChanged, selectionSet, changes, transactions, viewportChanged }: ViewUpdate): boolean {
  const says = (wanted: (effect: StateEffect<unknown>) => boolean) => transactions.some(({ effects }) => effects.some(wanted));
  return (
    viewportChanged ||
    attentionOf(startState) !== attentionOf(state) ||
    startState.facet(opened) !== state.facet(opened) ||
    referencesOf(startState) !== referencesOf(state) ||
    says((effect) => effect.is(neighboursChanged) || effect.is(foldEffect) || effect.is(unfoldEffect)) ||
    (!docChanged && syntaxTree(startState) !== syntaxTree(state)) ||
    (docChanged && changes.mapPos(frontEnd(startState), -1) !== frontEnd(state)) ||
    // A cursor that goes into what is folded opens it.
    ((docChanged || selectionSet) && (says(() => true) || foldedRanges(state).size + foldedRanges(startState).size > 0))
  );
}

/** Draws what of a document is seen, each element by its name in the grammar. */
export const drawn = (drawings: Drawings): Extension =>
  Prec.low(
    ViewPlugin.fromClass(
      class {
        decorations: DecorationSet;
        constructor(view: EditorView) {
          this.decorations = Decoration.set(this.draw(view.state, view.visibleRanges), true);
        }
        update(update: ViewUpdate) {
          const { startState, state, changes, view, docChanged, selectionSet, viewportChanged } = update;
          const { held } = attentionOf(state);
          const isHeld = held !== null && !(held === 'pointer' && viewportChanged);
          if (!isHeld && isOtherEverywhere(update)) this.decorations = Decoration.set(this.draw(state, view.visibleRanges), true);
          else if (docChanged || selectionSet) {
            const mapped = this.decorations.map(changes);
            const parts = isHeld ? [] : partsOf(startState, state, changes, view.visibleRanges);
            this.decorations = redrawn(mapped, parts, view.visibleRanges, (seen) => this.draw(state, seen));
          }
        }
        private draw(state: EditorState, seen: readonly Part[]) {
          return decorationsOf(state, seen, drawings, (from, to) => isRevealed(state, from, to));
        }
      },
      { decorations: (plugin) => plugin.decorations },
    ),
  );

/** Where a change of text or selection may change what is drawn. */
export function partsOf(startState: EditorState, state: EditorState, changes: ChangeDesc, seen: readonly Part[]): readonly Part[] {
  const before = movedParts(selectedParts(startState), changes, state.doc);
  return [...(changes.empty ? [] : changedParts(startState, state, changes, seen)), ...before, ...selectedParts(state)];
}
