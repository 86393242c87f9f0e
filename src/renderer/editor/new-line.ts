import { insertNewlineContinueMarkupCommand } from '@codemirror/lang-markdown';
import type { StateCommand, Transaction } from '@codemirror/state';
import { isInCode } from './code-place.ts';

const continued = insertNewlineContinueMarkupCommand({ nonTightLists: false });

/**
 * Begins the next line of a list or a quote. In an item without text it goes out by one level; behind the last one stands a blank line then,
 * for what is written on the line below an item belongs to it.
 */
export const continueMarkup: StateCommand = ({ state, dispatch }) =>
  outOfQuote({ state, dispatch }) || continued({ state, dispatch: (transaction) => dispatch(outOfList(transaction) ?? transaction) });

/** In a line of a quote without text it goes out of that quote, as out of an item: behind a blank line, for the next would still be quoted. */
const outOfQuote: StateCommand = ({ state, dispatch }) => {
  const { main, ranges } = state.selection;
  const line = state.doc.lineAt(main.head);
  const outer = /^([ \t]*(?:>[ \t]?)*)>[ \t]*$/u.exec(line.text)?.[1];
  if (outer === undefined || ranges.length > 1 || !main.empty || main.head < line.to || isInCode(state, main.head)) return false;
  const isApart = line.number === 1 || isBlank(state.doc.line(line.number - 1).text);
  const insert = isApart ? outer : `${outer}${state.lineBreak}${outer}`;
  const selection = { anchor: line.from + insert.length };
  dispatch(state.update({ changes: { from: line.from, to: line.to, insert }, selection, scrollIntoView: true, userEvent: 'input' }));
  return true;
};

const isBlank = (text: string) => /^[\s>]*$/u.test(text);

/** The same with a line more, where an item without text became a line that would belong to the item above. */
function outOfList({ startState, state }: Transaction): Transaction | null {
  const { main, ranges } = state.selection;
  if (ranges.length > 1 || state.doc.lines !== startState.doc.lines) return null;
  const line = state.doc.lineAt(main.head);
  if (!isBlank(line.text) || line.number === 1 || isBlank(state.doc.line(line.number - 1).text)) return null;
  const was = startState.doc.line(line.number);
  const insert = `${line.text}${state.lineBreak}${line.text}`;
  return startState.update({
    changes: { from: was.from, to: was.to, insert },
    selection: { anchor: was.from + insert.length },
    scrollIntoView: true,
    userEvent: 'input',
  });
}
