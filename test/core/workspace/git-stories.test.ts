import { chmodSync, chownSync, existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openCore } from '#core';
import { realChance } from '#core/core';
import {
  authors,
  type Book,
  beginBook,
  branchOff,
  chapter,
  edit,
  expectNothingLost,
  expectOutcome,
  type Outcome,
  openBook,
  save,
  saveAndCommit,
  text,
} from '../../helpers/git-story';
import { cloneRepository, createRepository, repositoryAt } from '../../helpers/repository';
import { createFolder, createTrackingPlace, environment } from '../../helpers/workspace';

const [A, B, C] = [text('a', 'a'), text('b', 'a'), text('a', 'c')];

interface Story {
  readonly act: (book: Book) => Promise<void> | void;
  readonly outcome: Outcome;
}

const git =
  (...commands: string[]) =>
  ({ repo }: Book) => {
    for (const command of commands) repo.git(...command.split(' '));
  };

/** Two branches that changed the first line: whatever brings them together stops. */
async function apart(book: Book): Promise<void> {
  await branchOff(book, 'side', text('side', 'a'));
  await saveAndCommit(book, text('main', 'a'));
}

/** Git stopped on the chapter alone; a person ends it. A look meanwhile answers at once and writes nothing. */
async function finishByHand(book: Book, command: string, finish: string): Promise<void> {
  const { repo, core, place } = book;
  repo.gitStops(...command.split(' '));
  expect(repo.git('diff', '--name-only', '--diff-filter=U').trim()).toBe(chapter);
  const before = place.segments();
  expect(await core.scan()).toMatchObject({ complete: false, reason: 'git-busy' });
  expect(place.segments()).toEqual(before);
  const block = /^---\n.*?---\n/su.exec(place.text(chapter))![0];
  place.write(chapter, block + text('by hand', 'a'));
  repo.git('add', chapter);
  repo.git(...finish.split(' '));
}

