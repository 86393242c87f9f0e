import { isolateHistory } from '@codemirror/commands';
import { ChangeSet, EditorSelection, type EditorState, StateEffect, Transaction, type TransactionSpec } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { maskIdentity } from '#kernel/identity';
import type { Tracking } from '#protocol/document-calls';
import type { Encoding } from '#protocol/encoding';
import { type Acceptances, acceptancesOf, nothingTold, type ToldAcceptances } from './acceptance.ts';
import { bodyStart } from './front.ts';
import { isSameFile, join, lineBreaksOf, type SplitText, setLineBreaks, split } from './line-breaks.ts';
import { fromDisk, locked } from './lock.ts';
import { minimalChange } from './minimal-change.ts';
import { createState, type Surroundings } from './setup.ts';
import { isUntitled } from './untitled.ts';

/** What is on disk of a document, as far as is known: the text taken apart, the name of its bytes for the next save, and that of its content for the ledger. */
export interface OnDisk {
  readonly text: SplitText;
  readonly base: string;
  readonly content: string | null;
  readonly encoding: Encoding;
}

/** A text as core read or wrote it, in UTF-8 unless it says otherwise. */
export interface ReadText {
  readonly text: string;
  readonly base: string;
  readonly content: string | null;
  readonly encoding?: Encoding;
  readonly readOnly?: NonNullable<Buffer['readOnly']>;
}

/** A save on its way: asked again with the same `idem` until it is answered. `since` is what was typed after it was sent. */
export interface Sending {
  readonly idem: string;
  readonly text: string;
  readonly base: string | null;
  readonly descends: string | null;
  /** Whether the document saves itself: the file is written now, and recorded later. */
  readonly auto: boolean;
  readonly encoding: Encoding;
  readonly sent: SplitText;
  /** Text of models in it, and what of that was taken back. */
  readonly acceptances: Acceptances;
  since: ChangeSet;
}

/** Somebody else wrote the document while it had unsaved changes, or removed it; `before` is what was on disk then, as far as is known. */
export type Outside = ({ readonly kind: 'changed' } & ReadText) | { readonly kind: 'removed'; readonly before: OnDisk | null };

/** One open document: there is one buffer for it, whatever shows it. */
export interface Buffer {
  /** Becomes another where the file is moved at a window. */
  path: string;
  state: EditorState;
  /** Where it is shown; null: nowhere at the moment. */
  view: EditorView | null;
  scroll: StateEffect<unknown> | null;
  /** Told of each change, where it is shown a second time. */
  readonly mirrors: Set<(transaction: Transaction) => void>;
  /** Null: it is not on disk. */
  disk: OnDisk | null;
  /** The encoding that it is saved in. */
  encoding: Encoding;
  /** Why it cannot be changed: it could not be written as it is. */
  readonly readOnly: 'not-utf-8' | 'inexact' | null;
  /** The content that the writer's text descends from, where the writer settled what somebody else wrote; for the next save. */
  descends: string | null;
  /** Whether its last save is still to be recorded. */
  isDue: boolean;
  /** What its saves have told of text of models. */
  told: ToldAcceptances;
  tracking: Tracking;
  sending: Sending | null;
  outside: Outside | null;
  /** Told of everything that happens to the buffer. */
  heard: ((transaction: Transaction) => void) | null;
}

/** A buffer of a document as it was read, with the cursor where the writer's text begins. */
export function createBuffer(path: string, opened: ReadText & { tracking: Tracking }, around: Surroundings): Buffer {
  const text = split(opened.text);
  const fresh = createState(text, around, path);
  const { encoding = 'utf-8', readOnly = null } = opened;
  const effects = readOnly === null ? [] : [StateEffect.appendConfig.of(locked)];
  const state = fresh.update({ selection: EditorSelection.cursor(bodyStart(fresh)), effects }).state;
  const disk = { text, base: opened.base, content: opened.content, encoding };
  const saving = { encoding, readOnly, descends: null, isDue: false, told: nothingTold, sending: null, outside: null, heard: null };
  return { path, state, view: null, scroll: null, mirrors: new Set(), disk, tracking: opened.tracking, ...saving };
}

/** A buffer of a document that has no file yet; nobody knows it by anything but `path` in this window. */
export function createUntitled(path: string, text: string, around: Surroundings): Buffer {
  return { ...createBuffer(path, { text, base: '', content: null, tracking: { by: null, reason: null } }, around), disk: null };
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
  for (const mirror of buffer.mirrors) mirror(transaction);
  buffer.heard?.(transaction);
}

