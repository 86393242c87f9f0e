import type { Transaction } from '@codemirror/state';
import { createStore } from 'zustand/vanilla';
import type { Buffer } from '#renderer/editor/buffer.ts';
import { type Goal, goalOf } from '#renderer/editor/goal.ts';
import { breakName, lineBreaksOf } from '#renderer/editor/line-breaks.ts';
import { type Counted, countWords, recount, tallyOf } from '#renderer/editor/tally.ts';

/** Where the cursor is and what the document holds; counts are null while they are not known. */
export interface Position {
  readonly line: number;
  readonly column: number;
  /** Characters of the selections, and their words. */
  readonly selected: number;
  readonly selectedWords: number;
  readonly words: number | null;
  readonly breaks: ReturnType<typeof breakName>;
  readonly bom: boolean;
  /** Characters of the document, its frontmatter apart. */
  readonly characters: number | null;
  /** How long the document says that it is meant to become. */
  readonly goal: Goal | null;
}

/** How often words are counted at most, in ms. */
const rest = 500;

/** A document longer than this many characters is counted when the writer rests. */
const countedWhileTyping = 100_000;

/** Follows the cursor of what is in front: the place at once, the counts when there is time. */
export function createPosition() {
  const store = createStore<{ readonly position: Position | null }>()(() => ({ position: null }));
  let timer: ReturnType<typeof setTimeout> | undefined;
  let counted: ({ readonly doc: unknown } & typeof nothingCounted) | null = null;
  let front: Buffer | null = null;
  let isWaiting = false;
  /** What was typed since it was last told of. */
  let typed: Transaction[] = [];

  const count = () => {
    timer = undefined;
    const position = store.getState().position;
    if (front === null || position === null) return;
    const { doc, selection } = front.state;
    if (counted?.doc !== doc) counted = { doc, ...tallyOf(doc), goal: goalOf(doc) };
    const texts = selection.ranges.map(({ from, to }) => doc.sliceString(from, Math.min(to, from + 1_000_000)));
    const selectedWords = texts.reduce((sum, text) => sum + countWords(text), 0);
    store.setState({ position: { ...position, words: counted.words, characters: counted.characters, goal: counted.goal, selectedWords } });
  };
  /** Counts the lines that were typed in; what cannot be followed is counted at rest. */
  const follow = () => {
    for (const { startState, changes, state } of typed) {
      if (counted?.doc !== startState.doc || counted.words === null || counted.characters === null) break;
      const next = recount(counted as Counted, changes, state.doc);
      if (next !== null) counted = { ...next, goal: counted.goal };
    }
    typed = [];
  };
  const tell = (isOther: boolean) => {
    if (front === null) return;
    const { state } = front;
    const { doc, selection } = state;
    follow();
    const { head } = selection.main;
    const line = doc.lineAt(head);
    const breaks = lineBreaksOf(state);
    const before = store.getState().position;
    const selected = selection.ranges.reduce((sum, { from, to }) => sum + to - from, 0);
    const selectedWords = selected === 0 ? 0 : (before?.selectedWords ?? 0);
    const place = { line: line.number, column: head - line.from + 1, selected, selectedWords };
    const isCounted = counted?.doc === doc;
    const { words, characters, goal } = isCounted ? counted! : isOther || before === null ? nothingCounted : before;
    store.setState({ position: { ...place, words, characters, goal, breaks: breakName(breaks), bom: breaks.bom } });
    if (isCounted && selected === 0) return;
    const isLong = doc.length > countedWhileTyping;
    if (isOther && !isLong) return count();
    // A long document is counted when the writer rests, never between two keys or before it is seen.
    if (isLong) clearTimeout(timer);
    else if (timer !== undefined) return;
    timer = setTimeout(count, rest);
  };
  return {
    store: store as Pick<typeof store, 'getState' | 'subscribe' | 'getInitialState'>,
    /** `transactions`: those that changed it. */
    moved(buffer: Buffer, transactions: readonly Transaction[] = []): void {
      const isOther = buffer !== front;
      front = buffer;
      typed = isOther ? [] : [...typed, ...transactions.filter(({ docChanged }) => docChanged)];
      if (isOther) tell(true);
      if (isOther || isWaiting) return;
      isWaiting = true;
      // What a key did is painted before what the bar says of it.
      afterPaint(() => {
        isWaiting = false;
        tell(false);
      });
    },
    nothing(): void {
      front = null;
      store.setState({ position: null });
    },
  };
}

const nothingCounted: Pick<Position, 'words' | 'characters' | 'goal'> = { words: null, characters: null, goal: null };

const afterPaint = (act: () => void) => requestAnimationFrame(() => setTimeout(act));