const stories: Readonly<Record<string, Story>> = {
  'a branch is switched, and switched back': {
    async act(book) {
      await branchOff(book, 'side', B);
      git('switch --quiet side', 'switch --quiet main', 'switch --quiet side')(book);
      await book.core.scan();
      git('switch --quiet main')(book);
    },
    outcome: { authors: ['human'] },
  },
  'another program commits': {
    act(book) {
      edit(book, B);
      book.repo.commit('elsewhere');
    },
    outcome: { authors: ['human', 'external'] },
  },
  'a commit is amended elsewhere': {
    async act(book) {
      await saveAndCommit(book, B);
      edit(book, C);
      book.repo.commit('again', '--amend');
    },
    outcome: { authors: ['human', 'human', 'external'] },
  },
  'a recorded version is amended into its commit': {
    async act(book) {
      await saveAndCommit(book, B);
      await save(book, C);
      book.repo.commit('again', '--amend');
    },
    outcome: { authors: ['human', 'human', 'human'] },
  },
  'a branch is reset, hard, by a commit': {
    async act(book) {
      await saveAndCommit(book, B);
      git('branch kept', 'reset --quiet --hard HEAD~1')(book);
    },
    outcome: { authors: ['human'] },
  },
  'a branch is reset, hard, while a version is in no commit': {
    async act(book) {
      await save(book, B);
      git('reset --quiet --hard')(book);
    },
    outcome: { authors: ['human', 'human'] },
  },
  'a branch is reset, soft': {
    async act(book) {
      await saveAndCommit(book, B);
      git('reset --quiet --soft HEAD~1')(book);
    },
    outcome: { authors: ['human', 'human'] },
  },
  'edits are stashed and popped': {
    async act(book) {
      await save(book, B);
      git('stash --quiet --include-untracked')(book);
      await book.core.scan();
      git('stash pop --quiet')(book);
    },
    outcome: { authors: ['human', 'human'] },
  },
  'a rebase stops and is finished': {
    async act(book) {
      await apart(book);
      git('switch --quiet side')(book);
      await finishByHand(book, 'rebase main', 'rebase --continue');
    },
    outcome: { authors: ['human', 'human', 'human', 'git'] },
  },
  'two commits are squashed by an interactive rebase': {
    async act(book) {
      await saveAndCommit(book, B);
      await saveAndCommit(book, text('b', 'c'));
      book.repo.git('-c', 'sequence.editor=sed -i.bak -e 2s/pick/squash/', 'rebase', '--interactive', 'HEAD~2');
    },
    outcome: { authors: ['human', 'human', 'human'] },
  },
  'a commit is dropped by an interactive rebase, and its lines with it': {
    async act(book) {
      await saveAndCommit(book, B);
      git('branch kept')(book);
      book.repo.write('another.md', 'another\n');
      book.repo.commit('another file');
      book.repo.git('-c', 'sequence.editor=sed -i.bak -e 1d', 'rebase', '--interactive', 'HEAD~2');
    },
    outcome: { authors: ['human'] },
  },
  'a cherry-pick stops and is finished': {
    async act(book) {
      await apart(book);
      await finishByHand(book, 'cherry-pick side', 'commit --quiet --no-edit');
    },
    outcome: { authors: ['human', 'human', 'human', 'git'] },
  },
  'a cherry-pick stops and is given up': {
    async act(book) {
      await apart(book);
      book.repo.gitStops('cherry-pick', 'side');
      git('cherry-pick --abort')(book);
    },
    outcome: { authors: ['human', 'human'] },
  },
  'a commit of the text alone is reverted': {
    async act(book) {
      await save(book, B);
      git('add .vmark', 'commit --quiet --message ledger', `commit --quiet --message text ${chapter}`, 'revert --no-edit HEAD')(book);
    },
    outcome: { authors: ['human', 'human', 'git'] },
  },
  'a branch is merged as a fast-forward': {
    async act(book) {
      await branchOff(book, 'side', B);
      git('merge --quiet side')(book);
    },
    outcome: { authors: ['human', 'human'] },
  },
  'two branches are merged': {
    async act(book) {
      await branchOff(book, 'side', B);
      await saveAndCommit(book, C);
      git('merge --quiet --no-edit side')(book);
    },
    outcome: { authors: ['human', 'human', 'human', 'git'] },
  },
  'three branches are merged at once': {
    async act(book) {
      await branchOff(book, 'side', B);
      await branchOff(book, 'right', C);
      book.repo.write('another.md', 'another\n');
      book.repo.commit('another file');
      git('merge --quiet --no-edit side right')(book);
    },
    outcome: { authors: ['human', 'human', 'human', 'git'] },
  },
  'a merge is in conflict and is finished': {
    async act(book) {
      await apart(book);
      await finishByHand(book, 'merge --quiet side', 'commit --quiet --no-edit');
    },
    outcome: { authors: ['human', 'human', 'human', 'git'] },
  },
  'HEAD is detached, something is written there, and the branch is switched to again': {
    async act(book) {
      await saveAndCommit(book, B);
      git('checkout --quiet --detach HEAD~1')(book);
      expect(await authors(book)).toEqual(['human']);
      await saveAndCommit(book, C);
      const there = book.repo.git('rev-parse', 'HEAD').trim();
      git('switch --quiet main')(book);
      expect(await authors(book)).toEqual(['human', 'human']);
      git(`merge --quiet --no-edit ${there}`)(book);
    },
    outcome: { authors: ['human', 'human', 'human', 'git'] },
  },
};

describe('git does its work under a running program', () => {
  it.each(Object.entries(stories))('%s', async (_, { act, outcome }) => {
    const book = await beginBook();
    await act(book);
    await expectOutcome(book, outcome);
  });
});

describe('git did its work while no program ran', () => {
  const some = ['a branch is reset, hard, by a commit', 'two branches are merged', 'another program commits'];
  it.each(some)('%s', async (name) => {
    const book = await beginBook();
    await stories[name]!.act(book);
    await book.core.close();
    await expectOutcome({ ...book, core: await book.place.open() }, stories[name]!.outcome);
  });

  it('a checkout', async () => {
    const book = await beginBook();
    await branchOff(book, 'side', B);
    await book.core.close();
    book.repo.git('switch', '--quiet', 'side');
    await expectOutcome({ ...book, core: await book.place.open() }, { authors: ['human', 'human'] });
  });
});

