import type { Core } from '#core/core';
import { Fault } from '#protocol';
import type { Handlers } from '#protocol/calls';
import type { RepositoryList } from '#protocol/repository-calls';
import type { Announcer } from '#protocol/server';

/** What a person at the window does with linked repositories. One fetch of each at a time; progress is announced when a per cent is done. */
export function repositoryHandlers({ anchors: { repositories } }: Core, events: Announcer) {
  const fetching = new Map<string, AbortController>();
  const listed = async (): Promise<RepositoryList> => {
    const [all, keepsTokens] = await Promise.all([repositories.list(), repositories.keepsTokens()]);
    return { repositories: all, keepsTokens };
  };
  return {
    'repository/list': listed,
    'repository/link': async ({ name, place, ref }) => {
      const where = place.kind === 'folder' ? { path: place.path, url: null, tokenEnv: null } : { ...place, path: null };
      await repositories.link({ name, ref, path: where.path, url: where.url, tokenEnv: where.tokenEnv });
      await repositories.confirm(name);
      return listed();
    },
    'repository/confirm': async ({ name }) => {
      await repositories.confirm(name);
      return listed();
    },
    'repository/fetch': async ({ name }) => {
      if (fetching.has(name)) throw new Fault('repository-busy', { name });
      const stopping = new AbortController();
      fetching.set(name, stopping);
      let last = '';
      const progress = ({ phase, percent }: { phase: string; percent: number }) => {
        if (last === `${phase} ${percent}`) return;
        last = `${phase} ${percent}`;
        events.announce('repository-progress', { name, phase, percent });
      };
      try {
        await repositories.fetch(name, { signal: stopping.signal, progress });
        return listed();
      } finally {
        fetching.delete(name);
      }
    },
    'repository/stop': async ({ name }) => {
      fetching.get(name)?.abort();
      return { stopped: fetching.has(name) };
    },
    'repository/keep-token': async ({ name, token }) => {
      await repositories.keepToken(name, token);
      return listed();
    },
    'repository/unlink': async ({ name }) => {
      fetching.get(name)?.abort();
      await repositories.unlink(name);
      return listed();
    },
  } satisfies Partial<Handlers>;
}
