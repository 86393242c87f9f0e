import type { Core } from '#core/core';
import type { Handlers } from '#protocol/calls';

/** What is kept outside the workspace, and how documents are tracked no more. */
export function appDataHandlers({ root, appData, recentFolders, stampedDocuments, takeOutIds }: Core) {
  const listed = () => ({ folders: recentFolders.list() });
  return {
    'app-data/sizes': async () => ({ parts: appData.sizes() }),
    'app-data/delete': async ({ part }) => {
      await appData.delete(part);
      return { parts: appData.sizes() };
    },
    'folders/opened': async () => {
      recentFolders.opened(root);
      return listed();
    },
    'folders/recent': async () => listed(),
    'folders/forget': async ({ root: other }) => {
      recentFolders.forget(other);
      return listed();
    },
    'tracking/plan-stop': async () => ({ documents: await stampedDocuments() }),
    'tracking/stop': async ({ documents }) => ({ documents: await takeOutIds(documents) }),
  } satisfies Partial<Handlers>;
}
