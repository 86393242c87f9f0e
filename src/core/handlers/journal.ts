import type { Core } from '#core/core';
import { withTexts } from '#core/journal/text-of-file';
import type { Handlers } from '#protocol/calls';

/** The recovery journals of windows. */
export function journalHandlers(core: Core) {
  const { journal } = core;
  return {
    'journal/append': async (input) => {
      const records = await withTexts(input.records, core.openDocument);
      return records === null ? { kind: 'other' } : journal.append({ ...input, records });
    },
    'journal/list': () => journal.list(),
    'journal/read': ({ session }) => journal.read(session),
    'journal/forget': async ({ session, doc }) => {
      await journal.forget(session, doc);
      return { kind: 'forgotten' };
    },
  } satisfies Partial<Handlers>;
}
