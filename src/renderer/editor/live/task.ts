import type { EditorView } from '@codemirror/view';
import { WidgetType } from '@codemirror/view';
import { place } from './neighbours.ts';

/** The box of a task; a click changes the one sign between its brackets. */
export class TaskBox extends WidgetType {
  readonly isDone: boolean;
  readonly name: string;
  constructor(isDone: boolean, name: string) {
    super();
    this.isDone = isDone;
    this.name = name;
  }
  override eq(other: TaskBox): boolean {
    return other.isDone === this.isDone && other.name === this.name;
  }
  override toDOM(view: EditorView): HTMLElement {
    const frame = document.createElement('span');
    frame.className = 'cm-item-mark cm-item-task';
    const box = frame.appendChild(document.createElement('input'));
    box.type = 'checkbox';
    box.checked = this.isDone;
    box.tabIndex = -1;
    box.setAttribute('aria-label', this.name === '' ? view.state.facet(place).say('live.task') : this.name);
    // A press would take the cursor here, and the marks of the line would come up under the pointer.
    box.addEventListener('mousedown', (event) => event.preventDefault());
    box.addEventListener('click', (event) => {
      event.preventDefault();
      toggleTask(view, view.posAtDOM(frame));
    });
    return frame;
  }
  override updateDOM(dom: HTMLElement): boolean {
    const box = dom.querySelector('input');
    if (box === null) return false;
    box.checked = this.isDone;
    if (this.name !== '') box.setAttribute('aria-label', this.name);
    return true;
  }
}

const marker = /^[\s>]*(?:[-+*]|\d{1,9}[.)])\s+\[([ xX])\]/u;

/** Ticks or unticks the task of the line at a place; answers false where there is none. */
export function toggleTask(view: EditorView, at: number): boolean {
  const line = view.state.doc.lineAt(at);
  const match = marker.exec(line.text);
  if (match === null || view.state.readOnly) return false;
  const sign = line.from + match[0].length - 2;
  const insert = match[1] === ' ' ? 'x' : ' ';
  view.dispatch({ changes: { from: sign, to: sign + 1, insert }, userEvent: 'input.task' });
  return true;
}
