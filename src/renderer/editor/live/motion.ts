import { EditorSelection, type EditorState, type Extension, Prec, type SelectionRange } from '@codemirror/state';
import { Direction, type EditorView, type KeyBinding, keymap } from '@codemirror/view';
import { blockAt } from './block.ts';
import { isNothingBetween, pastHiddenEnd } from './hidden-end.ts';

const marks = /^[ \t]*(?:>[ \t]?)*(?:(?:[-+*]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?)?/u;

/** Where the text of a line starts, behind the marks of quotes, items and tasks. */
function textStart({ doc }: EditorState, at: number): number {
  const line = doc.lineAt(at);
  return line.from + marks.exec(line.text)![0].length;
}

function boundary(view: EditorView, range: SelectionRange, isForward: boolean): SelectionRange {
  const moved = view.moveToLineBoundary(range, isForward);
  if (isForward) return EditorSelection.cursor(pastHiddenEnd(view, moved.head), -1);
  const { from } = view.state.doc.lineAt(moved.head);
  const start = textStart(view.state, from);
  const isFirstRow = moved.head <= start || isNothingBetween(view, start, moved.head);
  if (!isFirstRow) return moved;
  return EditorSelection.cursor(range.head > start || range.head === from ? start : from, 1);
}

const to = (isForward: boolean, isSelecting: boolean) => (view: EditorView) => {
  const ranges = view.state.selection.ranges.map((range) => {
    const moved = boundary(view, range, isForward);
    return isSelecting ? EditorSelection.range(range.anchor, moved.head) : moved;
  });
  const selection = EditorSelection.create(ranges, view.state.selection.mainIndex);
  if (!selection.eq(view.state.selection)) view.dispatch({ selection, scrollIntoView: true, userEvent: 'select' });
  return true;
};

const sideways = (isLeft: boolean, isSelecting: boolean) => (view: EditorView) =>
  to((view.textDirectionAt(view.state.selection.main.head) === Direction.LTR) !== isLeft, isSelecting)(view);

/** Goes into a drawn block that opens for the cursor, from the line before or behind it. */
const into = (side: -1 | 1, isVertical: boolean) => (view: EditorView) => {
  const { main } = view.state.selection;
  const line = view.state.doc.lineAt(main.head);
  const beside = side === 1 ? line.to + 1 : line.from - 1;
  if (!main.empty || beside < 0 || beside > view.state.doc.length) return false;
  const found = blockAt(view.state, beside);
  if (found === null || !found.opens || (main.head >= found.from && main.head <= found.to)) return false;
  if (isVertical ? !leavesLine(view, side === 1) : main.head !== (side === 1 ? line.to : line.from)) return false;
  const last = view.state.doc.lineAt(found.to);
  const anchor = side === 1 ? found.from : isVertical ? last.from : last.to;
  view.dispatch({ selection: { anchor }, scrollIntoView: true, userEvent: 'select' });
  return true;
};

/** Whether a step up or down leaves the line of the cursor. */
export function leavesLine(view: EditorView, isDown: boolean): boolean {
  const { main } = view.state.selection;
  const line = view.state.doc.lineAt(main.head);
  const { head } = view.moveVertically(main, isDown);
  return head < line.from || head > line.to || head === main.head || head === (isDown ? line.to : line.from);
}

const keys: readonly KeyBinding[] = [
  { key: 'Home', run: to(false, false), shift: to(false, true) },
  { key: 'End', run: to(true, false), shift: to(true, true) },
  { mac: 'Cmd-ArrowLeft', run: sideways(true, false), shift: sideways(true, true) },
  { mac: 'Cmd-ArrowRight', run: sideways(false, false), shift: sideways(false, true) },
  { key: 'ArrowDown', run: into(1, true) },
  { key: 'ArrowUp', run: into(-1, true) },
  { key: 'ArrowRight', run: into(1, false) },
  { key: 'ArrowLeft', run: into(-1, false) },
];

/** Moves the cursor past what is not seen: to the ends of a line, and into blocks that are drawn. */
export const motion: Extension = Prec.high(keymap.of([...keys]));