describe('lines that git throws away', () => {
  it('with all untracked and ignored files, a moment after they were acknowledged, are back with the next look, their text too', async () => {
    const now = Date.now();
    const book = await beginBook({ chance: { ...realChance, now: () => now } });
    await save(book, B);
    git('clean --quiet -fdx')(book);
    expect(existsSync(join(book.place.folder, '.vmark/index.db-lock'))).toBe(false);
    await book.core.scan();
    await expectOutcome(book, { authors: ['human', 'human'] });
  });

  it.each(['clean --quiet -fdx', 'reset --quiet --hard HEAD~1'])(
    '%s: are offered back later, by a program that begins then',
    async (command) => {
      const book = await beginBook();
      await (command.startsWith('reset') ? saveAndCommit(book, B) : save(book, B));
      await book.core.close();
      git(command)(book);
      const later = { ...book, core: await book.place.open() };
      expectNothingLost(later);
      expect((await later.core.verify({ restoreLines: false })).problems).toMatchObject([{ code: 'lines-lost', detail: { count: 1 } }]);
      expect(await later.core.verify({ restoreLines: true })).toMatchObject({ restored: 1 });
      expect((await later.core.verify({ restoreLines: false })).problems.filter(({ code }) => code !== 'snapshot-missing')).toEqual([]);
      expect(await later.core.scan()).toMatchObject({ external: 0, git: 0 });
      expect(await authors(later)).toEqual(['human', 'human']);
    },
  );
});

describe('a pull with rebase', () => {
  it('while both sides have recorded: nothing is refused, each has the lines of both', async () => {
    const book = await beginBook();
    const clone = cloneRepository(book.repo);
    const other = await openBook(clone);
    await saveAndCommit(book, B);
    await saveAndCommit(other, C);
    await other.core.scan();
    clone.git('pull', '--quiet', '--rebase', 'origin', 'main');
    for (const id of book.acknowledged) expect(other.place.entries().map((entry) => entry.id)).toContain(id);
    await expectOutcome(other, { authors: ['human', 'human', 'human', 'git'] });
    other.repo.commit('both');
    book.repo.git('pull', '--quiet', '--rebase', clone.folder, 'main');
    await book.core.scan();
    expect((await book.core.logFile(chapter)).heads).toEqual((await other.core.logFile(chapter)).heads);
  });
});

describe('a branch without a commit', () => {
  it('is no move: what is recorded before the first commit is there after it', async () => {
    const repo = createRepository();
    const place = createTrackingPlace(repo.folder);
    const book: Book = { repo, place, core: await place.open(), acknowledged: new Set() };
    await save(book, A);
    expect(await book.core.scan()).toMatchObject({ unchanged: 1, complete: true });
    await save(book, B);
    repo.commit('first');
    await expectOutcome(book, { authors: ['human', 'human'] });
  });

  it('that is begun beside others takes the texts along, and git goes back without a word', async () => {
    const book = await beginBook();
    await saveAndCommit(book, B);
    book.repo.git('checkout', '--quiet', '--orphan', 'apart');
    await book.core.scan();
    await saveAndCommit(book, C);
    book.repo.git('switch', '--quiet', 'main');
    await expectOutcome(book, { authors: ['human', 'human'] });
  });
});

describe('worktrees', () => {
  it.each(['inside', 'outside'])('%s the folder have ledgers of their own, and nothing is seen twice', async (where) => {
    const book = await beginBook();
    const folder = where === 'inside' ? join(book.place.folder, 'trees/side') : join(createFolder(), 'side');
    if (where === 'inside') book.repo.write('.gitignore', 'trees/\n');
    book.repo.commit('ignore');
    book.repo.git('worktree', 'add', '--quiet', '-b', 'side', folder);
    const tree = await openBook(book.repo.at(folder), book.place.home);
    await saveAndCommit(tree, B);
    expect(await book.core.scan()).toMatchObject({ documents: 1, unchanged: 1, external: 0, adopted: 0, held: [] });
    await saveAndCommit(book, C);
    await expectOutcome(tree, { authors: ['human', 'human'] });
    tree.repo.commit('more');
    book.repo.gitStops('merge', '--quiet', '--no-edit', 'side');
    book.repo.git('checkout', '--ours', chapter);
    book.repo.commit('merged');
    for (const id of tree.acknowledged) book.acknowledged.add(id);
    expectNothingLost(book);
    expect(await book.core.scan()).toMatchObject({ complete: true, held: [] });
    book.repo.git('worktree', 'remove', '--force', folder);
    expect(await book.core.scan()).toMatchObject({ documents: 1, external: 0, git: 0 });
  });

  it('that git does not ignore and that stand inside are not walked either', async () => {
    const book = await beginBook();
    book.repo.git('worktree', 'add', '--quiet', '-b', 'side', join(book.place.folder, 'side'));
    expect(await book.core.scan()).toMatchObject({ documents: 1, unchanged: 1, adopted: 0, held: [] });
  });
});

