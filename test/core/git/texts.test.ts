import { hash } from 'node:crypto';
import { expect, it } from 'vitest';
import { createGitProgram } from '#core/git/program';
import { createCommittedTexts, type TextChange } from '#core/git/texts';
import { cloneRepository, createRepository, gitEnvironment, type Repository } from '../../helpers/repository';

const hashOf = (bytes: Uint8Array) => hash('sha256', bytes, 'hex');
const changeOf = (path: string, text: string) => ({ path, contentHash: hashOf(Buffer.from(text)), known: true });
async function holders(repo: Repository, commits: readonly string[], changes: readonly TextChange[], prefix = ''): Promise<string[]> {
  const texts = createCommittedTexts(createGitProgram(repo.folder, { env: gitEnvironment }), prefix, changes, hashOf);
  expect(await texts.read(commits, changes)).toBe(true);
  return commits.flatMap((commit) => changes.filter((change) => texts.has(commit, change)).map((change) => pairKey(commit, change.path)));
}

const pairKey = (commit: string, path: string) => `${commit}:${path}`;

it('finds each text in the commits that have it, below the workspace folder', async () => {
  const repo = createRepository();
  const names = Array.from({ length: 120 }, (_, at) => (at % 3 === 0 ? `${at}\n.md` : `${at} é.md`));
  for (const name of names) repo.write(`book/${name}`, `first ${name}`);
  const first = repo.commit('first');
  for (const name of names.slice(60)) repo.write(`book/${name}`, `second ${name}`);
  repo.write('book/empty.md', '');
  const second = repo.commit('second');
  const changes = [...names.map((name) => changeOf(name, `first ${name}`)), changeOf('empty.md', ''), changeOf('absent.md', '')];
  const expected = [
    ...names.map((name) => pairKey(first, name)),
    ...[...names.slice(0, 60), 'empty.md'].map((name) => pairKey(second, name)),
  ];
  expect(await holders(repo, [first, second], changes, 'book/')).toEqual(expected);
});

it('takes folders, submodules and commits that are gone for no text', async () => {
  const repo = createRepository();
  repo.write('a.md/b.md', 'x');
  repo.git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},sub.md`);
  repo.git('add', 'a.md');
  repo.git('commit', '--message', 'all');
  const commits = [repo.git('rev-parse', 'HEAD').trim(), 'f'.repeat(40)];
  const changes = ['a.md', 'sub.md', 'a.md/b.md', 'a.md/b.md/c.md'].map((path) => changeOf(path, 'x'));
  expect(await holders(repo, commits, changes)).toEqual([pairKey(commits[0]!, 'a.md/b.md')]);
});

it('knows the texts that a partial clone has, and takes the others for different', async () => {
  const origin = createRepository();
  origin.git('config', 'uploadpack.allowFilter', 'true');
  for (const path of ['a.md', 'b.md']) origin.write(path, 'old');
  const first = origin.commit('first');
  for (const path of ['a.md', 'c.md']) origin.write(path, 'new');
  const second = origin.commit('second');
  const clone = cloneRepository(origin, '--no-local', '--filter=blob:none');
  clone.git('remote', 'remove', 'origin');
  clone.git('config', 'remote.origin.promisor', 'true');
  const changes = [changeOf('a.md', 'new'), changeOf('b.md', 'old'), changeOf('c.md', 'new')];
  const expected = [pairKey(first, 'b.md'), ...['a.md', 'b.md', 'c.md'].map((path) => pairKey(second, path))];
  expect(await holders(clone, [first, second], changes)).toEqual(expected);
});
