import { isolateHistory } from '@codemirror/commands';
import { EditorView } from '@codemirror/view';
import { type Buffer, transact } from '#renderer/editor/buffer.ts';
import { type OutlineHeading, outlineOf } from '#renderer/editor/outline.ts';
import { moveSection, placeAbove, placeBelow } from '#renderer/editor/section-move.ts';

/** The place in a list of headings of the one whose section holds a line (counted from 1); -1 before the first. */
export function headingAt(headings: readonly OutlineHeading[], line: number): number {
  let [low, high] = [0, headings.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (headings[middle]!.line <= line) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Moves the section of a heading before another (their number: to the end), as one step of undo, the cursor with it. Answers where the heading is in the list then; null: it could not go there. */
export function moveBefore(buffer: Buffer, at: number, before: number): number | null {
  const { doc } = buffer.state;
  const move = moveSection(doc, at, before);
  if (move === null) return null;
  const { changes, line } = move;
  const next = buffer.state.changes(changes).apply(doc);
  const anchor = next.line(line).from;
  transact(buffer, {
    changes,
    selection: { anchor },
    effects: EditorView.scrollIntoView(anchor, { y: 'center' }),
    annotations: isolateHistory.of('full'),
    userEvent: 'move.section',
  });
  return headingAt(outlineOf(next), line);
}

/** Moves the section of a heading one place up or down; as `moveBefore`. */
export function moveByOne(buffer: Buffer, headings: readonly OutlineHeading[], at: number, isUp: boolean): number | null {
  const before = (isUp ? placeAbove : placeBelow)(headings, at);
  return before === null ? null : moveBefore(buffer, at, before);
}
