import { searchPanelOpen } from '@codemirror/search';
import { type EditorState, type Extension, Facet, StateEffect, StateField } from '@codemirror/state';
import { EditorView, type PluginValue, ViewPlugin } from '@codemirror/view';

import { pastHiddenEnd } from './hidden-end.ts';

/**
 * Where the writer is. `held`: no decoration may change now, because a pointer is down (what is under it must not
 * move) or a word is being composed (the input method owns that line); they are mapped only.
 */
export interface Attention {
  readonly held: 'pointer' | 'composition' | null;
  readonly isHere: boolean;
}

const attend = StateEffect.define<Partial<Attention>>();

const field = StateField.define<Attention>({
  create: () => ({ held: null, isHere: false }),
  update(value, { effects }) {
    const changes = effects.filter((effect) => effect.is(attend)).map((effect) => effect.value);
    return changes.length === 0 ? value : Object.assign({ ...value }, ...changes);
  },
});

/** Where the writer is in a state. */
export const attentionOf = (state: EditorState): Attention => state.field(field, false) ?? { held: null, isHere: false };

interface Place {
  readonly from: number;
  readonly to: number;
}

const nowhere: readonly Place[] = [];

/** Places that are to be seen as they are written, wherever the writer is. */
export const opened = Facet.define<readonly Place[], readonly Place[]>({
  combine: (all) => (all.length > 1 ? all.flat() : (all[0] ?? nowhere)),
});

/** Whether a range touches such a place. */
export const isOpened = (state: EditorState, from: number, to: number): boolean =>
  state.facet(opened).some((place) => place.from <= to && place.to >= from);

/** Whether the marks of an element are to be seen: the cursor touches it, and the writer is in the text or searches it. */
export function isRevealed(state: EditorState, from: number, to: number): boolean {
  if (isOpened(state, from, to)) return true;
  if (!attentionOf(state).isHere && !searchPanelOpen(state)) return false;
  return state.selection.ranges.some((range) => range.from <= to && range.to >= from);
}

/** How long after a composition the browser may still tell of it, in ms; CodeMirror itself waits 50. */
const composed = 60;

class Watch implements PluginValue {
  readonly view: EditorView;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly release = () => this.tell({ held: null });
  constructor(view: EditorView) {
    this.view = view;
    // A state may come back into a view after its pointer was let go, or into one that has the focus already.
    this.timer = setTimeout(() => this.tell({ held: null, isHere: view.hasFocus }));
  }
  hold(held: 'pointer' | 'composition'): void {
    clearTimeout(this.timer);
    this.tell({ held });
    if (held === 'pointer') window.addEventListener('pointerup', this.letGo, { once: true });
  }
  readonly letGo = () => {
    this.goPast();
    window.removeEventListener('pointerup', this.letGo);
    clearTimeout(this.timer);
    this.timer = setTimeout(this.release);
  };
  /** Who clicks behind a line wants to be behind its last mark too, which is not seen as long as it is held. */
  private goPast(): void {
    const { main } = this.view.state.selection;
    const end = main.empty ? pastHiddenEnd(this.view, main.head) : main.head;
    if (end !== main.head) this.view.dispatch({ selection: { anchor: end }, userEvent: 'select' });
  }
  composed(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => (this.view.compositionStarted ? undefined : this.release()), composed);
  }
  destroy(): void {
    clearTimeout(this.timer);
    window.removeEventListener('pointerup', this.letGo);
  }
  private tell(change: Partial<Attention>): void {
    const now = attentionOf(this.view.state);
    const isNews = Object.entries(change).some(([key, value]) => now[key as keyof Attention] !== value);
    if (isNews) this.view.dispatch({ effects: attend.of(change) });
  }
}

const watch = ViewPlugin.fromClass(Watch, {
  eventHandlers: {
    mousedown(event) {
      if (event.button === 0) this.hold('pointer');
    },
    compositionstart() {
      this.hold('composition');
    },
    compositionend() {
      this.composed();
    },
  },
});

/** Knows where the writer is. */
export const attention: Extension = [field, watch, EditorView.focusChangeEffect.of((_, isHere) => attend.of({ isHere }))];
