import type { RecordedAs } from '#protocol/calls';
import { Fault, type FaultDetail } from '#protocol/fault';
import { type Buffer, beginSending, isDirty, type Sending, settle } from './buffer.ts';
import type { Wire } from './wire.ts';

/** What is known of the last save of a document. `at` is in ms since 1970. */
export type SaveState =
  | { readonly kind: 'none' | 'saving' | 'waiting' }
  | { readonly kind: 'saved'; readonly at: number; readonly recorded: RecordedAs }
  | { readonly kind: 'failed'; readonly code: string; readonly detail: FaultDetail };

/** What became of asking for a save. `undecided`: what somebody else wrote has to be decided about first. */
export type SaveOutcome = 'saved' | 'clean' | 'conflict' | 'undecided' | 'waiting' | 'failed';

/** What saves need besides the wire. */
export interface SavingOptions {
  readonly wire: Wire;
  readonly newId: () => string;
  readonly now: () => number;
  readonly told: (buffer: Buffer, state: SaveState) => void;
}

/** Saves buffers, one save at a time each. */
export interface Saving {
  /** Saves a buffer if it differs from the disk; a save that waits for the connection is repeated first, with its own `idem`. */
  save(buffer: Buffer): Promise<SaveOutcome>;
}

/** Makes what saves buffers. */
export function createSaving({ wire, newId, now, told }: SavingOptions): Saving {
  const busy = new Map<Buffer, Promise<SaveOutcome>>();

  const once = async (buffer: Buffer): Promise<SaveOutcome> => {
    if (buffer.outside?.kind === 'changed') return 'undecided';
    const repeated = buffer.sending;
    if (repeated !== null) {
      const outcome = await send(buffer, repeated);
      if (outcome !== 'saved') return outcome;
    }
    if (!isDirty(buffer)) return repeated === null ? 'clean' : 'saved';
    return send(buffer, beginSending(buffer, newId()));
  };

  const send = async (buffer: Buffer, sending: Sending): Promise<SaveOutcome> => {
    told(buffer, { kind: 'saving' });
    try {
      const { idem, text, base } = sending;
      return received(buffer, sending, await wire.call('document/save', { path: buffer.path, text, base, idem }));
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
      const { text, base } = answer;
      if (text === null || base === null) buffer.disk = null;
      buffer.outside = text === null || base === null ? { kind: 'removed' } : { kind: 'changed', text, base };
      told(buffer, { kind: 'none' });
      return 'conflict';
    }
    settle(buffer, sending, answer.text!, answer.base!);
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

  return {
    save(buffer) {
      const before = busy.get(buffer) ?? Promise.resolve();
      const next = before.then(() => once(buffer)).finally(() => busy.get(buffer) === next && busy.delete(buffer));
      busy.set(buffer, next);
      return next;
    },
  };
}

/** Whether a call failed because its answer was lost, so that it must be asked again. */
export function isLost(error: unknown): boolean {
  return error instanceof Fault && ['core-restarted', 'connection-lost'].includes(error.code as string);
}
