import { readdirSync, readFileSync, rmSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Core } from '#core';
import type { SecretStore } from '#core/ai/key-ring';
import { Fault } from '#protocol';
import { type Answering, createGitServer, type GitServer } from '../../helpers/git-server.ts';
import { cloneRepository, createRepository, type Repository } from '../../helpers/repository.ts';
import { createTrackingPlace, type Place } from '../../helpers/workspace.ts';

const token = 'canary-7d1f-token';
const variable = 'STEMMA_GIT_TOKEN_ENGINE';
const code = (extra = '') => `export function readRows(text: string): string[] {
  const lines = text.split("\\n");
${extra}  return lines.map((line) => line.trim()).filter(Boolean);
}
`;

interface Setting {
  readonly place: Place;
  readonly core: Core;
  readonly server: GitServer;
  readonly upstream: Repository;
  /** Brings what was committed upstream to where it is served. */
  publish(): void;
  link(more?: { url?: string; tokenEnv?: string | null; ref?: string | null }): Promise<void>;
}

async function setUp({
  isPrivate = true,
  env = { [variable]: token },
  answering,
  secrets,
}: {
  isPrivate?: boolean;
  env?: Record<string, string>;
  answering?: Answering;
  secrets?: SecretStore;
} = {}): Promise<Setting> {
  const upstream = createRepository();
  upstream.write('src/rows.ts', code());
  upstream.commit('one');
  const bare = cloneRepository(upstream, '--bare').folder;
  const server = await createGitServer(join(bare, '..'), isPrivate ? token : null, answering);
  const place = createTrackingPlace();
  place.write('a.md', '# A\n');
  const core = await place.open({ env: { GIT_SSL_CAINFO: server.authority, ...env }, ...(secrets === undefined ? {} : { secrets }) });
  const url = server.url(basename(bare));
  return {
    ...{ place, core, server, upstream },
    publish: () => upstream.git('push', '--quiet', '--tags', bare, '+main:main'),
    async link(more = {}) {
      await core.anchors.repositories.link({
        ...{ name: 'engine', path: null, url, ref: null, tokenEnv: isPrivate ? variable : null },
        ...more,
      });
    },
  };
}

const fetch = ({ core }: Setting, progress: (line: string) => void = () => {}) =>
  core.anchors.repositories.fetch('engine', {
    signal: AbortSignal.timeout(60_000),
    progress: ({ phase, percent }) => progress(`${phase} ${percent}`),
  });

const add = ({ core }: Setting) =>
  core.anchors.add({
    ...{ document: 'a.md', section: [], repository: 'engine', file: 'src/rows.ts' },
    target: { kind: 'declaration', name: 'readRows', declared: null },
    by: { type: 'external', id: 'a test' },
  });

const states = async ({ core }: Setting) =>
  (await core.anchors.check({ document: null, observe: true })).anchors.map(({ state, detail }) => `${state} ${detail.reason}`);

async function faultOf(work: Promise<unknown>): Promise<string> {
  const thrown = await work.then(
    () => 'nothing',
    (error: unknown) => error,
  );
  if (!(thrown instanceof Fault)) return String(thrown);
  expect(JSON.stringify([thrown.message, thrown.detail])).not.toContain(token);
  return thrown.code;
}

/** A secret store of the system, as a shell gives it to core. */
const systemStore = (kept: Map<string, string>): SecretStore => ({
  kind: async () => 'system',
  get: async (name) => kept.get(name) ?? null,
  set: async (name, value) => void (value === null ? kept.delete(name) : kept.set(name, value)),
});

/** Everything that a place has on disk, its app data too. */
function everyByte({ place }: Setting): Buffer {
  const files = [place.folder, place.home].flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name)),
  );
  return Buffer.concat(files.map((file) => readFileSync(file)));
}

function mirrorOf({ place }: Setting): string {
  const [name] = readdirSync(join(place.home, 'mirrors'));
  return join(place.home, 'mirrors', name!);
}

