import { redo, undo } from '@codemirror/commands';
import { Transaction, type TransactionSpec } from '@codemirror/state';
import type { Core } from '#core/core';
import { settledAs } from '#core/handlers/document';
import { createHandlers } from '#core/handlers/host';
import type { CallName, EventName } from '#protocol/calls';
import type { SettledDocument } from '#protocol/document-calls';
import { createAnnouncer } from '#protocol/server';
import { type Buffer, take } from '#renderer/editor/buffer.ts';
import { createDocuments } from '#renderer/editor/documents.ts';
import { join } from '#renderer/editor/line-breaks.ts';
import { accepting, ending, rejecting, suggestionsOf } from '#renderer/editor/suggestion/act.ts';
import { beginRun, pendingIn, type Run, reviewOf } from '#renderer/editor/suggestion/review.ts';
import type { Wire } from '#renderer/editor/wire.ts';

let last = 0;
/** An id that no other has. */
export const nextId = (): string => `00000000-0000-7000-8000-${String(++last).padStart(12, '0')}`;

/** The documents of a window over a real core, as a writer and a model work on them. */
export async function openDesk(core: Core, path: string) {
  const heard = new Set<(settled: SettledDocument) => void>();
  const attach = (some: Core) => {
    some.followSettled((due) => {
      for (const listener of heard) listener(settledAs(due));
    });
    return createHandlers(some, createAnnouncer());
  };
  let handlers = attach(core);
  const wire = {
    call: (name: CallName, input: never) => (handlers[name] as (input: never) => Promise<unknown>)(input),
    on: (event: EventName, listener: (settled: SettledDocument) => void) => {
      if (event === 'document-settled') heard.add(listener);
      return () => {};
    },
    onState: () => () => {},
  } as unknown as Wire;
  const documents = createDocuments({ wire, newId: nextId, now: Date.now, say: (key) => key, follow: () => {} });
  await documents.open(path);
  const buffer = (): Buffer => documents.bufferOf(path)!;
  const dispatch = (transaction: Transaction) => {
    take(buffer(), transaction);
    if (transaction.docChanged) documents.edited(buffer(), true);
  };
  const change = (spec: TransactionSpec) => dispatch(buffer().state.update(spec));
  return {
    documents,
    buffer,
    text: () => join(buffer().state),
    pending: () => pendingIn(reviewOf(buffer().state)),
    change,
    type: (at: number, insert: string, to = at) =>
      change({ changes: { from: at, to, insert }, annotations: Transaction.userEvent.of('input') }),
    /** An answer about `original`, which stands at `start`, as it comes and as it ends. */
    begin(run: Pick<Run, 'original' | 'start'> & Partial<Run>): string {
      const id = nextId();
      const known = {
        label: 'Tighten',
        kind: 'genie',
        inputs: [],
        clean: true,
        action: 'replace',
        since: null,
        text: '',
        model: null,
        isComing: true,
      } as const;
      change({ effects: beginRun.of({ ...known, ...run, id }) });
      return id;
    },
    end(id: string, answer: string, model = 'a-model') {
      const run = reviewOf(buffer().state).runs.find((one) => one.id === id)!;
      change(ending(run, model, suggestionsOf(run, answer, nextId)));
    },
    accept(...which: number[]): boolean {
      const pending = pendingIn(reviewOf(buffer().state));
      const spec = accepting(buffer().state, which.length === 0 ? pending : which.flatMap((at) => pending[at] ?? []));
      if (spec !== null) change(spec);
      return spec !== null;
    },
    reject(...which: number[]) {
      const pending = pendingIn(reviewOf(buffer().state));
      const left = which.length === 0 ? pending : which.flatMap((at) => pending[at] ?? []);
      if (left.length > 0) change(rejecting(buffer().state, left));
    },
    undo: () => undo({ state: buffer().state, dispatch }),
    redo: () => redo({ state: buffer().state, dispatch }),
    save: (how?: { auto: boolean }) => documents.save(path, how),
    record: () => documents.record(buffer()),
    /** Goes on with another core, as after a crash of the first. */
    takeCore(other: Core) {
      handlers = attach(other);
    },
  };
}
