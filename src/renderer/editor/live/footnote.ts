import type { EditorState } from '@codemirror/state';
import { EditorView, hoverTooltip, type Tooltip, WidgetType } from '@codemirror/view';
import { drawText } from './drawn-text.ts';
import { place } from './neighbours.ts';

/** The text of a footnote's definition and where it starts; null where it has none. */
function footnoteText({ doc }: EditorState, label: string): { readonly text: string; readonly from: number } | null {
  const start = `[^${label}]:`;
  let at = 0;
  for (const line of doc.iterLines()) {
    const indent = /^[ >]{0,12}/u.exec(line)![0].length;
    if (line.startsWith(start, indent)) return { text: paragraphFrom(doc.sliceString(at + indent + start.length, at + 4000)), from: at };
    at += line.length + 1;
  }
  return null;
}

function paragraphFrom(text: string): string {
  const lines = text.split('\n');
  const end = lines.findIndex((line, at) => at > 0 && (line.trim() === '' || line.trimStart().startsWith('[^')));
  return (end < 0 ? lines : lines.slice(0, end)).join(' ').trim();
}

/** Where a footnote is first called in a text; null where it is not. */
function footnoteCall({ doc }: EditorState, label: string): number | null {
  const sign = `[^${label}]`;
  let at = 0;
  for (const line of doc.iterLines()) {
    for (let found = line.indexOf(sign); found >= 0; found = line.indexOf(sign, found + 1)) {
      if (line[found + sign.length] !== ':' || line.slice(0, found).trim() !== '') return at + found;
    }
    at += line.length + 1;
  }
  return null;
}

function jump(view: EditorView, at: number | null): void {
  if (at === null) return;
  view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: 'center' }), userEvent: 'select' });
  view.focus();
}

function signal(element: HTMLElement, act: () => void): void {
  element.addEventListener('mousedown', (event) => event.preventDefault());
  element.addEventListener('click', act);
}

/** The raised sign of a footnote in a text; a click leads to what it says. */
export class FootnoteSign extends WidgetType {
  readonly label: string;
  constructor(label: string) {
    super();
    this.label = label;
  }
  override eq(other: FootnoteSign): boolean {
    return other.label === this.label;
  }
  override toDOM(view: EditorView): HTMLElement {
    const { say } = view.state.facet(place);
    const sign = document.createElement('sup');
    sign.className = 'cm-footnote-sign';
    sign.dataset.footnote = this.label;
    sign.setAttribute('role', 'link');
    sign.setAttribute('aria-label', say('live.footnote', { label: this.label }));
    sign.textContent = this.label;
    signal(sign, () => jump(view, footnoteText(view.state, this.label)?.from ?? null));
    return sign;
  }
}

/** What stands before a footnote's text: its label, and the way back. */
export class FootnoteLabel extends WidgetType {
  readonly label: string;
  constructor(label: string) {
    super();
    this.label = label;
  }
  override eq(other: FootnoteLabel): boolean {
    return other.label === this.label;
  }
  override toDOM(view: EditorView): HTMLElement {
    const { say } = view.state.facet(place);
    const label = document.createElement('span');
    label.className = 'cm-footnote-label';
    label.setAttribute('role', 'link');
    label.title = say('live.footnote-back');
    label.setAttribute('aria-label', `${this.label}, ${say('live.footnote-back')}`);
    label.textContent = this.label;
    signal(label, () => jump(view, footnoteCall(view.state, this.label)));
    return label;
  }
}

/** Shows what a footnote says while the pointer rests on its sign. */
export const footnoteTip = hoverTooltip((view, at): Tooltip | null => {
  const line = view.state.doc.lineAt(at);
  for (const match of line.text.matchAll(/\[\^([^\s[\]]{1,200})\](?!:)/gu)) {
    const from = line.from + match.index;
    const to = from + match[0].length;
    if (at < from || at > to) continue;
    const found = footnoteText(view.state, match[1]!);
    return {
      pos: from,
      end: to,
      above: true,
      create: () => ({ dom: tipOf(found?.text ?? view.state.facet(place).say('live.footnote-missing')) }),
    };
  }
  return null;
});

function tipOf(text: string): HTMLElement {
  const dom = document.createElement('div');
  dom.className = 'cm-tip';
  dom.append(drawText(text));
  return dom;
}
