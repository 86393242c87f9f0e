import type { ChangeDesc, Transaction } from '@codemirror/state';
import { v7 } from 'uuid';
import { createStore } from 'zustand/vanilla';
import type { GenieEntry, PreparedPrompt } from '#protocol/ai-calls';
import { Fault, type FaultDetail } from '#protocol/fault';
import type { Connection } from '#renderer/connection.ts';
import { type Buffer, isDirty, transact } from '#renderer/editor/buffer.ts';
import { ending, suggestionsOf } from '#renderer/editor/suggestion/act.ts';
import { beginRun, endRun, growRun, type Run, reviewOf } from '#renderer/editor/suggestion/review.ts';
import { type Target, targetOf } from '#renderer/editor/suggestion/target.ts';

/** What a writer asks of a model: a genie or words of their own, about which part of a document, and what it shall read. */
export interface Wish {
  readonly genie: GenieEntry | null;
  readonly ask: string;
  readonly scope: GenieEntry['scope'];
  readonly reads: readonly string[];
  /** Texts: blocks of other documents that hold them are shown to it. */
  readonly passages: readonly string[];
}

/** A wish with its prompt, which is not sent yet. */
export interface Ready {
  readonly wish: Wish;
  readonly label: string;
  readonly prompt: PreparedPrompt;
  readonly buffer: Buffer;
  readonly target: Target;
  readonly clean: boolean;
}

/** A request that is on its way. */
export interface Activity {
  readonly run: string;
  readonly label: string;
  /** What it is about: its path is that of the moment. */
  readonly buffer: Buffer;
  readonly characters: number;
  /** How many seconds the provider asked to wait; null: it is at work. */
  readonly waits: number | null;
}

/** What is on its way; `turn` changes with every change of what is suggested. */
export interface ModelDeskState {
  readonly activities: readonly Activity[];
  readonly turn: number;
}

/** What became of a request, for whoever tells the writer. */
export type ModelNews =
  | { readonly kind: 'suggested'; readonly label: string; readonly count: number }
  | { readonly kind: 'nothing' | 'cancelled'; readonly label: string }
  | { readonly kind: 'failed'; readonly code: string; readonly detail: FaultDetail };

/** What asking needs from around it. */
export interface ModelDeskParts {
  readonly connection: Pick<Connection, 'call'>;
  readonly bufferOf: (path: string) => Buffer | undefined;
  readonly told: (news: ModelNews) => void;
}

/** Asks models about documents, and puts their answers into the text as suggestions. */
export type ModelDesk = ReturnType<typeof createModelDesk>;

