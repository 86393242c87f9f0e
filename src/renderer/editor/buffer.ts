import { isolateHistory } from '@codemirror/commands';
import {
  Annotation,
  ChangeSet,
  EditorSelection,
  type EditorState,
  type StateEffect,
  Transaction,
  type TransactionSpec,
} from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import type { Tracking } from '#protocol/calls';
import { bodyStart } from './front.ts';
import { isSameFile, join, lineBreaksOf, type SplitText, setLineBreaks, split } from './line-breaks.ts';
import { minimalChange } from './minimal-change.ts';
import { createState, type Surroundings } from './setup.ts';

/** What is on disk of a document, as far as is known: the text taken apart, and the name of its bytes for the next save. */
export interface OnDisk {
  readonly text: SplitText;
  readonly base: string;
}

/** A save on its way: asked again with the same `idem` until it is answered. `since` is what was typed after it was sent. */
export interface Sending {
  readonly idem: string;
  readonly text: string;
  readonly base: string | null;
  readonly sent: SplitText;
  since: ChangeSet;
}

/** Somebody else wrote the document while it had unsaved changes, or removed it. */
export type Outside = { readonly kind: 'changed'; readonly text: string; readonly base: string } | { readonly kind: 'removed' };

/** One open document: there is one buffer for it, whatever shows it. */
export interface Buffer {
  /** Becomes another where the file is moved at a window. */
  path: string;
  state: EditorState;
  /** Where it is shown; null: nowhere at the moment. */
  view: EditorView | null;
  scroll: StateEffect<unknown> | null;
  /** Null: it is not on disk. */
  disk: OnDisk | null;
  tracking: Tracking;
  sending: Sending | null;
  outside: Outside | null;
}

/** Marks a transaction that takes over what is on disk: nobody typed it. */
export const fromDisk = Annotation.define<true>();

/** A buffer of a document as it was read, with the cursor where the writer's text begins. */
export function createBuffer(path: string, opened: { text: string; base: string; tracking: Tracking }, around: Surroundings): Buffer {
  const text = split(opened.text);
  const fresh = createState(text, around);
  const state = fresh.update({ selection: EditorSelection.cursor(bodyStart(fresh)) }).state;
  const disk = { text, base: opened.base };
  return { path, state, view: null, scroll: null, disk, tracking: opened.tracking, sending: null, outside: null };
}

/** Changes a buffer, where it is shown or not. */
export function transact(buffer: Buffer, spec: TransactionSpec): void {
  if (buffer.view !== null) buffer.view.dispatch(spec);
  else take(buffer, buffer.state.update(spec));
}

/** Takes a transaction that happened (in a view, or here). */
export function take(buffer: Buffer, transaction: Transaction): void {
  buffer.state = transaction.state;
  if (transaction.docChanged && buffer.sending !== null) buffer.sending.since = buffer.sending.since.compose(transaction.changes);
}

/** Whether a buffer differs from the disk; one that is not on disk does. */
export function isDirty({ state, disk }: Buffer): boolean {
  return disk === null || !isSameFile(state.doc, lineBreaksOf(state), disk.text);
}

/** Begins a save: what is sent is the buffer of this moment. */
export function beginSending(buffer: Buffer, idem: string): Sending {
  const { state } = buffer;
  const sent = { doc: state.doc, breaks: lineBreaksOf(state) };
  const sending = { idem, text: join(state), base: buffer.disk?.base ?? null, sent, since: ChangeSet.empty(state.doc.length) };
  buffer.sending = sending;
  return sending;
}

/**
 * Takes what a save put on disk. Where that is more than was sent (an identity block), it goes into the buffer as a
 * small change past what was typed meanwhile; the cursor stays with its text, and undo does not see it.
 */
export function settle(buffer: Buffer, sending: Sending, text: string, base: string): void {
  buffer.sending = null;
  const isAsSent = text === sending.text;
  buffer.disk = { text: isAsSent ? sending.sent : split(text), base };
  if (isAsSent) return;
  const { doc, breaks } = buffer.disk.text;
  const changes = minimalChange(sending.sent.doc, doc).map(sending.since, true);
  const effects = sending.since.empty ? [setLineBreaks.of(breaks)] : [];
  takeOver(buffer, changes, effects);
}

/** Makes a buffer what is on disk, with the cursor and the place in the window kept. `undoable`: undo brings the writer's own text back. */
export function follow(buffer: Buffer, text: string, base: string, { undoable }: { undoable: boolean }): void {
  const disk = { text: split(text), base };
  buffer.disk = disk;
  buffer.outside = null;
  takeOver(buffer, minimalChange(buffer.state.doc, disk.text.doc), [setLineBreaks.of(disk.text.breaks)], undoable);
}

function takeOver(buffer: Buffer, changes: ChangeSet, effects: StateEffect<unknown>[], undoable = false): void {
  const scroll = buffer.view?.scrollSnapshot().map(changes);
  if (buffer.scroll !== null) buffer.scroll = buffer.scroll.map(changes) ?? null;
  transact(buffer, {
    changes,
    effects: scroll === undefined ? effects : [...effects, scroll],
    selection: buffer.state.selection.map(changes, 1),
    annotations: [fromDisk.of(true), Transaction.addToHistory.of(undoable), isolateHistory.of('full')],
  });
}
