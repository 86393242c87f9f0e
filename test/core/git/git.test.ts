import { chmodSync, chownSync, mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Git, openGit } from '#core/git/git';
import { createFolder, createRepository, gitEnvironment, type Repository } from '../../helpers/repository';

const open = async (folder: string): Promise<Git> => (await openGit(folder, { env: gitEnvironment }))!;

// A program named git that stands before the real one.
function pretend(script: string): NodeJS.ProcessEnv {
  const folder = createFolder();
  writeFileSync(join(folder, 'git'), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, 'git'), 0o755);
  return { ...gitEnvironment, PATH: `${folder}${delimiter}${process.env.PATH}` };
}

function started(...options: string[]): Repository {
  const repo = createRepository(...options);
  repo.write('a.md', 'a\n');
  repo.commit('a');
  return repo;
}

describe('opening', () => {
  it('finds the top, the way down to the workspace and the place of the position', async () => {
    const repo = started();
    mkdirSync(join(repo.folder, 'my book/línea'), { recursive: true });
    const git = await open(join(repo.folder, 'my book/línea'));
    expect([git.root, git.prefix]).toEqual([repo.folder, 'my book/línea/']);
    expect(git.positionFile()).toBe(join(repo.folder, '.git/stemma/position.json'));
    expect((await open(repo.folder)).prefix).toBe('');
  });

  it('reads names with newlines, and follows a link to the folder', async () => {
    const outside = createFolder();
    const repo = started().at(join(outside, 'a\n--b\n"c"'));
    mkdirSync(join(repo.folder, 'new\nline'), { recursive: true });
    repo.git('init', '--quiet');
    symlinkSync(repo.folder, join(outside, 'link'));
    const git = await open(join(outside, 'link/new\nline'));
    expect([git.root, git.prefix]).toEqual([realpathSync.native(repo.folder), 'new\nline/']);
  });

  it('answers null where there is no repository, none with a worktree, or no folder', async () => {
    const bare = createRepository('--bare');
    for (const folder of [createFolder(), bare.folder, join(started().folder, '.git'), join(bare.folder, 'absent')]) {
      expect(await openGit(folder, { env: gitEnvironment })).toBeNull();
    }
  });

  it.skipIf(process.getuid?.() !== 0)('answers null where git refuses the folder of another user', async () => {
    const repo = started();
    chownSync(repo.folder, 12_345, 12_345);
    chownSync(join(repo.folder, '.git'), 12_345, 12_345);
    expect(() => repo.git('rev-parse', 'HEAD')).toThrow(/dubious ownership/);
    expect(await openGit(repo.folder, { env: gitEnvironment })).toBeNull();
  });

  it('answers null without git, with one that is too old, and with one that is broken', async () => {
    const { folder } = started();
    expect(await openGit(folder, { env: { PATH: createFolder() } })).toBeNull();
    expect(await openGit(folder, { env: pretend('shift 7; printf "%s\\n" "$@"') })).toBeNull();
    expect(await openGit(folder, { env: pretend('exit 3') })).toBeNull();
    expect(await openGit(folder, { env: pretend('echo nonsense') })).toBeNull();
  });

  it('is not led elsewhere by what git left in the environment', async () => {
    const [repo, elsewhere] = [started(), started()];
    const git = await openGit(repo.folder, {
      env: { ...gitEnvironment, GIT_DIR: join(elsewhere.folder, '.git'), GIT_WORK_TREE: elsewhere.folder },
    });
    expect(git?.root).toBe(repo.folder);
  });
});

it('answers null to every question while git hangs', async () => {
  const repo = started();
  const stuck = join(createFolder(), 'stuck');
  const env = pretend(`if [ -e '${stuck}' ]; then sleep 30; fi\nPATH='${process.env.PATH}' exec git "$@"`);
  const git = (await openGit(repo.folder, { env, timeoutMs: 3_000 }))!;
  expect(await git.position()).not.toBeNull();
  writeFileSync(stuck, '');
  const change = { path: 'a.md', contentHash: '', known: true };
  const answers = [
    git.position(),
    git.trackedUnder('.vmark'),
    git.userName(),
    git.attribute({ since: null, changes: [change], hashOf: () => '' }),
  ];
  expect(await Promise.all(answers)).toEqual([null, null, null, null]);
  expect(await openGit(repo.folder, { env, timeoutMs: 500 })).toBeNull();
});

