import { readdirSync, readFileSync } from 'node:fs';
import { join as joinPath } from 'node:path';
import { history, redo, undo } from '@codemirror/commands';
import { EditorState, type TransactionSpec } from '@codemirror/state';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { breakName, isSameFile, join, joinText, keepLineBreaks, lineBreaksOf, setLineBreaks, split } from '#renderer/editor/line-breaks.ts';

const piece = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('\n', '\r\n', '\r') },
  { weight: 3, arbitrary: fc.constantFrom('a', 'bc', '# d', '- ', '') },
  { weight: 1, arbitrary: fc.constantFrom('\0', '\ufeff', '\u2028', '\u2029', '\u0085', '😀', '\t', '\v', '\f') },
);
const text = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));
const open = (file: string): EditorState => {
  const { doc, breaks } = split(file);
  return EditorState.create({ doc, extensions: [keepLineBreaks(breaks), history({ newGroupDelay: 0 })] });
};

/** An edit anywhere: what is replaced, by how much of the document, and by what. */
const edit = fc.record({ at: fc.nat(60), remove: fc.nat(8), insert: fc.constantFrom('', 'x', '\n', 'x\ny', '\n\n', 'long word') });
type Edit = typeof edit extends fc.Arbitrary<infer Value> ? Value : never;

function specOf(state: EditorState, { at, remove, insert }: Edit): TransactionSpec {
  const from = at % (state.doc.length + 1);
  return { changes: { from, to: Math.min(state.doc.length, from + remove), insert } };
}

describe('a file taken apart and put together', () => {
  it('is the same, whatever its line breaks', () => {
    fc.assert(
      fc.property(text, (file) => void expect(join(open(file))).toBe(file)),
      { numRuns: 2000 },
    );
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (file) => void expect(join(open(file))).toBe(file)));
  });

  it.each([
    '',
    '\r',
    '\n',
    'a\r',
    'a\r\n',
    '\ufeff',
    '\ufeff\ufeffa',
    'a\rb\r\nc\nd',
    '\r\r\n\n',
    'a\u2028b\u2029c\u0085d',
    '\0\r\0',
    '\n\r',
  ])('is the same: %j', (file) => void expect(join(open(file))).toBe(file));

  it('has a line for each break and one more, without the breaks', () => {
    fc.assert(
      fc.property(text, (file) => {
        const { doc } = split(file);
        expect(doc.toString().split('\n')).toEqual(file.replace(/^\ufeff/, '').split(/\r\n|\r|\n/));
      }),
    );
  });

  it('names what most of its breaks are, or that they differ', () => {
    const name = (file: string) => breakName(split(file).breaks);
    expect(['a', 'a\n', 'a\r\nb\r\n', 'a\rb', 'a\nb\r\nc\r\n'].map(name)).toEqual(['LF', 'LF', 'CRLF', 'CR', 'mixed']);
  });

  it('is the same for every Markdown file of the packages that are installed', () => {
    const root = joinPath(import.meta.dirname, '../../../node_modules');
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
    const texts = files.map((name) => readFileSync(joinPath(root, name), 'utf8'));
    expect(texts.length).toBeGreaterThan(250);
    for (const [at, file] of texts.entries()) {
      expect(join(open(file)) === file, files[at]).toBe(true);
      const state = open(file);
      const typed = state.update({ changes: { from: state.doc.length >> 1, insert: '!' } }).state;
      expect(join(typed).replace('!', '').length, files[at]).toBe(file.replace('!', '').length + (file.includes('!') ? 1 : 0));
    }
  });
});

/** The plain model: a file as its characters, each break one of them; an edit replaces some, and its breaks are of the majority. */
function edited(file: string, edits: readonly Edit[]): string {
  const { majority, bom } = split(file).breaks;
  const tokens = file.slice(bom ? 1 : 0).match(/\r\n|[\s\S]/g) ?? [];
  for (const { at, remove, insert } of edits) {
    tokens.splice(at % (tokens.length + 1), remove, ...insert.split('').map((mark) => (mark === '\n' ? majority : mark)));
  }
  const safe = tokens.map((token, at) => (token === '\n' && tokens[at - 1] === '\r' ? '\r\n' : token));
  return (bom ? '\ufeff' : '') + safe.join('');
}

const lines = fc.array(fc.constantFrom('\n', '\r\n', '\r'), { minLength: 1, maxLength: 12 });