describe('a submodule', () => {
  it('is a folder of somebody else: not walked from outside, and a workspace of its own inside', async () => {
    const inner = await beginBook();
    const book = await beginBook();
    book.repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.repo.folder, 'world');
    book.repo.commit('a submodule');
    expect(await book.core.scan()).toMatchObject({ documents: 1, unchanged: 1, adopted: 0, held: [] });
    const within = await openBook(repositoryAt(join(book.repo.folder, 'world')));
    within.repo.git('config', 'user.name', 'Ana');
    within.repo.git('config', 'user.email', 'ana@example.org');
    await saveAndCommit(within, B);
    within.repo.git('checkout', '--quiet', 'HEAD~1');
    await expectOutcome(within, { authors: ['human'] });
    expect(await book.core.scan()).toMatchObject({ documents: 1, external: 0, adopted: 0 });
  });
});

describe('a clone that has not everything', () => {
  it('a shallow one records and gets the rest later', async () => {
    const book = await beginBook();
    await saveAndCommit(book, B);
    const clone = cloneRepository(book.repo, '--no-local', '--depth=1');
    const other = await openBook(clone);
    expect(await other.core.scan()).toMatchObject({ unchanged: 1, external: 0, git: 0 });
    await saveAndCommit(other, C);
    clone.git('fetch', '--quiet', '--unshallow');
    await expectOutcome(other, { authors: ['human', 'human', 'human'] });
  });

  it('a sparse one finds documents gone, not deleted, and as they were when they are back', async () => {
    const book = await beginBook();
    mkdirSync(join(book.place.folder, 'bible'));
    await save(book, text('elena', ''), 'bible/elena.md');
    book.repo.commit('two');
    book.repo.git('sparse-checkout', 'set', '--no-cone', '/*', '!/bible/');
    expect(existsSync(join(book.place.folder, 'bible/elena.md'))).toBe(false);
    expect(await book.core.scan()).toMatchObject({ absent: 1, external: 0 });
    await saveAndCommit(book, B);
    book.repo.git('sparse-checkout', 'disable');
    expect(await book.core.scan()).toMatchObject({ absent: 0, external: 0, git: 0, adopted: 0 });
    await expectOutcome(book, { authors: ['human', 'human'] });
  });

  it('a sparse one without the ledger gets the same ids, and all lines come together', async () => {
    const book = await beginBook();
    book.repo.git('sparse-checkout', 'set', '--no-cone', '/*', '!/.vmark/');
    await book.core.scan().catch(() => undefined);
    await save(book, B);
    book.repo.git('sparse-checkout', 'disable');
    expectNothingLost(book);
    for (const id of book.acknowledged) expect(book.place.entries().map((entry) => entry.id)).toContain(id);
    expect(await book.core.verify({ restoreLines: false })).toMatchObject({ problems: [] });
  });

  it('one that turns line endings around has the same revisions, and ledger and snapshots to the byte', async () => {
    const book = await beginBook();
    const clone = createRepository();
    clone.git('config', 'core.autocrlf', 'true');
    clone.git('remote', 'add', 'origin', book.repo.folder);
    clone.git('pull', '--quiet', 'origin', 'main');
    const other = await openBook(clone);
    expect(other.place.text(chapter)).toContain('\r\n');
    expect(other.place.segments()).toEqual(book.place.segments());
    expect(await other.core.scan()).toMatchObject({ unchanged: 1, external: 0, git: 0 });
    const crlf = B.replaceAll('\n', '\r\n');
    await save(other, crlf);
    expect(other.place.text(chapter)).toContain('b\r\n');
    other.repo.commit('from windows');
    book.repo.git('pull', '--quiet', clone.folder, 'main');
    await expectOutcome(book, { authors: ['human', 'human'] });
    expect((await book.core.logFile(chapter)).revisions.slice(0, 2)).toEqual((await other.core.logFile(chapter)).revisions);
  });
});

