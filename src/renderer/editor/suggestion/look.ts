import { type EditorState, type Extension, type Range, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, WidgetType } from '@codemirror/view';
import type { Words } from '#protocol/words';
import { accepting, rejecting } from './act.ts';
import { comingHunks, fitted } from './hunk.ts';
import { fits, lookAt, pendingIn, type Run, reviewOf, type Suggestion } from './review.ts';

/** The text that a suggestion would put in, with what takes or leaves it. */
class Added extends WidgetType {
  readonly suggestion: Suggestion;
  readonly isCurrent: boolean;
  readonly isFitting: boolean;
  readonly say: Words;
  constructor(suggestion: Suggestion, { isCurrent, isFitting, say }: { isCurrent: boolean; isFitting: boolean; say: Words }) {
    super();
    this.suggestion = suggestion;
    this.isCurrent = isCurrent;
    this.isFitting = isFitting;
    this.say = say;
  }
  override eq(other: Added): boolean {
    const same = other.suggestion.id === this.suggestion.id && other.say === this.say;
    return same && other.isCurrent === this.isCurrent && other.isFitting === this.isFitting;
  }
  override toDOM(view: EditorView): HTMLElement {
    const { inserted, id } = this.suggestion;
    const span = element('span', `cm-added${this.isCurrent ? ' cm-current' : ''}${this.isFitting ? '' : ' cm-unfit'}`);
    span.dataset.suggestion = id;
    if (inserted !== '') span.append(Object.assign(element('ins', 'cm-added-text'), { textContent: inserted }));
    if (this.isCurrent) span.append(this.acts(view));
    else span.addEventListener('mousedown', (event) => this.turn(view, event));
    return span;
  }
  /** A widget's buttons keep the pointer to themselves. */
  override ignoreEvent(): boolean {
    return true;
  }
  private turn(view: EditorView, event: MouseEvent): void {
    event.preventDefault();
    view.dispatch({ effects: lookAt.of(this.suggestion.id) });
  }
  private acts(view: EditorView): HTMLElement {
    const acts = element('span', 'cm-suggestion-acts');
    acts.contentEditable = 'false';
    const now = () => pendingIn(reviewOf(view.state)).filter(({ id }) => id === this.suggestion.id);
    const take = () => {
      const spec = accepting(view.state, now());
      if (spec !== null) view.dispatch(spec);
    };
    if (this.isFitting) acts.append(this.button(view, 'accept', take));
    else acts.append(Object.assign(element('span', 'cm-unfit-note'), { textContent: this.say('suggestion.unfit') }));
    acts.append(this.button(view, 'reject', () => view.dispatch(rejecting(view.state, now()))));
    return acts;
  }
  private button(view: EditorView, name: 'accept' | 'reject', act: () => void): HTMLButtonElement {
    const button = element('button', 'cm-suggestion-act') as HTMLButtonElement;
    button.type = 'button';
    // The keys do the same, and the tab key belongs to the text.
    button.tabIndex = -1;
    button.textContent = this.say(`suggestion.${name}`);
    button.addEventListener('mousedown', (event) => event.preventDefault());
    button.addEventListener('click', () => {
      act();
      view.focus();
    });
    return button;
  }
}

/** What an answer has come to where nothing can be taken yet. */
class Coming extends WidgetType {
  readonly text: string;
  constructor(text: string) {
    super();
    this.text = text;
  }
  override eq(other: Coming): boolean {
    return other.text === this.text;
  }
  override toDOM(): HTMLElement {
    return Object.assign(element('ins', 'cm-added-text cm-coming'), { textContent: this.text });
  }
}

function element(name: string, className: string): HTMLElement {
  const made = document.createElement(name);
  made.className = className;
  return made;
}

const removed = Decoration.mark({ class: 'cm-removed', tagName: 'del' });
const currentRemoved = Decoration.mark({ class: 'cm-removed cm-current', tagName: 'del' });
const asked = Decoration.mark({ class: 'cm-asked' });
/** A text longer than this, in characters, is compared only once its answer is whole. */
const previewed = 20_000;

function decorationsOf(state: EditorState, say: Words): DecorationSet {
  const review = reviewOf(state);
  const ranges = [
    ...pendingIn(review).flatMap((one) => pendingRanges(state, one, one.id === review.current, say)),
    ...review.runs.filter(({ isComing }) => isComing).flatMap((run) => comingRanges(state, run)),
  ];
  return Decoration.set(ranges, true);
}

