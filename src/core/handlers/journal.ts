import type { Core } from '#core/core';
import type { Handlers } from '#protocol/calls';

/** The recovery journals of windows. */
export function journalHandlers({ journal }: Core) {
  return {
    'journal/append': (input) => journal.append(input),
    'journal/list': () => journal.list(),
    'journal/read': ({ session }) => journal.read(session),
    'journal/forget': async ({ session, doc }) => {
      await journal.forget(session, doc);
      return { kind: 'forgotten' };
    },
  } satisfies Partial<Handlers>;
}