/** Whether a buffer differs from the disk; one that is not on disk does, unless it never was and is empty. */
export function isDirty({ path, state, disk, encoding, readOnly }: Buffer): boolean {
  if (readOnly !== null) return false;
  if (disk === null) return !isUntitled(path) || state.doc.length > 0;
  return encoding !== disk.encoding || !isSameFile(state.doc, lineBreaksOf(state), disk.text);
}

/** Begins a save: what is sent is the buffer of this moment. */
export function beginSending(buffer: Buffer, idem: string, auto: boolean): Sending {
  const { state, descends } = buffer;
  const sent = { doc: state.doc, breaks: lineBreaksOf(state) };
  const over = { base: buffer.disk?.base ?? null, descends, auto, encoding: buffer.encoding };
  const acceptances = acceptancesOf(state, buffer.told);
  const sending = { idem, text: join(state), ...over, sent, acceptances, since: ChangeSet.empty(state.doc.length) };
  buffer.sending = sending;
  return sending;
}

/**
 * Takes what a save put on disk. Where that is more than was sent (an identity block), it goes into the buffer as a
 * small change past what was typed meanwhile; the cursor stays with its text, and undo does not see it.
 */
export function settle(buffer: Buffer, sending: Sending, { text, base, content }: ReadText): void {
  buffer.sending = null;
  buffer.descends = null;
  const isAsSent = text === sending.text;
  buffer.disk = { text: isAsSent ? sending.sent : split(text), base, content, encoding: sending.encoding };
  if (isAsSent) return;
  const { doc, breaks } = buffer.disk.text;
  const changes = minimalChange(sending.sent.doc, doc).map(sending.since, true);
  const isUntouched = sending.since.empty && lineBreaksOf(buffer.state) === sending.sent.breaks;
  const effects = isUntouched ? [setLineBreaks.of(breaks)] : [];
  takeOver(buffer, changes, effects);
}

/** Makes a buffer what is on disk, with the cursor and the place in the window kept. `undoable`: undo brings the writer's own text back. */
export function follow(buffer: Buffer, { text, base, content, encoding = 'utf-8' }: ReadText, { undoable }: { undoable: boolean }): void {
  const disk = { text: split(text), base, content, encoding };
  buffer.disk = disk;
  buffer.encoding = encoding;
  buffer.descends = null;
  buffer.outside = null;
  takeOver(buffer, minimalChange(buffer.state.doc, disk.text.doc), [setLineBreaks.of(disk.text.breaks)], undoable);
}

/** The file of a buffer is gone: what it was is known still, for when it is there again. */
export function loseFile(buffer: Buffer): void {
  const { disk, outside } = buffer;
  buffer.outside = { kind: 'removed', before: disk ?? (outside?.kind === 'removed' ? outside.before : null) };
  buffer.disk = null;
}

/** Decides for the writer's own text: the next save goes over what somebody else wrote, and descends from both. */
export function keepMine(buffer: Buffer, { text, base, content, encoding = 'utf-8' }: ReadText): void {
  buffer.descends ??= buffer.disk?.content ?? null;
  buffer.disk = { text: split(text), base, content, encoding };
  buffer.outside = null;
}

/** Takes a text that the writer merged of both: the next save goes over what somebody else wrote, and descends from both. Undo brings the writer's own text back. */
export function takeMerged(buffer: Buffer, merged: string, theirs: ReadText): void {
  keepMine(buffer, theirs);
  const { doc, breaks } = split(merged);
  const changes = minimalChange(buffer.state.doc, doc);
  transact(buffer, { changes, effects: setLineBreaks.of(breaks), userEvent: 'input.merge', annotations: isolateHistory.of('full') });
  if (!isDirty(buffer)) buffer.descends = null;
}

/** Whether a text differs from a buffer's in nothing but the identity block: what tracking puts in or takes out is no step of the writer. */
export function differsInIdentity({ state: { doc } }: Buffer, text: string): boolean {
  const after = split(text).doc;
  return !doc.eq(after) && maskIdentity(doc.toString()) === maskIdentity(after.toString());
}

/** Whether a text can be changed as the buffer can; where not, it needs a buffer of its own. */
export const isOpenAs = (buffer: Buffer, { readOnly = null }: { readonly readOnly?: Buffer['readOnly'] }): boolean =>
  readOnly === buffer.readOnly;

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
