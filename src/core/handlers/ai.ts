import type { Core } from '#core/core';
import type { Handlers } from '#protocol/calls';

/** What a window asks about models. */
export function aiHandlers({ ai }: Core) {
  return {
    'ai/providers': () => ai.providers(),
    'ai/find': () => ai.find(),
    'ai/keep-key': (request) => ai.keepKey(request),
    'ai/genies': async () => ai.genies(),
    'ai/prepare': (request) => ai.prepare(request),
    async 'ai/ask'(request, caller) {
      const started = await ai.ask(request);
      // A window that is gone has no use for the answer.
      caller?.onGone(() => ai.cancel(started.run));
      return started;
    },
    'ai/next': (request) => ai.next(request),
    'ai/cancel': async ({ run }) => ai.cancel(run),
  } satisfies Partial<Handlers>;
}
