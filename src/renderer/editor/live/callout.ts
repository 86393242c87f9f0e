import type { EditorState } from '@codemirror/state';
import { type EditorView, WidgetType } from '@codemirror/view';
import type { SyntaxNode } from '@lezer/common';
import { CalloutFold } from './callout-fold.ts';
import { place } from './neighbours.ts';
import { append, mark, replace, type Scene } from './scene.ts';

/** A quote that says what kind of note it is. */
export interface Callout {
  /** Lower case, as it is written. */
  readonly kind: string;
  /** The range of its `[!kind]` and the space behind it. */
  readonly from: number;
  readonly to: number;
  /** The end of the sign itself. */
  readonly signTo: number;
  /** The end of the line of its title. */
  readonly titleTo: number;
  /** `-` and `+` behind the kind: it folds, and is folded or open at first. */
  readonly fold: '-' | '+' | '';
}

/** The look of each kind; others look as a note. */
const looks: Readonly<Record<string, string>> = {
  note: 'note',
  info: 'note',
  todo: 'note',
  abstract: 'note',
  summary: 'note',
  tip: 'tip',
  hint: 'tip',
  success: 'tip',
  check: 'tip',
  done: 'tip',
  important: 'important',
  question: 'important',
  help: 'important',
  faq: 'important',
  example: 'important',
  warning: 'warning',
  attention: 'warning',
  caution: 'danger',
  danger: 'danger',
  error: 'danger',
  failure: 'danger',
  bug: 'danger',
  quote: 'quote',
  cite: 'quote',
};

/** The callout that a quote is; null: it is only a quote. */
export function calloutOf(state: EditorState, quote: SyntaxNode): Callout | null {
  const paragraph = quote.getChild('Paragraph');
  const sign = paragraph?.getChild('CalloutKind');
  if (paragraph == null || sign == null || sign.from !== paragraph.from || !isFirst(quote, paragraph)) return null;
  const line = state.doc.lineAt(sign.from);
  const space = state.sliceDoc(sign.to, Math.min(line.to, sign.to + 1)) === ' ' ? 1 : 0;
  const [, kind = '', fold = ''] = /^\[!(.*)\]([+-]?)$/u.exec(state.sliceDoc(sign.from, sign.to)) ?? [];
  const places = { from: sign.from, to: sign.to + space, signTo: sign.to, titleTo: line.to };
  return { kind: kind.toLowerCase(), fold: fold as Callout['fold'], ...places };
}

const isFirst = (quote: SyntaxNode, paragraph: SyntaxNode) => {
  let first = quote.firstChild;
  while (first?.name === 'QuoteMark') first = first.nextSibling;
  return first?.from === paragraph.from;
};

/** What a callout of a kind is called where it has no title of its own. */
export function nameOfKind(view: EditorView, kind: string): string {
  const { say } = view.state.facet(place);
  const key = `reading.callouts.${kind}`;
  const said = say(key);
  return said === key ? kind.charAt(0).toUpperCase() + kind.slice(1) : said;
}

/** The class of a callout's look. */
export const lookOfKind = (kind: string): string => `cm-callout-${looks[kind] ?? 'note'}`;

/** What stands before a callout's title that has none of its own. */
class CalloutName extends WidgetType {
  readonly kind: string;
  readonly isAlone: boolean;
  constructor(kind: string, isAlone: boolean) {
    super();
    this.kind = kind;
    this.isAlone = isAlone;
  }
  override eq(other: CalloutName): boolean {
    return other.kind === this.kind && other.isAlone === this.isAlone;
  }
  override toDOM(view: EditorView): HTMLElement {
    const name = document.createElement('span');
    name.className = 'cm-callout-name';
    name.textContent = nameOfKind(view, this.kind);
    if (!this.isAlone) name.classList.add('unseen');
    return name;
  }
  override ignoreEvent(): boolean {
    return false;
  }
}

/** Draws the lines of a callout: its surface, its title. */
export function drawCallout(scene: Scene, node: SyntaxNode, callout: Callout): void {
  const { doc } = scene.state;
  const [first, last] = [doc.lineAt(node.from), doc.lineAt(node.to)];
  for (const shape of scene.shapes.over(node.from, node.to, scene.seen)) {
    shape.classes.add(lookOfKind(callout.kind));
    if (shape.line.from === first.from) shape.classes.add('cm-callout-first');
    if (shape.line.from === last.from) shape.classes.add('cm-callout-last');
  }
  mark(scene, 'cm-callout-title', callout.from, callout.titleTo);
  if (callout.fold !== '' && node.parent?.parent === null) append(scene, new CalloutFold(), callout.titleTo);
  if (scene.isRevealed(callout.from, callout.signTo)) return;
  const isAlone = scene.state.sliceDoc(callout.to, callout.titleTo).trim() === '';
  replace(scene, new CalloutName(callout.kind, isAlone), callout.from, callout.to);
}
