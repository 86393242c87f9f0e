import { insertNewlineContinueMarkupCommand } from '@codemirror/lang-markdown';
import type { StateCommand, Transaction } from '@codemirror/state';

const continued = insertNewlineContinueMarkupCommand({ nonTightLists: false });

/**
 * Begins the next line of a list or a quote. In an item without text it goes out by one level; behind the last one stands a blank line then,
 * for what is written on the line below an item belongs to it.
 */
export const continueMarkup: StateCommand = ({ state, dispatch }) =>
  continued({ state, dispatch: (transaction) => dispatch(outOfList(transaction) ?? transaction) });

/** The same with a line more, where an item without text became a line that would belong to the item above. */
function outOfList({ startState, state }: Transaction): Transaction | null {
  const { main, ranges } = state.selection;
  if (ranges.length > 1 || state.doc.lines !== startState.doc.lines) return null;
  const line = state.doc.lineAt(main.head);
  const isBlank = (text: string) => /^[\s>]*$/u.test(text);
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
