import { EditorSelection, type SelectionRange, type StateCommand } from '@codemirror/state';

/** Joins the lines of each selection, or the line and the next one, with one blank between them and without the marks of quotes and lists. */
export const joinLines: StateCommand = ({ state, dispatch }) => {
  const { doc } = state;
  const joints = new Map<number, { from: number; to: number; insert: string }>();
  for (const range of state.selection.ranges) {
    const first = doc.lineAt(range.from).number;
    const last = Math.min(doc.lines, Math.max(doc.lineAt(range.to).number, first + 1));
    for (let number = first; number < last; number++) {
      const [line, next] = [doc.line(number), doc.line(number + 1)];
      const end = line.from + line.text.trimEnd().length;
      const start = next.from + /^(?:[ \t]|>[ \t]?)*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?)?/.exec(next.text)![0].length;
      const isBlank = end === line.from || start === next.to;
      joints.set(number, { from: end, to: start, insert: isBlank ? '' : ' ' });
    }
  }
  if (joints.size === 0) return false;
  const changes = state.changes([...joints.values()]);
  dispatch(state.update({ changes, selection: state.selection.map(changes, -1), userEvent: 'input.join', scrollIntoView: true }));
  return true;
};

/** Changes the letters of each selection, or of the word at the cursor, as the writer's language has it. */
export function changeCase(kind: 'upper' | 'lower' | 'title'): StateCommand {
  return ({ state, dispatch }) => {
    const spec = state.changeByRange((range) => {
      const { from, to } = range.empty ? (state.wordAt(range.head) ?? range) : range;
      const insert = inCase(state.sliceDoc(from, to), kind);
      const end = from + insert.length;
      return { changes: { from, to, insert }, range: after(range, from, end) };
    });
    dispatch(state.update(spec, { userEvent: 'input.case', scrollIntoView: true }));
    return true;
  };
}

function after(range: SelectionRange, from: number, end: number): SelectionRange {
  if (range.empty) return EditorSelection.cursor(Math.min(range.head, end));
  return range.anchor <= range.head ? EditorSelection.range(from, end) : EditorSelection.range(end, from);
}

function inCase(text: string, kind: 'upper' | 'lower' | 'title'): string {
  if (kind === 'upper') return text.toLocaleUpperCase();
  if (kind === 'lower') return text.toLocaleLowerCase();
  return text.replaceAll(/[\p{L}\p{N}][\p{L}\p{N}\p{M}’']*/gu, (word) => {
    const [first = '', ...rest] = word;
    return first.toLocaleUpperCase() + rest.join('').toLocaleLowerCase();
  });
}
