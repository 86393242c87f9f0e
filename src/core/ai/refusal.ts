import { APICallError, JSONParseError, TypeValidationError } from '@ai-sdk/provider';
import { type Choice, hostOf } from '#core/ai/choice';
import { Fault, problemOf } from '#protocol';

/** How long is waited where a provider says that it is busy and not for how long, in seconds. */
const usualWait = 30;

/** What a request failed of, as a fault that tells nothing of the key. `begun`: a part of the answer had come. */
export function faultOfProvider(error: unknown, choice: Choice, key: string | null, begun: boolean): Fault {
  const provider = choice.name;
  const own = ownFault(error);
  if (own !== null) return own;
  if (APICallError.isInstance(error)) return faultOfCall(error, choice, key);
  if (JSONParseError.isInstance(error) || TypeValidationError.isInstance(error)) return new Fault('ai-malformed', { provider });
  // What a provider says in the middle of a stream is plain data.
  if (!(error instanceof Error)) return new Fault('ai-failed', { provider, status: statusOf(error) });
  return new Fault(begun || isCut(error) ? 'ai-cut' : 'ai-malformed', { provider });
}

/** A fault of ours, also where a package has wrapped it. */
function ownFault(error: unknown): Fault | null {
  if (error instanceof Fault) return error;
  return error instanceof Error && error.cause !== undefined ? ownFault(error.cause) : null;
}

function faultOfCall(error: APICallError, choice: Choice, key: string | null): Fault {
  const provider = choice.name;
  const status = error.statusCode;
  if (status === undefined) return new Fault('ai-unreachable', { provider, address: hostOf(choice.address) });
  if (status === 401 || status === 403) return new Fault('ai-key-refused', { provider });
  if (status === 429) return new Fault('ai-busy', { provider, seconds: waitOf(error) ?? usualWait });
  if (status >= 500) return new Fault('ai-failed', { provider, status });
  if (status < 400) return isCut(error.cause) ? new Fault('ai-cut', { provider }) : new Fault('ai-malformed', { provider });
  return new Fault('ai-refused', { provider, status, problem: sentence(withoutKey(error.message, key)) });
}

/** How many seconds a provider asks to wait, rounded up; null where it does not say. */
export function waitOf(error: unknown, now = Date.now()): number | null {
  if (!APICallError.isInstance(error)) return null;
  const said = error.responseHeaders?.['retry-after'];
  if (said === undefined) return null;
  const seconds = /^\s*\d+(\.\d+)?\s*$/u.test(said) ? Number(said) : (Date.parse(said) - now) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : null;
}

/** Whether a provider is only busy, so that asking again makes sense. */
export const isBusy = (error: unknown): boolean => APICallError.isInstance(error) && [429, 503, 529].includes(error.statusCode ?? 0);

function isCut(error: unknown): boolean {
  const texts = [error, error instanceof Error ? error.cause : null].map((one) =>
    one instanceof Error ? `${one.message} ${one.name}` : '',
  );
  return texts.some((text) => /terminated|aborted|other side closed|ECONNRESET|premature/iu.test(text));
}

function statusOf(said: unknown): string {
  const { type, code, message } = ((said as { error?: unknown } | null)?.error ?? said ?? {}) as Record<string, unknown>;
  const named = [type, code, message].find((one) => typeof one === 'string' || typeof one === 'number');
  return String(named ?? 'stream').slice(0, 100);
}

/** The same text with every part of the key that might be in it blotted out: providers repeat keys in what they say. */
function withoutKey(text: string, key: string | null): string {
  const plain = key === null || key.length < 4 ? text : text.replaceAll(key, '•••');
  return plain.replaceAll(/\b(sk|key|AIza|pk)[-_][\w*.-]{4,}/gu, '•••');
}

/** The first line of what was said, no longer than is read, and closed. */
export function sentence(said: string): string {
  const line = problemOf(new Error(said)).trim().slice(0, 300);
  return /[.!?…]$/u.test(line) ? line : `${line}.`;
}
