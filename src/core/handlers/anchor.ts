import type { Core } from '#core/core';
import type { HeldCode } from '#core/handlers/held-code';
import type { Uuid } from '#kernel/uuid';
import { Fault } from '#protocol';
import type { Handlers } from '#protocol/calls';

const by = { type: 'human' } as const;

/** What a person at the window does with code anchors. Each act puts the anchor as it is now into what is held. */
export function anchorHandlers(core: Core, held: HeldCode) {
  const { anchors } = core;
  const acted = async <T>(id: string, work: Promise<T>): Promise<T> => {
    const done = await work;
    await held.renew(id);
    return done;
  };
  return {
    'anchor/page': async (input) => held.page(input),
    'anchor/look': ({ id }) => anchors.look(id),
    'anchor/of-document': async ({ path }) => {
      const listed = await anchors.list(path).catch(nothingYet);
      return { anchors: listed?.anchors ?? [] };
    },
    'anchor/add': async ({ path, ...request }) => {
      const { id } = await anchors.add({ ...request, document: path, by });
      await held.renew(id);
      return { id };
    },
    'anchor/confirm': async ({ id, idem, ...seen }) => {
      const { changed } = await acted(id, anchors.confirm({ ...seen, id, idem: idem as Uuid, by }));
      return { changed };
    },
    'anchor/rebind': async (request) => {
      await acted(request.id, anchors.rebind({ ...request, by }));
      return { id: request.id };
    },
    'anchor/remove': async ({ id }) => {
      await acted(id, anchors.remove(id, by));
      return { id };
    },
    'anchor/retire': async ({ id, reason }) => {
      await acted(id, anchors.retire(id, reason));
      return { id };
    },
    'code/files': ({ repository }) => anchors.files(repository),
    'code/declarations': ({ file, repository }) => anchors.code(file, repository),
  } satisfies Partial<Handlers>;
}

/** A document that nothing is known of has no anchors. */
function nothingYet(error: unknown): null {
  if (error instanceof Fault && ['not-tracked', 'no-workspace-record'].includes(error.code)) return null;
  throw error;
}