describe('a private repository', () => {
  it('is mirrored with the token, and its code is followed from fetch to fetch', async () => {
    const set = await setUp();
    const said: string[] = [];
    await set.link();
    await set.core.anchors.repositories.confirm('engine');
    const { commit } = await fetch(set, (line) => said.push(line));
    expect(commit).toBe(set.upstream.git('rev-parse', 'HEAD').trim());
    expect(said.at(-1)).toMatch(/ 100$/u);
    await add(set);
    expect(await states(set)).toEqual(['fresh identity_matched']);
    set.upstream.write('src/rows.ts', code('  if (lines.length > 99) throw new Error(text);\n'));
    set.upstream.commit('two');
    set.publish();
    expect(await states(set)).toEqual(['fresh identity_matched']);
    const before = set.server.requests.length;
    await fetch(set);
    expect(set.server.requests.length).toBeGreaterThan(before);
    expect(await states(set)).toEqual(['stale body_changed']);
    expect(await set.core.anchors.repositories.list()).toMatchObject([{ name: 'engine', asks: null, token: 'environment', problem: null }]);
  });

  it('leaves its token in no file, no ledger, no list and no environment but that of the one git that needs it', async () => {
    const seen: string[] = [];
    const watching: Answering = (request) => {
      if (request.url?.includes('git-upload-pack')) seen.push(...programs());
      return false;
    };
    const set = await setUp({ answering: watching });
    await set.link();
    await set.core.anchors.repositories.confirm('engine');
    await fetch(set);
    await add(set);
    await states(set);
    const bytes = everyByte(set);
    for (const secret of [token, Buffer.from(`x-access-token:${token}`).toString('base64')]) {
      expect(bytes.includes(secret)).toBe(false);
      expect(JSON.stringify(await set.core.anchors.repositories.list())).not.toContain(secret);
      expect(seen.filter((line) => line.includes(secret))).toEqual([]);
    }
    expect(seen.some((line) => line.includes('git-remote-https') || line.includes('fetch'))).toBe(true);
    const mirror = join(set.place.home, 'mirrors', readdirSync(join(set.place.home, 'mirrors'))[0]!);
    expect(statSync(mirror).mode & 0o777).toBe(0o700);
    expect(readFileSync(join(mirror, 'config'), 'utf8')).not.toContain('url');
  });

  it('is refused without a token, with a wrong one and with one that is missing, each with what to do', async () => {
    const set = await setUp({ env: { STEMMA_GIT_TOKEN: 'wrong', [variable]: '' } });
    for (const [tokenEnv, expected] of [
      [null, 'repository-private'],
      ['STEMMA_GIT_TOKEN', 'repository-refused'],
      [variable, 'token-missing'],
    ] as const) {
      await set.link({ tokenEnv });
      await set.core.anchors.repositories.confirm('engine');
      expect(await faultOf(fetch(set))).toBe(expected);
      expect(await faultOf(add(set))).toBe('repository-unfetched');
    }
  });

  it('is fetched with a token that was entered once, which stands in the secret store of the system and nowhere else', async () => {
    const kept = new Map<string, string>();
    const set = await setUp({ env: {}, secrets: systemStore(kept) });
    const { repositories } = set.core.anchors;
    await set.link();
    expect(await faultOf(repositories.keepToken('engine', token))).toBe('repository-unconfirmed-token');
    await repositories.confirm('engine');
    expect([await repositories.keepsTokens(), await faultOf(fetch(set))]).toEqual([true, 'token-missing']);
    for (const bad of ['', '  ', `${token}\nX: y`]) expect(await faultOf(repositories.keepToken('engine', bad))).toBe('token-unusable');
    expect(kept.size).toBe(0);
    await repositories.keepToken('engine', ` ${token}\n`);
    expect([...kept]).toEqual([[`git.${variable}`, token]]);
    expect(await repositories.list()).toMatchObject([{ token: 'kept' }]);
    await fetch(set);
    await add(set);
    expect(await states(set)).toEqual(['fresh identity_matched']);
    expect(everyByte(set).includes(token)).toBe(false);
    expect(JSON.stringify(await repositories.list())).not.toContain(token);
    await repositories.keepToken('engine', null);
    expect([kept.size, await faultOf(fetch(set))]).toEqual([0, 'token-missing']);
  });

  it('keeps no token where the system has no store, and none for a folder or a repository without a variable', async () => {
    const kept = new Map<string, string>();
    for (const secrets of [
      undefined,
      { ...systemStore(kept), kind: async () => null },
      { ...systemStore(kept), kind: async () => 'file' as const },
    ]) {
      const set = await setUp(secrets === undefined ? { env: {} } : { env: {}, secrets });
      await set.link();
      await set.core.anchors.repositories.confirm('engine');
      expect(await set.core.anchors.repositories.keepsTokens()).toBe(false);
      expect(await faultOf(set.core.anchors.repositories.keepToken('engine', token))).toBe('token-unkept');
      expect([kept.size, everyByte(set).includes(token)]).toEqual([0, false]);
    }
    const open = await setUp({ isPrivate: false, env: {}, secrets: systemStore(kept) });
    await open.link();
    await open.core.anchors.repositories.confirm('engine');
    expect(await faultOf(open.core.anchors.repositories.keepToken('engine', token))).toBe('token-name');
    expect(kept.size).toBe(0);
  });

  it('is asked nothing before a person has said yes to its origin and variable on this machine', async () => {
    const set = await setUp();
    await set.link();
    expect(await faultOf(fetch(set))).toBe('repository-unconfirmed-token');
    expect(await faultOf(add(set))).toBe('repository-unconfirmed-token');
    expect(await set.core.anchors.repositories.list()).toMatchObject([{ asks: { place: set.server.origin, tokenEnv: variable } }]);
    await set.core.anchors.repositories.confirm('engine');
    set.place.write('.vmark/repositories.json', set.place.text('.vmark/repositories.json').replace(variable, 'STEMMA_GIT_TOKEN'));
    expect(await faultOf(fetch(set))).toBe('repository-unconfirmed-token');
    expect(set.server.requests).toEqual([]);
  });

  it('that sends elsewhere is not followed, and nothing is sent there', async () => {
    const elsewhere = await setUp();
    for (const status of [301, 302, 307]) {
      const set = await setUp({
        answering: (request, response) => {
          response.writeHead(status, { location: `${elsewhere.server.origin}${request.url}` }).end();
          return true;
        },
      });
      await set.link();
      await set.core.anchors.repositories.confirm('engine');
      expect(await faultOf(fetch(set))).toBe('repository-redirected');
      expect(set.server.requests.length).toBeGreaterThan(0);
    }
    expect(elsewhere.server.requests).toEqual([]);
  });
});

