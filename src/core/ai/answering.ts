import { setTimeout as pause } from 'node:timers/promises';
import type { Choice } from '#core/ai/choice';
import { modelOf } from '#core/ai/model';
import { faultOfProvider, isBusy, waitOf } from '#core/ai/refusal';
import { Fault } from '#protocol';

/** What is sent: who the model shall be, and what is asked of it. */
export interface Prompt {
  readonly system: string;
  readonly prompt: string;
}

/** Who is told of an answer while it comes. */
export interface Told {
  text(part: string): void;
  /** The provider asked to wait so many seconds; null: it is asked again now. */
  waits(seconds: number | null): void;
  /** The model that answers, by its own name. */
  model(name: string): void;
}

/** How long what is waited for, in ms and characters. */
export interface Patience {
  /** Without a sign of life. */
  readonly silence: number;
  /** The longest wait that a busy provider may ask for. */
  readonly wait: number;
  /** The longest answer, in characters. */
  readonly length: number;
  /** The most that a service may send, with all that is no text. */
  readonly bytes: number;
}

/** The patience of the app. */
export const usualPatience: Patience = { silence: 120_000, wait: 20_000, length: 400_000, bytes: 128 * 1024 * 1024 };
/** How often a busy provider is asked again. */
const tries = 2;
/** The longest answer of Anthropic’s models, in tokens; of those that have less the package knows. */
const anthropicLength = 32_000;

/** A request to a provider: what, by which key, and when it is given up. */
export interface Asked {
  readonly choice: Choice;
  readonly key: string | null;
  readonly prompt: Prompt;
  readonly signal: AbortSignal;
  readonly patience: Patience;
}

/** Asks a service and tells its answer as it comes. Throws a fault where the answer is not whole; the reason of `signal` where that ends it. */
export async function answerOfService(asked: Asked, told: Told): Promise<void> {
  for (let turn = 0; ; turn++) {
    const failed = await attempt(asked, told);
    if (failed === null) return;
    const wait = waitOf(failed.error);
    const mayRepeat = !failed.begun && turn < tries && isBusy(failed.error) && wait !== null && wait * 1000 <= asked.patience.wait;
    if (!mayRepeat) throw faultOfProvider(failed.error, asked.choice, asked.key, failed.begun);
    told.waits(wait);
    await pause(wait * 1000, undefined, { signal: asked.signal });
    told.waits(null);
  }
}

interface Failed {
  readonly error: unknown;
  readonly begun: boolean;
}

/** One request; null where its answer came whole. */
async function attempt({ choice, key, prompt, signal, patience }: Asked, told: Told): Promise<Failed | null> {
  const { streamText } = await import('ai');
  // It would print what it thinks of a model.
  globalThis.AI_SDK_LOG_WARNINGS = false;
  const model = await modelOf(choice, key, patience.bytes);
  const watch = watchSilence(patience.silence, choice.name);
  let length = 0;
  try {
    const { fullStream } = streamText({
      ...prompt,
      model,
      maxRetries: 0,
      // Without it the package takes 4,096 for the length of a model that it does not know.
      ...(choice.provider.id === 'anthropic' ? { maxOutputTokens: anthropicLength } : {}),
      abortSignal: AbortSignal.any([signal, watch.signal]),
      // Nothing of a writer's text stays with the provider where that can be asked for.
      providerOptions: { openai: { store: false } },
      // Else it is printed, with all that was sent.
      onError: () => {},
    });
    for await (const part of fullStream) {
      signal.throwIfAborted();
      watch.heard();
      if (part.type === 'error') return { error: watch.fault() ?? part.error, begun: length > 0 };
      if (part.type === 'abort') break;
      if (part.type === 'finish-step' && part.response.modelId !== '') told.model(part.response.modelId);
      if (part.type === 'finish') return endedBy(part.finishReason, choice, length);
      if (part.type !== 'text-delta') continue;
      length += part.text.length;
      if (length > patience.length) throw new Fault('ai-endless', { provider: choice.name, limit: patience.length });
      told.text(part.text);
    }
    signal.throwIfAborted();
    return { error: watch.fault() ?? new Fault('ai-cut', { provider: choice.name }), begun: length > 0 };
  } catch (error) {
    signal.throwIfAborted();
    return { error: watch.fault() ?? error, begun: length > 0 };
  } finally {
    watch.stop();
  }
}

function endedBy(reason: string, { name: provider }: Choice, length: number): Failed | null {
  const begun = length > 0;
  if (reason === 'length') return { error: new Fault('ai-unfinished', { provider }), begun };
  if (reason === 'content-filter') return { error: new Fault('ai-withheld', { provider }), begun };
  if (reason !== 'stop') return { error: new Fault('ai-cut', { provider }), begun };
  return begun ? null : { error: new Fault('ai-empty', { provider }), begun };
}

/** Ends a request that gives no sign of life. */
export interface SilenceWatch {
  readonly signal: Asked['signal'];
  heard(): void;
  /** The fault where silence ended it. */
  fault(): Fault | null;
  /** Ends the watch, and the request if it still runs. */
  stop(): void;
}

/** Watches for silence of so many ms. */
export function watchSilence(silence: number, provider: string): SilenceWatch {
  const ending = new AbortController();
  const begin = () => setTimeout(() => ending.abort(new Fault('ai-silent', { provider, seconds: Math.ceil(silence / 1000) })), silence);
  let timer = begin();
  return {
    signal: ending.signal,
    heard() {
      clearTimeout(timer);
      timer = begin();
    },
    fault: () => (ending.signal.reason instanceof Fault ? ending.signal.reason : null),
    stop() {
      clearTimeout(timer);
      // A stream that nobody reads any more does not close its connection by itself.
      ending.abort();
    },
  };
}
