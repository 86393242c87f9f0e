import { isolateHistory } from '@codemirror/commands';
import { EditorSelection, type Transaction, type TransactionSpec } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { type Buffer, transact } from './buffer.ts';

/** A place in a document for a text that comes later. */
export interface HeldPlace {
  /** What the document was known by when the place was held. */
  readonly path: string;
  /** Puts the text there, as a step of undo by itself; a second time, nothing. */
  put(text: string): void;
  /** Lets the place go. */
  release(): void;
}

/**
 * Holds what is selected in an editor of a buffer. The text comes there, whatever was typed and whichever document was brought to the
 * front meanwhile, and takes the place of what was selected then, never of what was typed or selected since. `edited` is told where the
 * buffer is shown nowhere.
 */
export function holdPlace(view: EditorView, buffer: Buffer, edited: (buffer: Buffer) => void): HeldPlace {
  const isPage = buffer.view === view;
  let ranges = view.state.selection.ranges.map(({ from, to }) => ({ from, to }));
  const follow = ({ docChanged, changes }: Transaction) => {
    if (docChanged) ranges = ranges.map(({ from, to }) => ordered(changes.mapPos(from, 1), changes.mapPos(to, -1)));
  };
  buffer.mirrors.add(follow);
  const isShown = () => (isPage ? buffer.view === view : view.dom.isConnected);
  const release = () => buffer.mirrors.delete(follow);
  return {
    path: buffer.path,
    release,
    put(text) {
      if (!release()) return;
      const spec = { ...placed(ranges, text), userEvent: 'input.paste', annotations: isolateHistory.of('full') };
      if (!isShown()) {
        transact(buffer, spec);
        if (buffer.view === null) edited(buffer);
      } else view.dispatch(isUnmoved(view, ranges) ? { ...spec, selection: behind(ranges, text), scrollIntoView: true } : spec);
    },
  };
}

type Range = { readonly from: number; readonly to: number };

/** What was typed over a range is not part of it. */
const ordered = (from: number, to: number): Range => ({ from, to: Math.max(from, to) });

const placed = (ranges: readonly Range[], insert: string): TransactionSpec => ({ changes: ranges.map((range) => ({ ...range, insert })) });

function isUnmoved({ state }: EditorView, ranges: readonly Range[]): boolean {
  const now = state.selection.ranges;
  return now.length === ranges.length && ranges.every(({ from, to }, at) => now[at]!.from === from && now[at]!.to === to);
}

/** Cursors behind the text, in each place. */
function behind(ranges: readonly Range[], { length }: string): EditorSelection {
  let grown = 0;
  const cursors = ranges.map(({ from, to }) => {
    const at = from + grown + length;
    grown += length - (to - from);
    return EditorSelection.cursor(at);
  });
  return EditorSelection.create(cursors);
}
