import { type EditorState, Transaction } from '@codemirror/state';
import { Fault } from '#protocol/fault';
import type { JournalLayout, JournalRecord, JournalStep, JournalTextOfFile } from '#protocol/journal-calls';
import { untoldIn } from './acceptance.ts';
import { type Buffer, isDirty } from './buffer.ts';
import { isStep, stepOf, writtenHistory, writtenSelection } from './journal-step.ts';
import { join, joinText } from './line-breaks.ts';
import { topCharacter } from './scroll.ts';
import type { Wire } from './wire.ts';

/** What a journal needs from around it. */
export interface WindowJournalOptions {
  readonly wire: Wire;
  /** The name of this life of the window. */
  readonly session: string;
  readonly now: () => number;
  /** Which documents are open and where the writer is in them. */
  readonly layout: () => Omit<JournalLayout, 'kind' | 'at'>;
  /** Told when what is typed cannot be kept, and (null) when it can again. */
  readonly troubled: (fault: Fault | null) => void;
}

/** The recovery journal of a window: what is typed is kept by core within a second, and nothing is kept twice. */
export interface WindowJournal {
  /** Follows a buffer from now on; `isLeft`: it holds text that only another journal has. */
  opened(buffer: Buffer, isLeft?: boolean): void;
  closed(buffer: Buffer): void;
  /** Something else than a text may have changed: which documents are open, where the cursor is, what is saved. */
  changed(): void;
  /** Keeps now what is not kept yet; answers whether it is. */
  flush(): Promise<boolean>;
  /** The window is left in order. */
  leave(): Promise<boolean>;
  dispose(): void;
}

/** How long what was typed is gathered before it is sent, in ms; the rest of a second is core's. */
const gathering = 250;
/** The same for what is no text. */
const idling = 900;
/** How long to wait after core could not write, in ms. */
const patience = 5000;
/** A text of more characters than this is not sent where its file holds it: core reads it there. */
const sentTo = 256 * 1024;
/** From so many characters of steps on, a journal is begun anew where they outweigh the texts. */
const longest = 256 * 1024;

interface Followed {
  readonly doc: number;
  readonly buffer: Buffer;
  /** What the steps that are not sent were done to, where no text was sent yet. */
  start: (Standing & { readonly state: EditorState }) | null;
  steps: JournalStep[];
  /** The cursor was moved since the last step, so that what is typed next is taken back by itself. */
  isMoved: boolean;
  hasText: boolean;
  /** What was said of it last. */
  said: string;
}

type Sent = JournalRecord | JournalTextOfFile;
type Standing = Pick<
  Extract<JournalRecord, { kind: 'text' }>,
  'path' | 'base' | 'content' | 'encoding' | 'readAs' | 'descends' | 'isDirty' | 'isGone' | 'taken'
>;

