import type { RecordedAs } from '#protocol/document-calls';
import { Fault, type FaultDetail } from '#protocol/fault';
import { toldBy } from './acceptance.ts';
import { type Buffer, beginSending, isDirty, loseFile, type Sending, settle } from './buffer.ts';
import { isUntitled } from './untitled.ts';
import type { Wire } from './wire.ts';

/** What is known of the last save of a document. `at` is in ms since 1970. */
export type SaveState =
  | { readonly kind: 'none' | 'saving' | 'waiting' }
  | { readonly kind: 'saved'; readonly at: number; readonly recorded: RecordedAs }
  | { readonly kind: 'failed'; readonly code: string; readonly detail: FaultDetail };

/** What became of asking for a save. `undecided`: what somebody else wrote has to be decided about first; `unnamed`: it needs a name first. */
export type SaveOutcome = 'saved' | 'clean' | 'conflict' | 'undecided' | 'waiting' | 'failed' | 'unnamed';

/** What saves need besides the wire. */
export interface SavingOptions {
  readonly wire: Wire;
  readonly newId: () => string;
  readonly now: () => number;
  readonly told: (buffer: Buffer, state: SaveState) => void;
  /** Told where what was due turns out to be recorded. */
  readonly recorded: (buffer: Buffer) => void;
}

/** Saves buffers, one save at a time each. */
export interface Saving {
  /**
   * Saves a buffer if it differs from the disk, and records what is due; `auto`: by itself, so that recording waits. A
   * save that waits for the connection is repeated first, with its own `idem`.
   */
  save(buffer: Buffer, how?: { readonly auto: boolean }): Promise<SaveOutcome>;
  /** Records what a save by itself left due. */
  record(buffer: Buffer): Promise<void>;
}

/** Makes what saves buffers. */
export function createSaving({ wire, newId, now, told, recorded }: SavingOptions): Saving {
  const busy = new Map<Buffer, Promise<SaveOutcome>>();

  const once = async (buffer: Buffer, auto: boolean): Promise<SaveOutcome> => {
    if (isUntitled(buffer.path)) return 'unnamed';
    if (buffer.outside?.kind === 'changed') return 'undecided';
    if (buffer.readOnly !== null) return 'clean';
    const repeated = buffer.sending;
    if (repeated !== null) {
      const outcome = await send(buffer, repeated);
      if (outcome !== 'saved') return outcome;
    }
    if (isDirty(buffer)) return send(buffer, beginSending(buffer, newId(), auto));
    if (!auto) await record(buffer);
    return repeated === null ? 'clean' : 'saved';
  };

  const send = async (buffer: Buffer, sending: Sending): Promise<SaveOutcome> => {
    told(buffer, { kind: 'saving' });
    try {
      const { idem, text, base, descends, auto, encoding } = sending;
      const how = { ...(encoding === 'utf-8' ? {} : { encoding }), ...ofModels(sending) };
      return received(buffer, sending, await wire.call('document/save', { path: buffer.path, text, base, idem, descends, auto, ...how }));
    } catch (error) {
      return failed(buffer, error);
    }
  };

  type Answer = Awaited<ReturnType<typeof wire.call<'document/save'>>>;
  const received = (buffer: Buffer, sending: Sending, answer: Answer): SaveOutcome => {
    // Without a ledger core cannot know a repeated save: then the disk tells that it had arrived.
    const isOurs = answer.kind === 'conflict' && answer.text === sending.text && answer.base !== null;
    if (answer.kind === 'conflict' && !isOurs) {
      buffer.sending = null;
      const { kind: _, text, base, ...rest } = answer;
      if (text === null || base === null) loseFile(buffer);
      else buffer.outside = { kind: 'changed', text, base, ...rest };
      told(buffer, { kind: 'none' });
      return 'conflict';
    }
    settle(buffer, sending, { text: answer.text!, base: answer.base!, content: answer.content });
    const recorded = answer.kind === 'saved' ? answer.recorded.kind : 'off';
    buffer.isDue = recorded === 'due';
    buffer.told = toldBy(buffer.told, sending.acceptances, recorded !== 'due' && recorded !== 'failed');
    buffer.outside = null;
    if (answer.kind === 'saved') buffer.tracking = answer.tracking;
    told(buffer, { kind: 'saved', at: now(), recorded: answer.kind === 'saved' ? answer.recorded : { kind: 'off' } });
    return 'saved';
  };

  const failed = (buffer: Buffer, error: unknown): SaveOutcome => {
    const fault = error instanceof Fault ? error : new Fault('bug', { problem: String(error) });
    if (isLost(fault)) {
      told(buffer, { kind: 'waiting' });
      return 'waiting';
    }
    buffer.sending = null;
    told(buffer, { kind: 'failed', code: fault.code, detail: fault.detail });
    return 'failed';
  };

  /** The answer to those who show it comes as an event, as it does where core records by itself. */
  const record = async (buffer: Buffer): Promise<void> => {
    if (!buffer.isDue) return;
    try {
      const { settled } = await wire.call('document/settle', { path: buffer.path });
      // Another program has recorded it.
      if (settled.length === 0) recorded(buffer);
    } catch (error) {
      // Still due: core records it after its rest, or when it is back.
      if (!(error instanceof Fault)) throw error;
    }
  };

  return {
    record,
    save(buffer, { auto } = { auto: false }) {
      const before = busy.get(buffer) ?? Promise.resolve();
      const next = before.then(() => once(buffer, auto)).finally(() => busy.get(buffer) === next && busy.delete(buffer));
      busy.set(buffer, next);
      return next;
    },
  };
}

/** Whether a call failed because its answer was lost, so that it must be asked again. */
export function isLost(error: unknown): boolean {
  return error instanceof Fault && ['core-restarted', 'connection-lost'].includes(error.code as string);
}

/** What a save tells of text of models; nothing where there was none. */
function ofModels({ acceptances: { accepted, undone } }: Sending) {
  return { ...(accepted.length === 0 ? {} : { accepted }), ...(undone.length === 0 ? {} : { undone: [...undone] }) };
}