describe('a public repository', () => {
  it('is read at the ref that is named: a branch, a tag, a commit', async () => {
    const set = await setUp({ isPrivate: false });
    set.upstream.git('tag', '--annotate', 'v1', '--message', 'one');
    const first = set.upstream.git('rev-parse', 'HEAD').trim();
    set.upstream.write('src/rows.ts', 'export {};\n');
    set.upstream.commit('two');
    set.publish();
    for (const ref of ['v1', first]) {
      await set.link({ ref });
      await set.core.anchors.repositories.confirm('engine');
      expect((await fetch(set)).commit).toBe(first);
    }
    await set.link({ ref: 'main' });
    expect((await fetch(set)).commit).toBe(set.upstream.git('rev-parse', 'HEAD').trim());
    await set.link({ ref: 'gone' });
    expect(await faultOf(fetch(set))).toBe('ref-unknown');
  });

  it('that is absent, cannot be reached or is not trusted says which, and what was fetched before stays readable', async () => {
    const set = await setUp({ isPrivate: false });
    await set.link();
    await set.core.anchors.repositories.confirm('engine');
    await fetch(set);
    await add(set);
    await set.link({ url: `${set.server.origin}/nothing.git` });
    expect(await faultOf(fetch(set))).toBe('repository-absent');
    await set.link({ url: 'https://127.0.0.1:9/engine.git' });
    await set.core.anchors.repositories.confirm('engine');
    expect(await faultOf(fetch(set))).toBe('repository-unreachable');
    const other = await set.place.open();
    await set.link();
    expect(await faultOf(fetch({ ...set, core: other }))).toBe('repository-certificate');
    expect(await states(set)).toEqual(['fresh identity_matched']);
  });

  it('is fetched again after a git that was killed left its locks, halves of packs or half a repository', async () => {
    const set = await setUp({ isPrivate: false });
    await set.link();
    await set.core.anchors.repositories.confirm('engine');
    await fetch(set);
    const folder = mirrorOf(set);
    const left = ['shallow.lock', 'config.lock', 'packed-refs.lock', 'objects/pack/tmp_pack_x1'].map((name) => join(folder, name));
    const locks = readdirSync(join(folder, 'refs/stemma')).map((name) => join(folder, 'refs/stemma', `${name}.lock`));
    for (const file of [...left, ...locks]) {
      writeFileSync(file, '');
      utimesSync(file, 1e9, 1e9);
    }
    rmSync(join(folder, 'config'));
    set.upstream.write('src/rows.ts', code('  void 0;\n'));
    set.upstream.commit('two');
    set.publish();
    expect((await fetch(set)).commit).toBe(set.upstream.git('rev-parse', 'HEAD').trim());
    expect(readdirSync(folder, { recursive: true }).filter((name) => /\.lock$|tmp_/u.test(String(name)))).toEqual([]);
  });

  it.each(['deleted', 'cut'])('whose objects were %s on this machine is made anew by the next fetch', async (damage) => {
    const set = await setUp({ isPrivate: false });
    await set.link();
    await set.core.anchors.repositories.confirm('engine');
    const { commit } = await fetch(set);
    await add(set);
    const objects = join(mirrorOf(set), 'objects');
    const files = readdirSync(objects, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    for (const { parentPath, name } of files) {
      if (damage === 'deleted') rmSync(join(parentPath, name));
      else truncateSync(join(parentPath, name), 5);
    }
    expect((await fetch(set)).commit).toBe(commit);
    expect(await states(set)).toEqual(['fresh identity_matched']);
  });

  it('can be stopped while it is fetched', async () => {
    const set = await setUp({ isPrivate: false, answering: () => true });
    await set.link();
    await set.core.anchors.repositories.confirm('engine');
    const stopping = new AbortController();
    const fetching = set.core.anchors.repositories.fetch('engine', { signal: stopping.signal, progress() {} });
    const outcome = faultOf(fetching);
    while (set.server.requests.length === 0) await rest(10);
    stopping.abort();
    expect(await outcome).toBe('fetch-stopped');
  });
});

describe('what is linked', () => {
  it.each([
    ['http://example.org/a.git', 'repository-url'],
    ['ext::sh -c touch% /tmp/x', 'repository-url'],
    ['--upload-pack=touch', 'repository-url'],
    ['file:///etc/passwd', 'repository-url'],
    ['ssh://git@example.org/a.git', 'repository-url'],
    ['git@example.org:a.git', 'repository-url'],
    ['https://user:word@example.org/a.git', 'repository-url'],
    ['https://example.org/a.git?x=1', 'repository-url'],
    ['https://example.org/a b.git', 'repository-url'],
    ['https://example.org/a\n.git', 'repository-url'],
    ['https://example.org', 'repository-url'],
  ])('is never %j, on save or on read', async (url, expected) => {
    const place = createTrackingPlace();
    const core = await place.open();
    const entry = { name: 'engine', path: null, url, ref: null, tokenEnv: null };
    expect(await faultOf(core.anchors.repositories.link(entry))).toBe(expected);
    place.write('.vmark/repositories.json', JSON.stringify([{ name: 'engine', url }]));
    expect(await core.anchors.repositories.list()).toMatchObject([{ name: 'engine', problem: expected }]);
    const signal = AbortSignal.timeout(10_000);
    expect(await faultOf(core.anchors.repositories.fetch('engine', { signal, progress() {} }))).toBe(expected);
  });

  it.each(['HOME', 'AWS_SECRET_ACCESS_KEY', 'STEMMA_GIT_TOKENS', 'STEMMA_GIT_TOKEN_', 'stemma_git_token', 'STEMMA_GIT_TOKEN=x'])(
    'has no token in %s',
    async (tokenEnv) => {
      const place = createTrackingPlace();
      const core = await place.open({ env: { [tokenEnv]: token } });
      const entry = { name: 'engine', path: null, url: 'https://example.org/a.git', ref: null, tokenEnv };
      expect(await faultOf(core.anchors.repositories.link(entry))).toBe('token-name');
      place.write('.vmark/repositories.json', JSON.stringify([{ name: 'engine', url: entry.url, token_env: tokenEnv }]));
      expect(await core.anchors.repositories.list()).toMatchObject([{ problem: 'token-name', token: null }]);
    },
  );

  it('has a name, and a ref that is no option', async () => {
    const core = await createTrackingPlace().open();
    const entry = { name: 'engine', path: null, url: 'https://example.org/a.git', ref: null, tokenEnv: null };
    for (const name of ['', '-x', 'a\nb', 'a/b', 'x'.repeat(101)])
      expect(await faultOf(core.anchors.repositories.link({ ...entry, name }))).toBe('repository-name');
    for (const ref of ['-x', '--upload-pack=x', '+main', 'a b', 'a..b', 'a:b', 'a@{1}', 'a\0b'])
      expect(await faultOf(core.anchors.repositories.link({ ...entry, ref }))).toBe('ref-unknown');
  });

  it('has a folder that is one', async () => {
    const place = createTrackingPlace();
    place.write('rows.ts', code());
    const core = await place.open();
    const entry = { name: 'engine', path: 'rows.ts', url: null, ref: null, tokenEnv: null };
    expect(await faultOf(core.anchors.repositories.link(entry))).toBe('not-a-folder');
    expect(await core.anchors.repositories.list()).toEqual([]);
  });

  it('is changed under its name, and taken off the list', async () => {
    const place = createTrackingPlace();
    const core = await place.open();
    const entry = { name: 'engine', path: null, url: 'https://example.org/a.git', ref: null, tokenEnv: null };
    await core.anchors.repositories.link(entry);
    await core.anchors.repositories.link({ ...entry, ref: 'main' });
    expect(JSON.parse(place.text('.vmark/repositories.json'))).toEqual({
      repositories: [{ name: 'engine', url: entry.url, ref: 'main' }],
    });
    await core.anchors.repositories.unlink('engine');
    expect(await core.anchors.repositories.list()).toEqual([]);
    expect(await faultOf(core.anchors.repositories.unlink('engine'))).toBe('repository-unknown');
  });
});

/** The command lines of every program of this machine. */
function programs(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/u.test(name))
    .map((name) => {
      try {
        return readFileSync(`/proc/${name}/cmdline`, 'latin1').replaceAll('\0', ' ');
      } catch {
        return '';
      }
    });
}
