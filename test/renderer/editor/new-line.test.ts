import { EditorSelection, EditorState } from '@codemirror/state';
import { describe, expect, it } from 'vitest';
import { continueMarkup } from '#renderer/editor/new-line.ts';
import { grammar } from '#renderer/editor/syntax.ts';

/** What Enter makes of a text; `¦` is the cursor. */
function entered(marked: string): string {
  const selection = EditorSelection.cursor(marked.indexOf('¦'));
  let state = EditorState.create({ doc: marked.replace('¦', ''), selection, extensions: grammar });
  continueMarkup({ state, dispatch: (transaction) => (state = transaction.state) });
  const { head } = state.selection.main;
  return `${state.sliceDoc(0, head)}¦${state.sliceDoc(head)}`;
}

describe('Enter', () => {
  it.each([
    ['goes on with a list', '- a¦', '- a\n- ¦'],
    ['goes on with the next number', '1. a¦\n2. b', '1. a\n2. ¦\n3. b'],
    ['goes on with a task', '- [x] a¦', '- [x] a\n- [ ] ¦'],
    ['goes on with a quote', '> a¦', '> a\n> ¦'],
    ['leaves a list behind a blank line', '- a\n- b\n- ¦', '- a\n- b\n\n¦'],
    ['leaves a list of one item at once', '- a\n- ¦', '- a\n\n¦'],
    ['leaves a list and keeps what comes behind it', '- a\n- ¦\n\nb', '- a\n\n¦\n\nb'],
    ['leaves a list in a quote', '> - a\n> - ¦', '> - a\n> \n> ¦'],
    ['makes no second blank line in a loose list', '- a\n\n- ¦', '- a\n\n¦'],
    ['goes out of an inner list by one level', '- a\n  - b\n  - ¦', '- a\n  - b\n- ¦'],
    ['leaves a quote behind a blank line', '> a\n> ¦', '> a\n\n¦'],
    ['leaves a quote and keeps what comes behind it', '> a\n> ¦\n\nb', '> a\n\n¦\n\nb'],
    ['leaves an inner quote by one level', '> > a\n> > ¦', '> > a\n> \n> ¦'],
    ['leaves a quote in an item, not the item', '- > a\n  > ¦', '- > a\n  \n  ¦'],
    ['makes no second blank line behind a quote', '> a\n\n> ¦', '> a\n\n¦'],
    ['does nothing of its own to code in a quote', '> ```\n> ¦', '> ```\n> ¦'],
    ['takes the mark of an only item away', '- ¦', '¦'],
  ])('%s', (_, before, after) => {
    expect(entered(before)).toBe(after);
  });
});
