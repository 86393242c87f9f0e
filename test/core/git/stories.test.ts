import { hash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Attribution } from '#core/git/attribution';
import { type Git, openGit } from '#core/git/git';
import { createRepository, gitEnvironment, type Repository } from '../../helpers/repository';
import { chapter, put, run, type Story, steps, stories, text, write } from './story';

const hashOf = (bytes: Uint8Array) => hash('sha256', Buffer.from(bytes).toString('utf8').replaceAll('\r\n', '\n'), 'hex');
const hashOfText = (words: string) => hashOf(Buffer.from(words));

function nameOf(attribution: Attribution | undefined): string | undefined {
  if (attribution?.kind === 'navigation') return `navigation ${attribution.op}`;
  return attribution?.kind === 'git' ? `git ${attribution.id}` : attribution?.kind;
}

async function meaningOf(git: Git, repo: Repository, story: Omit<Story, 'story' | 'means'>, remembers = true): Promise<string | undefined> {
  story.before(repo);
  const seen = repo.read(chapter);
  const since = remembers ? JSON.parse(JSON.stringify(await git.position())) : null;
  const stamp = git.headMoved();
  story.during(repo);
  const found = repo.read(chapter);
  const contentHash = hashOfText(found);
  const known = story.known.some((words) => hashOfText(words) === contentHash);
  const result = await git.attribute({ since, changes: [{ path: chapter, contentHash, known }], hashOf });
  const now = await git.position();
  expect(result?.position).toEqual(now);
  if (since !== null && JSON.stringify(since) !== JSON.stringify(now)) expect(git.headMoved()).not.toBe(stamp);
  const meaning = result?.byPath.get(chapter);
  if (meaning?.kind === 'navigation') expect(result?.navigation).toBe(meaning);
  return found === seen ? 'same' : nameOf(meaning);
}

async function begin(...options: string[]): Promise<{ repo: Repository; git: Git }> {
  const repo = createRepository(...options);
  repo.write(chapter, text('a', 'a'));
  repo.commit('begin');
  return { repo, git: (await openGit(repo.folder, { env: gitEnvironment }))! };
}

it.each(stories)('$story: $means', async (story) => {
  const { repo, git } = await begin();
  expect(await meaningOf(git, repo, story)).toBe(story.means);
});

const A = text('a', 'a');
const B = text('b', 'a');
const toSide = { before: steps(run('switch --create side'), put(B), run('switch main')), during: run('switch side'), known: [A, B] };
const reverted = { before: put(B), during: run('revert --no-edit HEAD'), known: [A, B] };
const forget = run('reflog expire --expire=all --rewrite --all');

it('reads a long reflog back to the act that counts', async () => {
  const { repo, git } = await begin();
  const commits = Array.from({ length: 30 }, (_, turn) => run(`commit --allow-empty --message ${turn}`));
  const during = steps(run('checkout side', 'checkout main', 'checkout HEAD~0', 'checkout side'), ...commits);
  expect(await meaningOf(git, repo, { ...toSide, during })).toBe('navigation branch-switch');
});

it('sees through the line endings that git writes', async () => {
  const { repo, git } = await begin();
  repo.git('config', 'core.autocrlf', 'true');
  expect(await meaningOf(git, repo, toSide)).toBe('navigation branch-switch');
  expect(repo.read(chapter)).toContain('\r\n');
});

it('knows texts by their commits where names are 64 digits long', async () => {
  const { repo, git } = await begin('--object-format=sha256');
  expect(await meaningOf(git, repo, reverted)).toBe('git revert');
});

it('falls back to the text of HEAD when the position is lost', async () => {
  const { repo, git } = await begin();
  expect(await meaningOf(git, repo, toSide, false)).toBe('navigation checkout');
});

it('falls back to the text of HEAD when the reflog is gone', async () => {
  const { repo, git } = await begin();
  expect(await meaningOf(git, repo, { ...reverted, during: steps(reverted.during, forget) })).toBe('navigation checkout');
});

it('falls back to the text of HEAD where git keeps no reflog', async () => {
  const { repo, git } = await begin();
  repo.git('config', 'core.logAllRefUpdates', 'false');
  rmSync(join(repo.folder, '.git/logs'), { recursive: true });
  expect(await meaningOf(git, repo, toSide)).toBe('navigation branch-switch');
});

it('still finds the act when older lines of the reflog have expired', async () => {
  const { repo, git } = await begin();
  expect(await meaningOf(git, repo, { ...reverted, during: steps(forget, reverted.during) })).toBe('git revert');
});

it('takes a first commit for an edit', async () => {
  const repo = createRepository();
  const git = (await openGit(repo.folder, { env: gitEnvironment }))!;
  expect(await git.position()).toEqual({ head: null, ref: 'refs/heads/main', stash: null, reflog: null });
  expect(await meaningOf(git, repo, { before: write(A), during: put(B), known: [B] })).toBe('external');
});

it('attributes each of many texts by itself, whatever their names', async () => {
  const { repo, git } = await begin();
  const names = ['a b.md', 'línea.md', '"quoted".md', "it's.md", ':(top)x.md', '-n.md', 'new\nline.md', 'deep/er/x.md', 'HEAD'];
  repo.git('switch', '--create', 'side\u00e9"');
  for (const name of names) repo.write(name, `${name}\n`);
  repo.commit('names');
  repo.git('switch', 'main');
  const since = await git.position();
  repo.git('cherry-pick', '--no-ff', '-');
  const changes = [...names, 'absent.md'].map((path) => ({ path, contentHash: hashOfText(`${path}\n`), known: true }));
  const result = await git.attribute({ since, changes, hashOf });
  for (const name of names) expect([name, result?.byPath.get(name)]).toEqual([name, { kind: 'git', id: 'cherry-pick' }]);
  expect(result?.byPath.get('absent.md')).toEqual({ kind: 'external' });
});