describe('edits', () => {
  it('leave every break they do not touch as it was, and give new ones the kind that most have', () => {
    fc.assert(
      fc.property(text, fc.array(edit, { maxLength: 10 }), (file, edits) => {
        let state = open(file);
        for (const next of edits) state = state.update(specOf(state, next)).state;
        expect(join(state)).toBe(edited(file, edits));
      }),
      { numRuns: 3000 },
    );
  });

  it('inside a line change nothing but that line', () => {
    fc.assert(
      fc.property(lines, fc.nat(11), fc.constantFrom('', 'x', '!!'), (kinds, which, insert) => {
        const line = which % kinds.length;
        const file = kinds.map((kind, at) => `<${at}>${kind}`).join('');
        const state = open(file);
        const { from } = state.doc.line(line + 1);
        const after = join(state.update({ changes: { from, to: from + 1, insert } }).state);
        expect(after).toBe(file.replace(`<${line}>`, `${insert}${line}>`));
      }),
    );
  });

  it('put together read back as the same lines, whatever came to stand side by side', () => {
    fc.assert(
      fc.property(text, fc.array(edit, { maxLength: 12 }), (file, edits) => {
        let state = open(file);
        for (const next of edits) state = state.update(specOf(state, next)).state;
        const { doc } = split(join(state));
        const first = state.doc.toString();
        // A line that begins with U+FEFF reads as a BOM where the file had none.
        const isBomNow = !lineBreaksOf(state).bom && first.startsWith('\ufeff');
        expect(doc.toString()).toBe(isBomNow ? first.slice(1) : first);
      }),
      { numRuns: 1000 },
    );
  });

  it('undone give back the very same file, and redone the edited one', () => {
    const state = fc.tuple(text, fc.array(edit, { minLength: 1, maxLength: 8 }));
    fc.assert(
      fc.property(state, ([file, edits]) => {
        let now = open(file);
        const dispatch = (transaction: { state: EditorState }) => {
          now = transaction.state;
        };
        for (const next of edits) dispatch(now.update(specOf(now, next)));
        const edited = join(now);
        while (undo({ state: now, dispatch }));
        expect(join(now)).toBe(file);
        while (redo({ state: now, dispatch }));
        expect(join(now)).toBe(edited);
      }),
      { numRuns: 1000 },
    );
  });

  it('make new lines of the kind that most have', () => {
    const state = open('a\r\nb\r\nc\nd');
    const after = state.update({ changes: { from: 1, insert: '\nnew' } }).state;
    expect(join(after)).toBe('a\r\nnew\r\nb\r\nc\nd');
  });
});

describe('a text that is taken over', () => {
  it('brings its own breaks, and undo brings back the earlier ones', () => {
    let state = open('a\nb\n');
    const theirs = split('a\r\nb\n\r');
    const dispatch = (transaction: { state: EditorState }) => {
      state = transaction.state;
    };
    dispatch(state.update({ changes: { from: 0, to: state.doc.length, insert: theirs.doc }, effects: setLineBreaks.of(theirs.breaks) }));
    expect(join(state)).toBe('a\r\nb\n\r');
    expect(isSameFile(state.doc, lineBreaksOf(state), theirs)).toBe(true);
    undo({ state, dispatch });
    expect(join(state)).toBe('a\nb\n');
    expect(isSameFile(state.doc, lineBreaksOf(state), theirs)).toBe(false);
  });

  it('is the file that it would be saved as, whichever kind of break most of its lines have by then', () => {
    fc.assert(
      fc.property(text, fc.array(edit, { maxLength: 8 }), (file, edits) => {
        const state = edits.reduce((before, one) => before.update(specOf(before, one)).state, open(file));
        expect(isSameFile(state.doc, lineBreaksOf(state), split(join(state)))).toBe(true);
        expect(isSameFile(state.doc, lineBreaksOf(state), split(file))).toBe(join(state) === file);
      }),
      {
        numRuns: 500,
        examples: [
          ['\ufeffone\r\ntwo\n', [{ at: 0, remove: 7, insert: 'x' }]],
          // A break of the other kind gave way to one of the usual kind.
          ['\r\n\r\n\na\n', [{ at: 20, remove: 1, insert: '\n' }]],
        ],
      },
    );
  });

  it('is told from one that differs in its breaks only', () => {
    const { doc, breaks } = split('a\nb\r\n');
    expect(isSameFile(doc, breaks, split('a\r\nb\n'))).toBe(false);
    expect(isSameFile(doc, breaks, split('a\nb\r\n'))).toBe(true);
    expect(joinText(doc, breaks)).toBe('a\nb\r\n');
  });
});
