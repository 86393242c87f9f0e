import { ChangeSet, type EditorState, type Text, Transaction } from '@codemirror/state';
import { maskIdentity } from '#kernel/identity';
import { canonicalText } from '#kernel/text';
import type { OpenedDocument } from '#protocol/document-calls';
import type { JournaledText, JournalSteps, JournalText } from '#protocol/journal-calls';
import { nothingTold, resumingTaken } from './acceptance.ts';
import { type Buffer, createBuffer, type OnDisk, type Outside } from './buffer.ts';
import { replay, withSelection } from './journal-step.ts';
import { isSameFile, lineBreaksOf, type SplitText, setLineBreaks, split } from './line-breaks.ts';
import { minimalChange } from './minimal-change.ts';
import { createState, type Surroundings } from './setup.ts';

/** A document as core reads it. */
export type OpenedText = Extract<OpenedDocument, { kind: 'text' }>;

/** A text that was left behind, as far as its journal can be read. */
interface Replayed {
  readonly state: EditorState;
  readonly last: JournalText | JournalSteps;
  /** The text that its base names, where it was met on the way. */
  readonly base: SplitText | null;
  /** What was done since the text was what is on disk now; null where it never was. `isStamped`: but for an identity block. */
  readonly since: { readonly doc: Text; readonly changes: ChangeSet; readonly isStamped: boolean } | null;
  readonly isWhole: boolean;
}

/** Does everything again that was done to a text. `now`: what is on disk, to see whether the text came by it. */
function replayed({ text, steps, isWhole }: JournaledText, now: SplitText | null, around: Surroundings): Replayed {
  const isNow = matcherOf(now);
  let state = firstState(text, around);
  let last: JournalText | JournalSteps = text;
  let base = text.isDirty ? (text.before === null ? null : split(text.before)) : fileOf(state);
  let since = isNow(state);
  for (const record of steps) {
    for (const step of record.steps) {
      try {
        state = replay(state, step);
      } catch {
        return { state, last: { ...last, isDirty: true }, base, since, isWhole: false };
      }
      const met = isNow(state);
      since = met ?? (since === null ? null : { ...since, changes: since.changes.compose(ChangeSet.fromJSON(step.changes)) });
    }
    last = record;
    if (!record.isDirty) base = fileOf(state);
  }
  return { state: withSelection(state, last.selection), last, base, since, isWhole };
}

const fileOf = (state: EditorState): SplitText => ({ doc: state.doc, breaks: lineBreaksOf(state) });

/** What can be taken back is worth less than the text: where it cannot be read the text comes without. */
function firstState({ text, path, selection, history }: JournalText, around: Surroundings): EditorState {
  const file = split(text);
  if (history === null) return withSelection(createState(file, around, path), selection);
  try {
    return createState(file, around, path, { selection, history });
  } catch {
    return createState(file, around, path);
  }
}

/** Tells whether a state is what is on disk, or was before a save put an identity block in. */
function matcherOf(now: SplitText | null): (state: EditorState) => Replayed['since'] {
  if (now === null) return () => null;
  const bare = split(maskIdentity(canonicalText(now.doc.toString()))).doc;
  return (state) => {
    const isSame = state.doc.length === now.doc.length && isSameFile(state.doc, lineBreaksOf(state), now);
    const isStamped = !isSame && bare.length !== now.doc.length && state.doc.length === bare.length && state.doc.eq(bare);
    return isSame || isStamped ? { doc: state.doc, changes: ChangeSet.empty(state.doc.length), isStamped } : null;
  };
}

/**
 * A buffer with the text that was left behind, over the file as it is now (null: it is gone). Where the file is another
 * than the text was written over, the writer has to decide.
 */
export function recoveredBuffer(left: JournaledText, opened: OpenedText | null, around: Surroundings): Buffer {
  const now = opened === null ? null : split(opened.text);
  const found = withTaken(replayed(left, now, around), opened);
  const { last } = found;
  // Where the answer of the save was heard, the block stands in the text already.
  const isToStamp = found.since?.isStamped === true && opened?.base !== last.base && !hasBlock(found.state);
  if (opened !== null && !last.isDirty && found.isWhole && opened.base !== last.base) return createBuffer(last.path, opened, around);
  return {
    path: last.path,
    state: isToStamp && now !== null ? stamped(found, now) : found.state,
    view: null,
    scroll: null,
    mirrors: new Set(),
    ...standingOf(found, left, opened),
    encoding: last.encoding,
    readOnly: null,
    descends: last.descends,
    isDue: false,
    told: nothingTold,
    tracking: opened?.tracking ?? { by: null, reason: null },
    sending: null,
    heard: null,
  };
}

/** What was taken of models comes back with the text; where a save had reached the disk, the ledger knows what stood in that. */
function withTaken(found: Replayed, opened: OpenedText | null): Replayed {
  const { state, last, since } = found;
  const isSaved = since !== null && opened !== null && opened.base !== last.base;
  const effects = resumingTaken(state, last.taken ?? [], isSaved ? since.changes : null);
  return effects.length === 0 ? found : { ...found, state: state.update({ effects }).state };
}

function hasBlock({ doc }: EditorState): boolean {
  const text = canonicalText(doc.toString());
  return maskIdentity(text) !== text;
}

/** The save had reached the disk, and put an identity block in: it goes into the text past what was typed meanwhile. */
function stamped({ state, since, last }: Replayed, now: SplitText): EditorState {
  const { doc, changes } = since!;
  const block = minimalChange(doc, now.doc).map(changes, true);
  const effects = changes.empty ? [setLineBreaks.of(now.breaks)] : [];
  const after = withSelection(state, last.selection);
  return after.update({ changes: block, effects, annotations: Transaction.addToHistory.of(false), filter: false }).state;
}

/** A text that was kept as unsaved did not come from one that is the same: a save lay between them that was never met. Then nothing in common is known. */
function otherThan(state: EditorState, { isDirty, encoding, readAs }: Replayed['last'], base: SplitText): SplitText {
  if (!isDirty || encoding !== readAs || !isSameFile(state.doc, lineBreaksOf(state), base)) return base;
  return split(state.doc.length === 0 ? '\n' : '');
}

function standingOf(found: Replayed, left: JournaledText, opened: OpenedText | null): { disk: OnDisk | null; outside: Outside | null } {
  const { state, last, since, base } = found;
  // Whoever merges needs a text that both come from; the oldest that is known is one.
  const text = otherThan(state, last, base ?? split(left.text.text));
  const before = last.base === null ? null : { text, base: last.base, content: last.content, encoding: last.readAs };
  if (opened === null) return { disk: null, outside: before === null && last.isGone !== true ? null : { kind: 'removed', before } };
  const { base: name, content, encoding = 'utf-8', readOnly } = opened;
  if (since !== null || name === last.base) return { disk: { text: split(opened.text), base: name, content, encoding }, outside: null };
  const outside: Outside = {
    kind: 'changed',
    text: opened.text,
    base: name,
    content,
    encoding,
    ...(readOnly === undefined ? {} : { readOnly }),
  };
  return { disk: before, outside };
}