describe('the position', () => {
  it('names commit, branch and stash, also in a linked worktree and with strange names', async () => {
    const repo = started();
    const name = 'rëal/"quoted" name'.replace(' ', '\u00a0');
    const tree = repo.at(join(createFolder(), 'tree'));
    repo.git('worktree', 'add', '--quiet', '-b', name, tree.folder);
    const git = await open(tree.folder);
    const head = repo.git('rev-parse', 'HEAD').trim();
    expect(await git.position()).toMatchObject({ head, ref: `refs/heads/${name}`, stash: null });
    tree.write('a.md', 'b\n');
    tree.git('stash');
    tree.git('checkout', '--quiet', '--detach');
    expect(await git.position()).toMatchObject({ head, ref: null, stash: repo.git('rev-parse', 'refs/stash').trim() });
    expect(git.positionFile()).toBe(join(repo.folder, '.git/worktrees/tree/stemma/position.json'));
  });

  const moves: Readonly<Record<string, (repo: Repository) => void>> = {
    'a commit': (repo) => repo.git('commit', '--allow-empty', '--message', 'b'),
    'a switch': (repo) => repo.git('switch', '--create', 'side'),
    'a detached checkout': (repo) => repo.git('checkout', '--detach'),
    'a stash': (repo) => {
      repo.write('a.md', 'b\n');
      repo.git('stash');
    },
    'a dropped stash': (repo) => repo.git('stash', 'drop'),
    'a reset of packed references': (repo) => repo.git('reset', '--hard', 'HEAD~1'),
    'a move without a reflog': (repo) => repo.git('-c', 'core.logAllRefUpdates=false', 'update-ref', 'refs/heads/main', 'HEAD~1'),
  };
  it.each(Object.entries(moves))('has another stamp after %s', async (_, move) => {
    const repo = started();
    repo.git('commit', '--quiet', '--allow-empty', '--message', 'second');
    repo.write('a.md', 'stashed\n');
    repo.git('stash');
    repo.git('pack-refs', '--all');
    const git = await open(repo.folder);
    const stamp = git.headMoved();
    move(repo);
    expect(git.headMoved()).not.toBe(stamp);
  });

  it('keeps its stamp over edits, staging and fetches', async () => {
    const repo = started();
    const git = await open(repo.folder);
    const stamp = git.headMoved();
    repo.write('a.md', 'b\n');
    repo.git('add', '.');
    repo.git('status');
    repo.git('fetch', '--quiet', started().folder);
    repo.git('branch', 'another');
    expect(git.headMoved()).toBe(stamp);
  });
});

describe('git at work', () => {
  const diverged = () => {
    const repo = started();
    repo.git('switch', '--quiet', '--create', 'side');
    repo.write('a.md', 'side\n');
    repo.commit('side');
    repo.git('switch', '--quiet', 'main');
    repo.write('a.md', 'main\n');
    repo.commit('main');
    return repo;
  };
  const stops = [
    { busy: 'merge', begin: ['merge', 'side'], end: ['merge', '--abort'] },
    { busy: 'rebase', begin: ['rebase', 'side'], end: ['rebase', '--abort'] },
    { busy: 'rebase', begin: ['rebase', '--apply', 'side'], end: ['rebase', '--abort'] },
    { busy: 'cherry-pick', begin: ['cherry-pick', 'side'], end: ['cherry-pick', '--abort'] },
    { busy: 'revert', begin: ['revert', '--no-edit', 'side'], end: ['revert', '--abort'] },
  ] as const;

  it.each(stops)('is seen as $busy in $begin, here and in a linked worktree', async ({ busy, begin, end }) => {
    const repo = diverged();
    const tree = repo.at(join(createFolder(), 'tree'));
    repo.git('worktree', 'add', '--quiet', '-b', 'branch', tree.folder);
    const [git, linked] = [await open(repo.folder), await open(tree.folder)];
    for (const [worker, mine, theirs] of [
      [repo, git, linked],
      [tree, linked, git],
    ] as const) {
      worker.gitStops(...begin);
      expect([await mine.busy(), await theirs.busy()]).toEqual([busy, null]);
      worker.git(...end);
      expect(await mine.busy()).toBeNull();
    }
  });

  it('is seen by the lock of its index', async () => {
    const repo = started();
    const git = await open(repo.folder);
    writeFileSync(join(repo.folder, '.git/index.lock'), '');
    expect(await git.busy()).toBe('index-lock');
    rmSync(join(repo.folder, '.git/index.lock'));
    expect(await git.busy()).toBeNull();
  });

  it('is not seen in a REBASE_HEAD that was left behind', async () => {
    const repo = started();
    repo.git('update-ref', 'REBASE_HEAD', 'HEAD');
    expect(await (await open(repo.folder)).busy()).toBeNull();
  });
});

it('lists what HEAD has below a folder of the workspace', async () => {
  const repo = createRepository();
  mkdirSync(join(repo.folder, 'book'));
  const git = await open(join(repo.folder, 'book'));
  expect(await git.trackedUnder('.vmark/ledger')).toEqual(new Set());
  for (const path of ['.vmark/ledger/a\nb.jsonl', '.vmark/ledger/é.jsonl', '.vmark/ledger/deep/c.jsonl', '.vmark/ledger-not', 'x.md']) {
    repo.write(`book/${path}`, 'x\n');
  }
  repo.write('.vmark/ledger/above.jsonl', 'x\n');
  repo.commit('all');
  repo.write('book/.vmark/ledger/untracked.jsonl', 'x\n');
  const tracked = ['.vmark/ledger/a\nb.jsonl', '.vmark/ledger/é.jsonl', '.vmark/ledger/deep/c.jsonl'];
  expect(await git.trackedUnder('.vmark/ledger')).toEqual(new Set(tracked));
  expect(await git.trackedUnder('.vmark/ledger/')).toEqual(new Set(tracked));
  expect(await git.trackedUnder('absent')).toEqual(new Set());
});

it('knows the name of the writer, or that there is none', async () => {
  const repo = started();
  const git = await open(repo.folder);
  expect(await git.userName()).toBe('Ana Writer');
  repo.git('config', 'user.name', 'José "J" Núñez');
  expect(await git.userName()).toBe('José "J" Núñez');
  repo.git('config', '--unset', 'user.name');
  expect(await git.userName()).toBeNull();
});
