import { type Extension, type Range, RangeSet, StateEffect, StateField, type Text } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, WidgetType } from '@codemirror/view';

/** A mark beside a heading whose section describes code: where, how it reads, and what a press on it opens. It carries no state. */
export interface AnchorMark {
  /** In UTF-16 units. */
  readonly place: number;
  readonly title: string;
  readonly open: (view: EditorView, at: { readonly x: number; readonly y: number }) => void;
}

/** Says anew which headings have a mark. */
export const setAnchorMarks = StateEffect.define<readonly AnchorMark[]>();

class MarkWidget extends WidgetType {
  readonly mark: AnchorMark;
  constructor(mark: AnchorMark) {
    super();
    this.mark = mark;
  }
  override eq({ mark }: MarkWidget): boolean {
    return mark.title === this.mark.title && mark.open === this.mark.open;
  }
  override toDOM(view: EditorView): HTMLElement {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'cm-anchor-mark';
    button.title = this.mark.title;
    button.setAttribute('aria-label', this.mark.title);
    button.setAttribute('aria-haspopup', 'menu');
    // The writer's place in the text stays.
    button.addEventListener('mousedown', (event) => event.preventDefault());
    button.addEventListener('click', () => {
      const { left, bottom } = button.getBoundingClientRect();
      this.mark.open(view, { x: left, y: bottom + 2 });
    });
    return button;
  }
  override ignoreEvent(): boolean {
    return true;
  }
}

const marking = Decoration.line({ class: 'cm-anchored' });

function marked(marks: readonly AnchorMark[], doc: Text): DecorationSet {
  const ranges = marks.flatMap((mark): Range<Decoration>[] => {
    if (mark.place > doc.length) return [];
    const { from } = doc.lineAt(mark.place);
    return [marking.range(from), Decoration.widget({ widget: new MarkWidget(mark), side: -3 }).range(mark.place)];
  });
  return RangeSet.of(ranges, true);
}

const field = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(value, { effects, changes, state }) {
    const said = effects.findLast((effect) => effect.is(setAnchorMarks));
    return said === undefined ? value.map(changes) : marked(said.value, state.doc);
  },
  provide: (marks) => EditorView.decorations.from(marks),
});

const look = EditorView.baseTheme({
  // Not by what is in it: with `:has` every change of a line would have the styles of all looked at.
  '.cm-anchored': { position: 'relative' },
  '.cm-anchor-mark': {
    position: 'absolute',
    // The margin at the start is for signs of headings and for folding.
    insetInlineEnd: 'calc(var(--page-margin) - 34px)',
    top: 'calc(50% - 12px)',
    width: '24px',
    height: '24px',
    padding: '0',
    border: '0',
    borderRadius: 'var(--radius-small)',
    background: 'none',
    cursor: 'pointer',
  },
  '.cm-anchor-mark::before': {
    content: '"◆" / ""',
    font: '9px / 24px var(--font-ui)',
    color: 'var(--accent)',
  },
  '.cm-anchor-mark:hover': { background: 'var(--accent-soft)' },
  '.cm-anchor-mark:focus-visible': { outline: '2px solid var(--focus)', outlineOffset: '0' },
});

/** Shows the marks of anchored headings. */
export const anchorMarks: Extension = [field, look];