describe('a repository that comes or goes', () => {
  it('appears under a running program: nothing is made of it, and moves are moves from then on', async () => {
    const place = createTrackingPlace();
    const repo = repositoryAt(place.folder);
    const book: Book = { repo, place, core: await place.open(), acknowledged: new Set() };
    await save(book, A);
    repo.git('init', '--quiet', '--initial-branch=main');
    repo.git('config', 'user.name', 'Ana');
    repo.git('config', 'user.email', 'ana@example.org');
    repo.commit('begin');
    expect(await book.core.scan()).toMatchObject({ unchanged: 1, external: 0, git: 0 });
    await branchOff(book, 'side', B);
    await expectOutcome(book, { authors: ['human'] });
  });

  it('vanishes under a running program: saves and scans go on, and no folder of git is made', async () => {
    const book = await beginBook();
    await save(book, B);
    renameSync(join(book.repo.folder, '.git'), join(createFolder(), 'away'));
    expect(await book.core.scan()).toMatchObject({ external: 0 });
    await save(book, C);
    edit(book, A);
    expect(await book.core.scan()).toMatchObject({ complete: true, external: 1 });
    expect(await authors(book)).toEqual(['human', 'human', 'human', 'external']);
    expect(existsSync(join(book.place.folder, '.git'))).toBe(false);
    expectNothingLost(book);
  });

  it('is another one than before, in the same place', async () => {
    const book = await beginBook();
    renameSync(join(book.repo.folder, '.git'), join(createFolder(), 'away'));
    book.repo.git('init', '--quiet', '--initial-branch=new');
    book.repo.git('config', 'user.name', 'Ana');
    book.repo.git('config', 'user.email', 'ana@example.org');
    book.repo.commit('anew');
    await saveAndCommit(book, B);
    book.repo.git('checkout', '--quiet', 'HEAD~1');
    await expectOutcome(book, { authors: ['human'] });
  });
});

describe('a git that is of no use', () => {
  /** A program named git that does this. */
  const pretended = (script: string) => {
    const folder = createFolder('bin');
    writeFileSync(join(folder, 'git'), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, 'git'), 0o755);
    return folder;
  };
  const paths: Readonly<Record<string, () => string>> = {
    'is missing': () => createFolder('bin'),
    'is too old': () => pretended('case "$*" in *--version*) echo "git version 1.7.1";; *) echo "unknown option" >&2; exit 129;; esac'),
    fails: () => pretended('exit 128'),
    'says nonsense': () => pretended('echo nonsense'),
    'is killed by everything it does': () => pretended('kill -9 $$'),
  };

  it.each(Object.entries(paths))('%s: texts are recorded all the same, and nothing is taken for gone', async (_, path) => {
    const book = await beginBook();
    await book.core.close();
    const core = await openCore({ folder: book.place.folder, env: { ...environment(book.place.home), PATH: path() } });
    onTestFinished(() => core.close());
    const without = { ...book, core };
    expect(await core.scan()).toMatchObject({ complete: true, unchanged: 1, external: 0 });
    await save(without, B);
    edit(without, C);
    expect(await core.scan()).toMatchObject({ external: 1, absent: 0 });
    expect(await authors(without)).toEqual(['human', 'human', 'external']);
  });

  it('hangs: the program opens, saves and looks all the same', async () => {
    const book = await beginBook();
    await book.core.close();
    const env = { ...environment(book.place.home), PATH: pretended('exec sleep 600') };
    env.PATH = `${env.PATH}:/bin:/usr/bin`;
    const core = await openCore({ folder: book.place.folder, env });
    onTestFinished(() => core.close());
    await save({ ...book, core }, B);
    expect(await core.scan()).toMatchObject({ complete: true, unchanged: 1 });
  }, 60_000);

  it.skipIf(process.getuid?.() !== 0)('refuses the folder of another user: as without git', async () => {
    const book = await beginBook();
    await book.core.close();
    for (const path of ['.', '.git']) chownSync(join(book.place.folder, path), 12_345, 12_345);
    expect(() => book.repo.git('rev-parse', 'HEAD')).toThrow(/dubious ownership/u);
    const core = await book.place.open();
    expect(await core.status()).toMatchObject({ git: null });
    const without = { ...book, core };
    await save(without, B);
    edit(without, C);
    expect(await core.scan()).toMatchObject({ complete: true, external: 1 });
    expect(await authors(without)).toEqual(['human', 'human', 'external']);
  });
});

describe('a ledger in a folder of a repository', () => {
  it('is a story of that folder alone', async () => {
    const repo = createRepository();
    mkdirSync(join(repo.folder, 'book'));
    const place = createTrackingPlace(join(repo.folder, 'book'));
    const book: Book = { repo: repositoryAt(place.folder), place, core: await place.open(), acknowledged: new Set() };
    await saveAndCommit(book, A);
    await branchOff(book, 'side', B);
    await saveAndCommit(book, C);
    book.repo.git('merge', '--quiet', '--no-edit', 'side');
    await expectOutcome(book, { authors: ['human', 'human', 'human', 'git'] });
  });
});
