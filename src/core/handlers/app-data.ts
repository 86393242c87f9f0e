import type { Core } from '#core/core';
import type { Handlers } from '#protocol/calls';

/** What is kept outside the workspace, and how documents are tracked no more. */
export function appDataHandlers({ appData, stampedDocuments, takeOutIds }: Core) {
  return {
    'app-data/sizes': async () => ({ parts: appData.sizes() }),
    'app-data/delete': async ({ part }) => {
      await appData.delete(part);
      return { parts: appData.sizes() };
    },
    'tracking/plan-stop': async () => ({ documents: await stampedDocuments() }),
    'tracking/stop': async ({ documents }) => ({ documents: await takeOutIds(documents) }),
  } satisfies Partial<Handlers>;
}
