import { EditorSelection, EditorState, type StateCommand } from '@codemirror/state';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { insertLink, setHeading, toggleMark } from '#renderer/editor/format.ts';

/** A text with its selection: `a[bc]d`, or a cursor `a|b`. */
function read(notation: string): EditorState {
  const from = notation.search(/[[|]/);
  const to = notation.includes('|') ? from : notation.indexOf(']') - 1;
  return EditorState.create({ doc: notation.replace(/[[\]|]/g, ''), selection: EditorSelection.range(from, to) });
}

function show({ doc, selection: { main } }: EditorState): string {
  const text = doc.toString();
  if (main.empty) return `${text.slice(0, main.head)}|${text.slice(main.head)}`;
  return `${text.slice(0, main.from)}[${text.slice(main.from, main.to)}]${text.slice(main.to)}`;
}

function run(command: StateCommand, state: EditorState): EditorState {
  let after = state;
  command({
    state,
    dispatch: (transaction) => {
      after = transaction.state;
    },
  });
  return after;
}

describe('bold, italic and code', () => {
  it.each([
    ['**', 'a [bold] b', 'a **[bold]** b'],
    ['**', 'a **[bold]** b', 'a [bold] b'],
    ['*', 'a **[bold]** b', 'a ***[bold]*** b'],
    ['*', 'a ***[bold]*** b', 'a **[bold]** b'],
    ['**', 'a *[it]* b', 'a ***[it]*** b'],
    ['*', 'wo|rd', '*wo|rd*'],
    ['`', '[x]', '`[x]`'],
    ['**', '|', '**|**'],
  ])('%s makes %s %s', (mark, before, after) => {
    expect(show(run(toggleMark(mark), read(before)))).toBe(after);
  });

  it('done twice give back the text and the selection', () => {
    const text = fc.array(fc.constantFrom('a', 'bc', ' ', '\n'), { minLength: 1, maxLength: 8 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, fc.nat(20), fc.nat(20), fc.constantFrom('**', '*', '`'), (doc, a, b, mark) => {
        const selection = EditorSelection.range(a % (doc.length + 1), b % (doc.length + 1));
        const state = EditorState.create({ doc, selection });
        const twice = run(toggleMark(mark), run(toggleMark(mark), state));
        expect(twice.doc.toString()).toBe(doc);
        expect(twice.selection.eq(state.selection)).toBe(true);
      }),
    );
  });
});

describe('a link', () => {
  it.each([
    ['see [here]', 'see \\[here](|)'],
    ['[https://example.org]', '\\[|](https://example.org)'],
    ['|', '\\[|]()'],
  ])('of %s is %s', (before, after) => {
    expect(show(run(insertLink, read(before)))).toBe(after.replace('\\', ''));
  });
});

describe('a heading', () => {
  it.each([
    [2, 'te|xt', '## te|xt'],
    [2, '# te|xt', '## te|xt'],
    [2, '## te|xt', 'te|xt'],
    [0, '### te|xt', 'te|xt'],
    [1, '|', '# |'],
  ])('of level %i makes %s %s', (level, before, after) => {
    expect(show(run(setHeading(level), read(before)))).toBe(after);
  });

  it('is made of every line of the selection, blank ones only where none has text to lose', () => {
    const state = EditorState.create({ doc: 'a\nb', selection: EditorSelection.range(0, 3) });
    expect(run(setHeading(3), state).doc.toString()).toBe('### a\n### b');
  });
});
