import { EditorSelection, EditorState, type StateCommand } from '@codemirror/state';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { insertTable, toggleCodeBlock, toggleList, toggleQuote, toggleTask } from '#renderer/editor/block-format.ts';
import { changeCase, joinLines } from '#renderer/editor/line-command.ts';

/** `a¦b` is a text with a cursor, `a«b»c` one with a selection. */
function stateOf(marked: string): EditorState {
  const [from, to] = [marked.indexOf('«'), marked.indexOf('»')];
  if (from >= 0) return EditorState.create({ doc: marked.replace(/[«»]/g, ''), selection: EditorSelection.range(from, to - 1) });
  const at = marked.indexOf('¦');
  return EditorState.create({ doc: marked.replace('¦', ''), selection: EditorSelection.cursor(Math.max(0, at)) });
}

function run(marked: string, command: StateCommand): EditorState {
  let state = stateOf(marked);
  command({ state, dispatch: (transaction) => (state = transaction.state) });
  return state;
}

const text = (marked: string, command: StateCommand) => run(marked, command).doc.toString();

describe('lists', () => {
  it.each([
    ['bullet', 'a¦', '- a'],
    ['bullet', '- a¦', 'a'],
    ['bullet', '«a\n\nb»', '- a\n\n- b'],
    ['bullet', '1. a¦', '- a'],
    ['bullet', '  - [ ] a¦', '  - a'],
    ['ordered', '«a\n- b\nc»', '1. a\n2. b\n3. c'],
    ['ordered', '> a¦', '> 1. a'],
    ['task', '«a\n* b»', '- [ ] a\n- [ ] b'],
    ['task', '- [x] a¦', 'a'],
    ['bullet', '¦', '- '],
    ['bullet', '«a\n»b', '- a\nb'],
  ] as const)('%s of %s is %s', (kind, before, after) => {
    expect(text(before, toggleList(kind))).toBe(after);
  });

  it('of a kind, asked for twice, are the text again', () => {
    const line = fc.string({ maxLength: 12, unit: fc.constantFrom('a', ' ', 'é', '字', '*') }).map((word) => `x${word}`);
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 6 }), fc.constantFrom('bullet', 'ordered', 'task'), (lines, kind) => {
        const before = lines.join('\n');
        const once = run(`«${before}»`, toggleList(kind as 'bullet'));
        let twice = once;
        toggleList(kind as 'bullet')({ state: once, dispatch: (transaction) => (twice = transaction.state) });
        expect(twice.doc.toString()).toBe(before);
      }),
    );
  });

  it('leave the cursor with its word', () => {
    const { selection } = run('ab¦c', toggleList('task'));
    expect(selection.main.head).toBe('- [ ] ab'.length);
  });
});

describe('tasks', () => {
  it.each([
    ['- [ ] a¦', '- [x] a'],
    ['- [x] a¦', '- [ ] a'],
    ['1. [ ] a¦', '1. [x] a'],
    ['«- [x] a\n- [ ] b»', '- [x] a\n- [x] b'],
    ['- a¦', '- [ ] a'],
    ['a¦', '- [ ] a'],
    ['> - [ ] a [x]¦', '> - [x] a [x]'],
  ])('%s becomes %s', (before, after) => {
    expect(text(before, toggleTask)).toBe(after);
  });
});

describe('quotes and code', () => {
  it.each([
    ['«a\n\nb»', '> a\n>\n> b'],
    ['«> a\n>\n> b»', 'a\n\nb'],
    ['«> a\nb»', '> > a\n> b'],
  ])('%s is quoted or not', (before, after) => {
    expect(text(before, toggleQuote)).toBe(after);
  });

  it.each([
    ['«a\nb»', '```\na\nb\n```'],
    ['```js\n«a\nb»\n```', 'a\nb'],
    ['«```\na\n```»', '````\n```\na\n```\n````'],
    ['¦', '```\n\n```'],
  ])('%s is put between fences or not', (before, after) => {
    expect(text(before, toggleCodeBlock)).toBe(after);
  });

  it('an empty code block has the cursor in it', () => {
    expect(run('¦', toggleCodeBlock).selection.main.head).toBe(4);
  });
});

describe('a table', () => {
  it('stands in lines of its own, with its first heading selected', () => {
    for (const [before, prefix] of [
      ['¦', ''],
      ['word¦', 'word\n\n'],
    ] as const) {
      const { doc, selection } = run(before, insertTable('Column'));
      expect(doc.toString()).toBe(`${prefix}| Column |        |\n| ------ | ------ |\n|        |        |\n`);
      expect(doc.sliceString(selection.main.from, selection.main.to)).toBe('Column');
    }
    expect(text('a¦\nb', insertTable('Column'))).toMatch(/\|\n\nb$/);
  });
});

describe('lines', () => {
  it.each([
    ['a¦\nb', 'a b'],
    ['«a  \n  b\nc»\nd', 'a b c\nd'],
    ['- a¦\n- b', '- a b'],
    ['> a¦\n> b', '> a b'],
    ['a¦\n\nb', 'a\nb'],
  ])('%s are joined to %s', (before, after) => {
    expect(text(before, joinLines)).toBe(after);
  });

  it('that are joined keep every letter', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('one', '> two', '- three', '', '  four', '1. five'), { minLength: 2 }), (lines) => {
        const letters = (value: string) => value.replace(/[^a-z]/g, '');
        expect(letters(text(`«${lines.join('\n')}»`, joinLines))).toBe(letters(lines.join('')));
      }),
    );
  });
});

describe('letters', () => {
  it.each([
    ['upper', 'on¦e two', 'ONE two'],
    ['lower', '«ONE Two»', 'one two'],
    ['title', '«it’s THE élan»', 'It’s The Élan'],
    ['upper', '«straße»', 'STRASSE'],
  ] as const)('%s of %s', (kind, before, after) => {
    expect(text(before, changeCase(kind))).toBe(after);
  });

  it('stay selected, in their direction', () => {
    const state = EditorState.create({ doc: 'straße', selection: EditorSelection.range(6, 0) });
    let after = state;
    changeCase('upper')({ state, dispatch: (transaction) => (after = transaction.state) });
    expect([after.selection.main.anchor, after.selection.main.head]).toEqual([7, 0]);
  });
});
