import { fromReply, type Reply } from '#protocol/reply';
import type { FromCore, SecretAsk } from './core-message.ts';

/** Secrets as a core process has them: it asks Electron's first process, which alone can open them. */
export function createSecretLink(say: (message: FromCore) => void) {
  const waiting = new Map<number, PromiseWithResolvers<string | null>>();
  let last = 0;
  const ask = (wanted: SecretAsk): Promise<string | null> => {
    const answer = Promise.withResolvers<string | null>();
    waiting.set(++last, answer);
    say({ kind: 'secret', id: last, ask: wanted });
    return answer.promise;
  };
  return {
    store: {
      kind: async () => ((await ask({ act: 'kind' })) === 'system' ? ('system' as const) : null),
      get: (name: string) => ask({ act: 'get', name }),
      set: async (name: string, value: string | null) => void (await ask({ act: 'set', name, value })),
    },
    /** Takes an answer. */
    hear(id: number, reply: Reply<string | null>): void {
      const answer = waiting.get(id);
      waiting.delete(id);
      try {
        answer?.resolve(fromReply(reply));
      } catch (error) {
        answer?.reject(error);
      }
    },
  };
}
