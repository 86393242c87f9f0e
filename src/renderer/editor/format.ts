import { EditorSelection, type EditorState, type StateCommand, type TransactionSpec } from '@codemirror/state';

/** Puts `mark` around each selection, or takes it away where it stands already; an empty selection takes its word. */
export function toggleMark(mark: string): StateCommand {
  return ({ state, dispatch }) => {
    const spec = state.changeByRange((range) => {
      const { from, to } = range.empty ? (state.wordAt(range.head) ?? range) : range;
      return isMarked(state, from, to, mark) ? unmarked(from, to, mark, range) : marked(from, to, mark, range);
    });
    dispatch(state.update(spec, { userEvent: 'input.format', scrollIntoView: true }));
    return true;
  };
}

interface Span {
  readonly anchor: number;
  readonly head: number;
}

const moved = ({ anchor, head }: Span, by: number) => EditorSelection.range(anchor + by, head + by);

function marked(from: number, to: number, mark: string, range: Span) {
  return {
    changes: [
      { from, insert: mark },
      { from: to, insert: mark },
    ],
    range: moved(range, mark.length),
  };
}

function unmarked(from: number, to: number, mark: string, range: Span) {
  return {
    changes: [
      { from: from - mark.length, to: from },
      { from: to, to: to + mark.length },
    ],
    range: moved(range, -mark.length),
  };
}

/** `*` inside `**` is no emphasis of its own: the run of marks at both sides must hold this one, and not only a longer one. */
function isMarked(state: EditorState, from: number, to: number, mark: string): boolean {
  const run = Math.min(runBefore(state, from, mark[0]!), runAfter(state, to, mark[0]!));
  if (mark === '*') return run === 1 || run === 3;
  return run >= mark.length;
}

function runBefore(state: EditorState, from: number, sign: string): number {
  const before = state.sliceDoc(Math.max(0, from - 3), from);
  return before.length - before.replace(new RegExp(`[${sign}]+$`), '').length;
}

function runAfter(state: EditorState, to: number, sign: string): number {
  const after = state.sliceDoc(to, Math.min(state.doc.length, to + 3));
  return after.length - after.replace(new RegExp(`^[${sign}]+`), '').length;
}

/** Makes each selection the text of a link and puts the cursor where its address goes; a selected address becomes the target. */
export const insertLink: StateCommand = ({ state, dispatch }) => {
  const spec = state.changeByRange((range) => {
    const { from, to } = range.empty ? (state.wordAt(range.head) ?? range) : range;
    const text = state.sliceDoc(from, to);
    const isAddress = /^(https?:\/\/|mailto:)\S+$/i.test(text);
    const insert = isAddress ? `[](${text})` : `[${text}]()`;
    const cursor = isAddress || text === '' ? from + 1 : from + insert.length - 1;
    return { changes: { from, to, insert }, range: EditorSelection.cursor(cursor) };
  });
  dispatch(state.update(spec, { userEvent: 'input.format', scrollIntoView: true }));
  return true;
};

/** Makes the lines of the selection headings of a level, 0: paragraphs; a heading of that level becomes a paragraph. */
export function setHeading(level: number): StateCommand {
  return ({ state, dispatch }) => {
    const lines = selectedLines(state).filter(({ text }) => text.trim() !== '' || level > 0);
    const isAlready = lines.length > 0 && lines.every(({ text }) => headingLevel(text) === level);
    const prefix = isAlready || level === 0 ? '' : `${'#'.repeat(level)} `;
    const changes = lines.map(({ from, text }) => ({
      from,
      to: from + (/^ {0,3}#{1,6}(?:[ \t]+|$)/.exec(text)?.[0].length ?? 0),
      insert: prefix,
    }));
    const spec: TransactionSpec = { changes, userEvent: 'input.format', scrollIntoView: true };
    const set = state.changes(changes);
    dispatch(state.update({ ...spec, selection: state.selection.map(set, 1) }));
    return true;
  };
}

function headingLevel(text: string): number {
  return /^ {0,3}(#{1,6})(?=[ \t]|$)/.exec(text)?.[1]?.length ?? 0;
}

function selectedLines({ doc, selection }: EditorState) {
  const numbers = new Set<number>();
  for (const { from, to } of selection.ranges) {
    for (let number = doc.lineAt(from).number; number <= doc.lineAt(to).number; number++) numbers.add(number);
  }
  return [...numbers].map((number) => doc.line(number));
}
