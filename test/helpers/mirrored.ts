import { basename, join } from 'node:path';
import type { Core } from '#core';
import { type Answering, createGitServer } from './git-server.ts';
import { cloneRepository, type Repository } from './repository.ts';
import { createTrackingPlace, type Place } from './workspace.ts';

/** A function that the mirrored repositories declare. */
export const rows = 'export function readRows(text: string): string[] {\n  return text.split("\\n").map((line) => line.trim());\n}\n';

/** A workspace that links a repository under the name `engine`, which a server of this machine serves. */
export async function mirrored(
  upstream: Repository,
  { answering, env = {} }: { answering?: Answering; env?: NodeJS.ProcessEnv } = {},
): Promise<{ core: Core; place: Place; fetch(): Promise<unknown>; publish(): void }> {
  const bare = cloneRepository(upstream, '--bare').folder;
  const server = await createGitServer(join(bare, '..'), null, answering);
  const place = createTrackingPlace();
  place.write('a.md', '# A\n');
  const core = await place.open({ env: { ...env, GIT_SSL_CAINFO: server.authority } });
  const { repositories } = core.anchors;
  await repositories.link({ name: 'engine', path: null, url: server.url(basename(bare)), ref: null, tokenEnv: null });
  await repositories.confirm('engine');
  const fetch = () => repositories.fetch('engine', { signal: AbortSignal.timeout(60_000), progress() {} });
  const publish = () => void upstream.git('push', '--quiet', bare, '+main:main');
  return { core, place, fetch, publish };
}

/** Anchors the document of the place to a declaration of the mirror. */
export const add = (core: Core, file: string, name = 'readRows') =>
  core.anchors.add({
    ...{ document: 'a.md', section: [], repository: 'engine', file },
    target: { kind: 'declaration', name, declared: null },
    by: { type: 'external', id: 'a test' },
  });
