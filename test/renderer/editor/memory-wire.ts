import { createHash } from 'node:crypto';
import type { CallInput, CallName, CoreEvents, EventName, Handlers } from '#protocol/calls';
import type { RecordedAs, SavedDocument } from '#protocol/document-calls';
import { Fault } from '#protocol/fault';
import type { Wire } from '#renderer/editor/wire.ts';

const baseOf = (text: string) => createHash('sha256').update(text).digest('hex');
const contentOf = (text: string) => `sha256:${baseOf(text)}`;
const untracked = { by: null, reason: null };

/** What happens to the next save: it arrives, its answer is lost after it arrived, or it is lost before. */
export type Fate = 'answered' | 'answer-lost' | 'lost';

/** A wire to files in memory, with what a test does behind the window's back; `others` answers what is not about files. */
export function createMemoryWire(files: Record<string, string>, others: Partial<Handlers> = {}) {
  const disk = new Map(Object.entries(files));
  const listeners = new Map<string, Set<(data: never) => void>>();
  const watchers = new Set<(state: 'connected' | 'lost') => void>();
  const saves: CallInput<'document/save'>[] = [];
  const settles: string[] = [];
  const done = new Map<string, string>();
  const fates: Fate[] = [];
  let stamp: ((text: string) => string) | null = null;
  let recorded: RecordedAs = { kind: 'off' };
  let refused: Fault | null = null;
  let gate: Promise<void> | null = null;
  let afterWrite: (() => void) | null = null;

  const open = (path: string) => {
    const text = disk.get(path);
    if (text === undefined) throw new Fault('file-missing', { path });
    return { kind: 'text' as const, text, base: baseOf(text), content: contentOf(text), tracking: untracked };
  };
  const saved = (text: string): SavedDocument => ({
    kind: 'saved',
    text,
    base: baseOf(text),
    content: contentOf(text),
    recorded,
    tracking: untracked,
  });
  const write = ({ path, text, base, idem }: CallInput<'document/save'>): SavedDocument => {
    if (refused !== null) throw refused;
    const now = disk.get(path);
    const earlier = done.get(idem);
    if (earlier !== undefined && earlier === now) return saved(now);
    if ((now === undefined ? null : baseOf(now)) !== base)
      return { kind: 'conflict', text: now ?? null, base: now === undefined ? null : baseOf(now), content: null };
    const put = stamp?.(text) ?? text;
    disk.set(path, put);
    done.set(idem, put);
    return saved(put);
  };
  const save = async (input: CallInput<'document/save'>): Promise<SavedDocument> => {
    saves.push(input);
    await gate;
    const fate = fates.shift() ?? 'answered';
    if (fate === 'lost') throw new Fault('core-restarted', {});
    const answer = write(input);
    afterWrite?.();
    if (fate === 'answer-lost') throw new Fault('core-restarted', {});
    return answer;
  };
  const settle = async (path: string) => {
    settles.push(path);
    const settled = { path, recorded: { kind: 'recorded' as const } };
    announce('document-settled', settled);
    return { settled: [settled] };
  };
  const call = async (name: string, input: never): Promise<unknown> => {
    if (name === 'document/open') return open((input as { path: string }).path);
    if (name === 'document/save') return save(input);
    if (name === 'document/settle') return settle((input as { path: string }).path);
    const other = others[name as CallName] as ((input: never) => Promise<unknown>) | undefined;
    if (other !== undefined) return other(input);
    throw new Fault('bug', { problem: name });
  };
  const wire: Wire = {
    call: call as Wire['call'],
    on(event, listener) {
      const known = listeners.get(event) ?? new Set();
      listeners.set(event, known.add(listener));
      return () => void known.delete(listener);
    },
    onState(listener) {
      watchers.add(listener);
      return () => void watchers.delete(listener);
    },
  };
  const announce = <Name extends EventName>(event: Name, data: CoreEvents[Name]) => {
    for (const listener of listeners.get(event) ?? []) listener(data as never);
  };
  return {
    wire,
    disk,
    saves,
    settles,
    fates,
    stampWith: (put: ((text: string) => string) | null) => {
      stamp = put;
    },
    recordAs: (as: RecordedAs) => {
      recorded = as;
    },
    refuseWith: (fault: Fault | null) => {
      refused = fault;
    },
    /** Does something between the writing of the next saves and their answers. */
    betweenWriteAndAnswer: (act: (() => void) | null) => {
      afterWrite = act;
    },
    /** Holds saves back until the answer is called. */
    hold(): () => void {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      return () => {
        gate = null;
        resolve();
      };
    },
    outside(path: string, text: string | null): void {
      if (text === null) disk.delete(path);
      else disk.set(path, text);
      announce('files-changed', { paths: [path] });
    },
    announce,
    connection(state: 'connected' | 'lost'): void {
      for (const watcher of watchers) watcher(state);
    },
  };
}

/** Lets everything that waits for a promise go on. */
export const settled = () => new Promise((resolve) => setTimeout(resolve, 5));
