import type { Core } from '#core/core';
import { conflictOf, savedOf } from '#core/handlers/document';
import type { Handlers } from '#protocol/calls';

/** The saved versions of documents. */
export function historyHandlers(core: Core) {
  return {
    'history/list': ({ path }) => core.history.list(path),
    'history/text': ({ path, version }) => core.history.text(path, version),
    'history/restore': async (asked) => {
      const outcome = await core.history.restore(asked);
      return outcome.kind === 'conflict' ? conflictOf(asked.path, outcome) : savedOf(core, asked.path, outcome);
    },
  } satisfies Partial<Handlers>;
}