/** Makes what asks; nothing is asked by itself. */
export function createModelDesk({ connection: { call }, bufferOf, told }: ModelDeskParts) {
  const store = createStore<ModelDeskState>()(() => ({ activities: [], turn: 0 }));
  const patch = (run: string, change: Partial<Activity> | null) =>
    store.setState(({ activities }) => ({
      activities: activities.flatMap((one) => (one.run !== run ? [one] : change === null ? [] : [{ ...one, ...change }])),
    }));

  /** Follows an answer to its end. A document that is closed meanwhile has no use for it. */
  const follow = async ({ buffer, label }: Ready, run: string) => {
    const isOpen = () => bufferOf(buffer.path) === buffer;
    let text = '';
    for (;;) {
      const state = await call('ai/next', { run, from: text.length }).catch((error: unknown) => {
        if (isOpen()) throw error;
        return null;
      });
      if (state === null || !isOpen()) return void call('ai/cancel', { run }).catch(() => {});
      if (!isKnown(buffer, run)) return told({ kind: 'cancelled', label });
      text += state.text;
      if (state.text !== '' && !state.done) transact(buffer, { effects: growRun.of({ id: run, text }) });
      patch(run, { characters: text.length, waits: state.waits });
      if (!state.done) continue;
      if (state.fault !== null) throw new Fault('ai-gone', {}, { cause: state.fault });
      const known = reviewOf(buffer.state).runs.find(({ id }) => id === run)!;
      const suggestions = suggestionsOf(known, text, v7);
      transact(buffer, ending(known, state.model, suggestions));
      return told(suggestions.length === 0 ? { kind: 'nothing', label } : { kind: 'suggested', label, count: suggestions.length });
    }
  };

  return {
    store: store as Pick<typeof store, 'getState' | 'subscribe' | 'getInitialState'>,
    /** Told that what is suggested in a document became other. */
    reviewed: () => store.setState(({ turn }) => ({ turn: turn + 1 })),
    /** Told that documents may have been closed: what was asked about them is given up. */
    closed() {
      for (const { run, buffer } of store.getState().activities)
        if (bufferOf(buffer.path) !== buffer) void call('ai/cancel', { run }).catch(() => {});
    },
    /** Fills a prompt and sends nothing; throws the fault where that cannot be. */
    async prepare(path: string, wish: Wish): Promise<Ready> {
      const buffer = bufferOf(path);
      if (buffer === undefined) throw new Fault('ai-moved', { path });
      const target = targetOf(buffer.state, wish.scope, wish.genie?.context ?? 1);
      const { content, before, after } = target;
      const clean = !isDirty(buffer);
      const asked = {
        path: buffer.path,
        genie: wish.genie?.id ?? null,
        ask: wish.ask,
        content,
        before,
        after,
        reads: [...wish.reads],
        passages: [...wish.passages],
      };
      const prompt = await call('ai/prepare', asked);
      return { wish, label: wish.genie?.name ?? wish.ask, prompt, buffer, target, clean };
    },
    /** Sends what was prepared; `seen`: the writer has looked at it. Throws the fault where it was not sent. */
    async send(ready: Ready, seen: boolean): Promise<void> {
      const { buffer, target, label, wish, clean, prompt } = ready;
      const { from, to, content } = target;
      if (buffer.state.sliceDoc(from, to) !== content) throw new Fault('ai-moved', { path: buffer.path });
      const { done, since } = await changesDuring(buffer, () => call('ai/ask', { prepared: prompt.prepared, seen }));
      const { run, inputs, isWhole } = done;
      const begun: Run = {
        id: run,
        label,
        kind: wish.genie === null ? 'ai-suggestion' : 'genie',
        inputs,
        clean: clean && isWhole && !isDirty(buffer),
        action: wish.genie?.action ?? 'replace',
        original: content,
        start: from,
        since,
        text: '',
        model: prompt.model === '' ? prompt.provider : prompt.model,
        isComing: true,
      };
      transact(buffer, { effects: beginRun.of(begun) });
      store.setState(({ activities }) => ({ activities: [...activities, { run, label, buffer, characters: 0, waits: null }] }));
      void follow(ready, run)
        .catch((error: unknown) => {
          if (isKnown(buffer, run)) transact(buffer, { effects: endRun.of({ id: run, model: null, suggestions: null }) });
          told(failureOf(error));
        })
        .finally(() => patch(run, null));
    },
    /** Ends a request: the text stays as it is. */
    async cancel(run: string): Promise<void> {
      const buffer = store.getState().activities.find((one) => one.run === run)?.buffer;
      if (buffer !== undefined && bufferOf(buffer.path) === buffer)
        transact(buffer, { effects: endRun.of({ id: run, model: null, suggestions: null }) });
      await call('ai/cancel', { run });
    },
  };
}

/** Does something, and what changed in a document meanwhile: also the writer's file may, where its identity block comes in. */
async function changesDuring<Done>(
  buffer: Buffer,
  work: () => Promise<Done>,
): Promise<{ readonly done: Done; readonly since: ChangeDesc | null }> {
  let since: ChangeDesc | null = null;
  const hear = ({ docChanged, changes }: Transaction) => {
    if (docChanged) since = (since as ChangeDesc | null)?.composeDesc(changes.desc) ?? changes.desc;
  };
  buffer.mirrors.add(hear);
  try {
    return { done: await work(), since };
  } finally {
    buffer.mirrors.delete(hear);
  }
}

const isKnown = (buffer: Buffer, run: string) => reviewOf(buffer.state).runs.some(({ id }) => id === run);

function failureOf(error: unknown): ModelNews {
  const said = error instanceof Fault && error.cause !== undefined ? (error.cause as { code: string; detail: FaultDetail }) : error;
  if (said instanceof Fault || (said !== null && typeof said === 'object' && 'code' in said)) {
    const { code, detail } = said as { code: string; detail: FaultDetail };
    return { kind: 'failed', code, detail };
  }
  return { kind: 'failed', code: 'bug', detail: { problem: String(error) } };
}
