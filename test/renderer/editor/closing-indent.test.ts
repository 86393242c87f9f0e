import { EditorSelection, EditorState } from '@codemirror/state';
import { describe, expect, it } from 'vitest';
import { closedAt } from '#renderer/editor/closing-indent.ts';
import { grammar } from '#renderer/editor/syntax.ts';

/** What a text becomes where a sign is typed; `¦` is the cursor. */
function typed(marked: string, sign: string): string {
  const at = marked.indexOf('¦');
  const state = EditorState.create({ doc: marked.replace('¦', ''), selection: EditorSelection.cursor(at), extensions: grammar });
  const next = closedAt(state, at, at, sign);
  if (next === null) return 'as it is';
  const after = state.update(next).state;
  const { head } = after.selection.main;
  return `${after.sliceDoc(0, head)}¦${after.sliceDoc(head)}`;
}

describe('what closes something in code', () => {
  it.each([
    ['a brace', '```js\nif (a) {\n  b()\n  ¦', '}', '```js\nif (a) {\n  b()\n}¦'],
    ['a brace among others', '```\n  f({\n    a: {}\n    ¦\n```', '}', '```\n  f({\n    a: {}\n  }¦\n```'],
    ['a parenthesis before more', '```\nf(\n  a\n  ¦;', ')', '```\nf(\n  a\n)¦;'],
    ['a brace in a quote', '> ```\n> {\n>   a\n>   ¦', '}', '> ```\n> {\n>   a\n> }¦'],
    ['a fence', '```js\nif (a) {\n    b()\n    ``¦', '`', '```js\nif (a) {\n    b()\n```¦'],
    ['a fence of tildes', '~~~~\n  a\n  ~~~¦', '~', '~~~~\n  a\n~~~~¦'],
    ['a fence in an item', '- ```\n  a {\n      ``¦', '`', '- ```\n  a {\n  ```¦'],
  ])('stands as far in as that: %s', (_, before, sign, after) => expect(typed(before, sign)).toBe(after));

  it.each([
    ['a brace that closes nothing', '```\n  a\n  ¦', '}'],
    ['a brace behind something', '```\n{\n  a ¦', '}'],
    ['a fence that is too short', '````\n  a\n  ``¦', '`'],
    ['a fence in text', 'a\n  ``¦', '`'],
    ['a brace in text', '{\n  ¦', '}'],
    ['what stands right already', '```\n{\n¦', '}'],
    ['a fence before something', '```\n  ``¦ a', '`'],
  ])('is typed as it is: %s', (_, before, sign) => expect(typed(before, sign)).toBe('as it is'));
});