function pendingRanges(state: EditorState, suggestion: Suggestion, isCurrent: boolean, say: Words): Range<Decoration>[] {
  const { from, to } = suggestion;
  const widget = new Added(suggestion, { isCurrent, isFitting: fits(state, suggestion), say });
  const added = Decoration.widget({ widget, side: 1 }).range(to);
  return from === to ? [added] : [(isCurrent ? currentRemoved : removed).range(from, to), added];
}

/** Where the text that was asked about is unchanged the coming answer is shown as its changes; else where it would end. */
function comingRanges(state: EditorState, { start, since, original, text, action }: Run): Range<Decoration>[] {
  const from = since?.mapPos(start, 1) ?? start;
  const to = Math.max(from, since?.mapPos(start + original.length, -1) ?? start + original.length);
  const place = from === to ? [] : [asked.range(from, to)];
  const ghost = (at: number, said: string) =>
    said.trim() === '' ? [] : [Decoration.widget({ widget: new Coming(said), side: 1 }).range(at)];
  const isSame = state.doc.sliceString(from, to) === original;
  if (action === 'insert') return [...place, ...ghost(to, original === '' ? text : `\n\n${text}`)];
  if (!isSame || original.length > previewed || text.trim() === '') return place;
  const hunks = comingHunks(original, fitted(original, text));
  return [
    ...place,
    ...hunks.flatMap((hunk) => [
      ...(hunk.from === hunk.to ? [] : [removed.range(from + hunk.from, from + hunk.to)]),
      ...ghost(from + hunk.to, hunk.inserted),
    ]),
  ];
}

/** Shows suggestions in the text itself: what would go struck out, what would come behind it. */
export function suggestionLook(say: Words): Extension {
  return StateField.define<DecorationSet>({
    create: (state) => decorationsOf(state, say),
    update: (shown, { state, startState, docChanged }) =>
      docChanged || reviewOf(state) !== reviewOf(startState) ? decorationsOf(state, say) : shown,
    provide: (self) => EditorView.decorations.from(self),
  });
}

/** How suggestions look. */
export const suggestionTheme: Extension = EditorView.theme({
  '.cm-asked': { background: 'color-mix(in srgb, var(--accent) 7%, transparent)' },
  '.cm-removed': {
    textDecoration: 'line-through',
    textDecorationColor: 'var(--lost)',
    background: 'color-mix(in srgb, var(--lost) 9%, transparent)',
    color: 'var(--ink-2)',
    borderRadius: '2px',
  },
  '.cm-removed *': { color: 'inherit' },
  '.cm-added': { cursor: 'default' },
  '.cm-added-text': {
    whiteSpace: 'pre-wrap',
    textDecoration: 'underline',
    textDecorationColor: 'color-mix(in srgb, var(--accent) 55%, transparent)',
    textUnderlineOffset: '3px',
    background: 'color-mix(in srgb, var(--accent) 12%, transparent)',
    borderRadius: '2px',
  },
  '.cm-coming': { opacity: '.75' },
  '.cm-current .cm-added-text': { background: 'color-mix(in srgb, var(--accent) 26%, transparent)' },
  '.cm-removed.cm-current': { background: 'color-mix(in srgb, var(--lost) 20%, transparent)' },
  '.cm-unfit .cm-added-text': { opacity: '.6', textDecorationStyle: 'dashed' },
  '.cm-suggestion-acts': {
    display: 'inline-flex',
    gap: '4px',
    alignItems: 'center',
    margin: '0 4px',
    verticalAlign: 'baseline',
    font: 'var(--size-small)/1.3 var(--font-ui)',
    userSelect: 'none',
  },
  '.cm-suggestion-act': {
    minHeight: '24px',
    padding: '1px 8px',
    border: 'var(--hairline) solid var(--line-strong)',
    borderRadius: 'var(--radius-small)',
    background: 'var(--raised)',
    color: 'var(--ink)',
    boxShadow: 'var(--shadow)',
  },
  '.cm-suggestion-act:first-child': { background: 'var(--accent)', borderColor: 'var(--accent)', color: 'var(--accent-ink)' },
  '.cm-unfit-note': { color: 'var(--changed)' },
});