/** Makes the journal of a window; nothing is kept before something is typed or opened. */
export function createWindowJournal({ wire, session, now, layout, troubled }: WindowJournalOptions): WindowJournal {
  const followed = new Map<Buffer, Followed>();
  const gone: number[] = [];
  let count = 0;
  let saidLayout = '';
  let saidAt = Number.NEGATIVE_INFINITY;
  let isFresh = true;
  /** A file was not what it was taken for: all texts are sent. */
  let isAllSent = false;
  let weight = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let due = Number.POSITIVE_INFINITY;
  let sending: Promise<boolean> | null = null;
  let isDisposed = false;

  const soon = (rest: number) => {
    if (isDisposed || now() + rest >= due) return;
    clearTimeout(timer);
    due = now() + rest;
    timer = setTimeout(() => void flush(), rest);
  };
  const settled = () => {
    clearTimeout(timer);
    due = Number.POSITIVE_INFINITY;
  };

  const stepsOf = (one: Followed): Sent[] => {
    const { doc, buffer, steps } = one;
    const standing = standingOf(buffer);
    const said = JSON.stringify(standing);
    if (steps.length === 0 && said === one.said) return [];
    one.said = said;
    one.steps = [];
    weight += steps.reduce((sum, step) => sum + 100 + JSON.stringify(step.changes).length, 0);
    return [{ kind: 'steps', doc, ...standing, ...placeOf(buffer), at: now(), steps }];
  };
  const textOf = (one: Followed, state: EditorState, standing: Standing): Sent => {
    one.hasText = true;
    one.start = null;
    const place = { selection: writtenSelection(state), top: null };
    const { disk } = one.buffer;
    const common = { doc: one.doc, ...standing, ...place, at: now(), history: writtenHistory(state) as never };
    const { isDirty: isOther, base } = standing;
    if (!isAllSent && !isOther && base !== null && state.doc.length > sentTo) return { kind: 'text-of-file', ...common, base };
    const before = standing.isDirty && disk !== null ? joinText(disk.text.doc, disk.text.breaks) : null;
    return { kind: 'text', ...common, text: join(state), before };
  };
  const textNow = (one: Followed): Sent[] => {
    one.steps = [];
    const standing = standingOf(one.buffer);
    one.said = JSON.stringify(standing);
    return [{ ...textOf(one, one.buffer.state, standing), ...placeOf(one.buffer) } as Sent];
  };
  const added = (one: Followed): Sent[] => {
    const { start } = one;
    if (start !== null && !one.hasText) {
      const { state, ...standing } = start;
      return [textOf(one, state, standing), ...stepsOf(one)];
    }
    if (one.hasText) return stepsOf(one);
    // Its file is gone, or it is to be written otherwise: nothing was typed, and yet the text is nowhere else.
    return isDirty(one.buffer) ? textNow(one) : [];
  };
  const whole = (one: Followed): Sent[] => {
    return one.hasText ? textNow(one) : added(one);
  };
  /** While somebody types the cursor moves with each key: that is said less often than what is typed. */
  const layoutNow = (isLast: boolean): Sent[] => {
    const next = layout();
    const said = JSON.stringify(next);
    if (said === saidLayout && !isFresh) return [];
    if (!isFresh && !isLast && now() - saidAt < idling) {
      soon(idling);
      return [];
    }
    saidLayout = said;
    saidAt = now();
    return [{ kind: 'layout', at: now(), ...next }];
  };
  /** Everything that is not kept yet. */
  const collect = (isLast = false): { fresh: boolean; records: Sent[] } => {
    const all = [...followed.values()];
    const texts = all.reduce((sum, { hasText, buffer }) => sum + (hasText ? buffer.state.doc.length : 0), 0);
    isFresh ||= gone.length > 0 || weight > Math.max(longest, texts);
    const fresh = isFresh;
    const records = [...layoutNow(isLast), ...all.flatMap(fresh ? whole : added)];
    if (fresh) weight = 0;
    gone.length = 0;
    isFresh = false;
    return { fresh, records };
  };
  /** What was sent may not have come: all of it is sent again. */
  const failed = (error: unknown): false => {
    isFresh = true;
    const fault = error instanceof Fault ? error : new Fault('bug', { problem: String(error) });
    if (isDisposed || wireIsLost(fault)) return false;
    troubled(fault);
    soon(patience);
    return false;
  };
  const send = async (input: { fresh: boolean; records: Sent[] }): Promise<boolean> => {
    try {
      const answer = await wire.call('journal/append', { session, ...input });
      if (answer.kind !== 'kept') {
        isFresh = true;
        isAllSent ||= answer.kind === 'other';
        return await send(collect());
      }
      isAllSent = false;
      troubled(null);
      return true;
    } catch (error) {
      return failed(error);
    }
  };
  const flush = async (): Promise<boolean> => {
    settled();
    while (sending !== null) await sending;
    const input = collect();
    if (input.records.length === 0 && !input.fresh) return true;
    sending = send(input);
    const isKept = await sending;
    sending = null;
    return isKept;
  };
  const stop = wire.onState((state) => {
    if (state === 'connected' && isFresh) soon(gathering);
  });

  return {
    opened(buffer, isLeft = false) {
      const one: Followed = { doc: ++count, buffer, start: null, steps: [], isMoved: false, hasText: isLeft, said: '' };
      followed.set(buffer, one);
      if (isLeft) isFresh = true;
      buffer.heard = (transaction) => {
        if (transaction.selection !== undefined) soon(idling);
        if (!isStep(transaction)) {
          one.isMoved ||= transaction.selection !== undefined && transaction.annotation(Transaction.addToHistory) !== false;
          return;
        }
        if (!one.hasText) one.start ??= { state: transaction.startState, ...standingOf(buffer, transaction.startState) };
        one.steps.push(stepOf(transaction, one.isMoved));
        one.isMoved = false;
        soon(gathering);
      };
      soon(isLeft ? gathering : idling);
    },
    closed(buffer) {
      const one = followed.get(buffer);
      if (one === undefined) return;
      buffer.heard = null;
      followed.delete(buffer);
      if (one.hasText) gone.push(one.doc);
      soon(one.hasText ? gathering : idling);
    },
    changed: () => soon(idling),
    flush,
    leave() {
      settled();
      const { fresh, records } = collect(true);
      return send({ fresh, records: [...records, { kind: 'left', at: now() }] });
    },
    dispose() {
      isDisposed = true;
      settled();
      stop();
    },
  };
}

const wireIsLost = ({ code }: Fault) => ['core-restarted', 'connection-lost'].includes(code as string);

function standingOf(buffer: Buffer, state: EditorState = buffer.state): Standing {
  const { path, disk, encoding, descends, told, outside } = buffer;
  const isOther = isDirty(state === buffer.state ? buffer : { ...buffer, state, encoding: disk?.encoding ?? encoding });
  const readAs = disk?.encoding ?? encoding;
  const taken = untoldIn(state, told);
  const more = { ...(outside?.kind === 'removed' ? { isGone: true as const } : {}), ...(taken.length === 0 ? {} : { taken }) };
  return { path, base: disk?.base ?? null, content: disk?.content ?? null, encoding, readAs, descends, isDirty: isOther, ...more };
}

function placeOf({ state, view }: Buffer) {
  return { selection: writtenSelection(state), top: view === null ? null : topCharacter(view) };
}
