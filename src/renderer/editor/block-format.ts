import { EditorSelection, type EditorState, type Line, type StateCommand, type TransactionSpec } from '@codemirror/state';

/** What can stand before the text of a line: blanks and quotes, then the mark of a list, then a task's box. */
const lineStart = /^((?:[ \t]|>[ \t]?)*)(?:(?:([-*+])|(\d{1,9})[.)])(?:[ \t]+|$)(\[[ xX]\](?:[ \t]+|$))?)?/;

interface Start {
  readonly indent: string;
  readonly kind: 'text' | 'bullet' | 'ordered' | 'task';
  /** Where the text begins in the line. */
  readonly to: number;
}

function startOf(text: string): Start {
  const [all = '', indent = '', bullet, number, box] = lineStart.exec(text) ?? [];
  const kind = box !== undefined ? 'task' : bullet !== undefined ? 'bullet' : number !== undefined ? 'ordered' : 'text';
  return { indent, kind, to: all.length };
}

/** The lines of the selection, each once, in order. */
export function selectedLines({ doc, selection }: EditorState): Line[] {
  const numbers = new Set<number>();
  for (const { from, to, empty } of selection.ranges) {
    const last = doc.lineAt(to);
    // A selection that ends at the start of a line does not mean that line.
    const end = !empty && last.from === to ? last.number - 1 : last.number;
    for (let number = doc.lineAt(from).number; number <= end; number++) numbers.add(number);
  }
  return [...numbers].sort((a, b) => a - b).map((number) => doc.line(number));
}

interface Edit {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

function edit(state: EditorState, changes: readonly Edit[], spec: TransactionSpec = {}) {
  const set = state.changes(changes);
  return state.update({ changes: set, selection: state.selection.map(set, 1), userEvent: 'input.format', scrollIntoView: true, ...spec });
}

/** Makes the lines of the selection a list of a kind; a list of that kind becomes text again. */
export function toggleList(kind: 'bullet' | 'ordered' | 'task'): StateCommand {
  return ({ state, dispatch }) => {
    const all = selectedLines(state);
    const lines = all.length === 1 ? all : all.filter(({ text }) => text.trim() !== '');
    const isAlready = lines.every(({ text }) => startOf(text).kind === kind);
    const changes = lines.map(({ from, text }, at) => {
      const { indent, to } = startOf(text);
      const sign = kind === 'ordered' ? `${at + 1}. ` : kind === 'task' ? '- [ ] ' : '- ';
      return { from: from + indent.length, to: from + to, insert: isAlready ? '' : sign };
    });
    dispatch(edit(state, changes));
    return true;
  };
}

/** Ticks the tasks of the selection, or takes the ticks away where all are ticked; what is no task becomes one. */
export const toggleTask: StateCommand = ({ state, dispatch }) => {
  const all = selectedLines(state);
  const lines = all.length === 1 ? all : all.filter(({ text }) => text.trim() !== '');
  const tasks = lines.filter(({ text }) => startOf(text).kind === 'task');
  if (tasks.length === 0) {
    const changes = lines.map(({ from, text }) => {
      const { indent, kind, to } = startOf(text);
      const at = kind === 'text' ? from + indent.length : from + to;
      return { from: at, to: at, insert: kind === 'text' ? '- [ ] ' : '[ ] ' };
    });
    dispatch(edit(state, changes));
    return true;
  }
  const isDone = tasks.every(({ text }) => /\[[xX]\]/.test(text.slice(0, startOf(text).to)));
  const changes = tasks.map(({ from, text }) => {
    const at = from + text.indexOf('[', startOf(text).indent.length) + 1;
    return { from: at, to: at + 1, insert: isDone ? ' ' : 'x' };
  });
  dispatch(edit(state, changes));
  return true;
};

/** Makes the lines of the selection a quote, or takes one `>` away from each where all are quoted. */
export const toggleQuote: StateCommand = ({ state, dispatch }) => {
  const lines = selectedLines(state);
  const isAlready = lines.every(({ text }) => /^ {0,3}>/.test(text));
  const changes = lines.map(({ from, text }) => {
    const mark = isAlready ? /^ {0,3}> ?/.exec(text)![0].length : 0;
    return { from, to: from + mark, insert: isAlready ? '' : text === '' ? '>' : '> ' };
  });
  dispatch(edit(state, changes));
  return true;
};

/** Puts the lines of the selection between fences, longer than any that they hold; between fences already, it takes those away. */
export const toggleCodeBlock: StateCommand = ({ state, dispatch }) => {
  const lines = selectedLines(state);
  const [first, last] = [lines[0]!, lines.at(-1)!];
  const { doc } = state;
  const before = first.number > 1 ? doc.line(first.number - 1) : null;
  const after = last.number < doc.lines ? doc.line(last.number + 1) : null;
  if (before !== null && after !== null && /^`{3,}/.test(before.text) && /^`{3,}\s*$/.test(after.text)) {
    const changes = [
      { from: before.from, to: first.from, insert: '' },
      { from: last.to, to: after.to, insert: '' },
    ];
    dispatch(edit(state, changes));
    return true;
  }
  const held = lines.map(({ text }) => /^ {0,3}(`{3,})/.exec(text)?.[1]?.length ?? 0);
  const fence = '`'.repeat(Math.max(3, ...held.map((length) => length + 1)));
  const changes = [
    { from: first.from, to: first.from, insert: `${fence}\n` },
    { from: last.to, to: last.to, insert: `\n${fence}` },
  ];
  const isEmpty = state.selection.main.empty && first.text === '';
  dispatch(edit(state, changes, isEmpty ? { selection: EditorSelection.cursor(first.from + fence.length + 1) } : {}));
  return true;
};

/** Puts a small table where the cursor is, in lines of its own, and selects its first heading. `heading`: what that is called. */
export function insertTable(heading: string): StateCommand {
  return ({ state, dispatch }) => {
    const { head } = state.selection.main;
    const line = state.doc.lineAt(head);
    const isBlank = line.text.trim() === '';
    const before = isBlank ? '' : '\n\n';
    const row = (cell: string) => `| ${cell} | ${' '.repeat(cell.length)} |`;
    const space = ' '.repeat(heading.length);
    const rule = '-'.repeat(Math.max(3, heading.length));
    const table = [row(heading), `| ${rule} | ${rule} |`, `| ${space} | ${space} |`].join('\n');
    const next = line.number < state.doc.lines ? state.doc.line(line.number + 1).text : null;
    const at = isBlank ? line.from : line.to;
    const insert = `${before}${table}${next?.trim() === '' ? '' : '\n'}`;
    const from = at + before.length + 2;
    dispatch(
      state.update({
        changes: { from: at, to: line.to, insert },
        selection: EditorSelection.range(from, from + heading.length),
        userEvent: 'input.format',
        scrollIntoView: true,
      }),
    );
    return true;
  };
}
