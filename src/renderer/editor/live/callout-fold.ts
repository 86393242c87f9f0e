import { RangeSet, RangeValue, StateEffect, StateField } from '@codemirror/state';
import { type EditorView, WidgetType } from '@codemirror/view';
import { redrawBlocks } from './block.ts';
import { place } from './neighbours.ts';

class Turned extends RangeValue {
  override eq(other: RangeValue): boolean {
    return other instanceof Turned;
  }
}

const turned = new Turned();
const turn = StateEffect.define<number>({ map: (at, changes) => changes.mapPos(at, 1) });

/** The callouts that are not as their sign says, folded or open, by where their lines begin; nothing of it is in the text. */
export const turnedCallouts = StateField.define<RangeSet<Turned>>({
  create: () => RangeSet.empty,
  update(value, { changes, effects }) {
    let next = value.map(changes);
    for (const effect of effects) {
      if (!effect.is(turn)) continue;
      let isThere = false;
      next.between(effect.value, effect.value, (from) => {
        isThere ||= from === effect.value;
      });
      next = next.update(isThere ? { filter: (from) => from !== effect.value } : { add: [turned.range(effect.value)], sort: true });
    }
    return next;
  },
});

/** Folds the callout whose first line holds a place, or opens it; the cursor goes out of one that folds. */
export function turnCallout(view: EditorView, at: number): void {
  const { state } = view;
  const { from, to } = state.doc.lineAt(at);
  view.dispatch({ effects: [turn.of(from), redrawBlocks.of({ from, to })] });
}

/** The sign behind the title of an open callout that folds it. */
export class CalloutFold extends WidgetType {
  override eq(): boolean {
    return true;
  }
  override toDOM(view: EditorView): HTMLElement {
    const button = foldButton(view, true);
    button.addEventListener('click', () => {
      const at = view.posAtDOM(button);
      const line = view.state.doc.lineAt(at);
      // A cursor inside would keep it open.
      const before = Math.max(0, line.from - 1);
      const { main } = view.state.selection;
      if (main.head >= line.from) view.dispatch({ selection: { anchor: before } });
      turnCallout(view, line.from);
    });
    return button;
  }
  override ignoreEvent(): boolean {
    return true;
  }
}

/** A button that folds or opens. */
export function foldButton(view: EditorView, isOpen: boolean): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.tabIndex = -1;
  button.className = 'cm-callout-fold';
  button.setAttribute('aria-expanded', String(isOpen));
  button.setAttribute('aria-label', view.state.facet(place).say('live.fold-callout'));
  button.addEventListener('mousedown', (event) => event.preventDefault());
  return button;
}
