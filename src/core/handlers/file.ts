import type { Core } from '#core/core';
import type { Handlers } from '#protocol/calls';
import type { Move } from '#protocol/file-calls';
import type { Announcer } from '#protocol/server';

/** Search, replacement, and what is done with files as such. Windows are told of new paths before they hear that files changed. */
export function fileHandlers({ acts, search }: Core, events: Announcer) {
  const moved = (moves: readonly Move[]) => events.announce('files-moved', { moves });
  return {
    'search/find': (request) => search.find(request),
    'search/replace': (request) => acts.replace(request),
    'files/create-folder': ({ path }) => acts.createFolder(path),
    'files/plan-move': async ({ moves }) => ({ links: await acts.planMove(moves) }),
    'files/move': ({ moves, links }) => acts.move(moves, links, moved),
    'files/duplicate': ({ path }) => acts.duplicate(path),
    'files/trash': ({ paths, forever }) => acts.trash(paths, forever),
    'files/reveal': async ({ path }) => {
      await acts.reveal(path);
      return { kind: 'shown' };
    },
    'files/links-to': ({ path }) => acts.linksTo(path),
    'files/tags': async () => ({ tags: await acts.tags() }),
    'files/undo': ({ undo }) => acts.undo(undo, moved),
  } satisfies Partial<Handlers>;
}
