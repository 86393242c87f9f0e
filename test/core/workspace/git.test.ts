import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Core } from '#core';
import { scan } from '#core/workspace/scan';
import { createFaultyDisk } from '../../helpers/faulty-disk';
import { createRepository, type Repository } from '../../helpers/repository';
import {
  countKinds,
  createFolder,
  createTrackingPlace,
  entriesOf,
  inputOf,
  type Place,
  savingFrom,
  savingOf,
} from '../../helpers/workspace';

interface Story {
  readonly repo: Repository;
  readonly place: Place;
  readonly core: Core;
}

const chapter = 'chapter.md';
const text = (first: string, last: string) => `${first}\n\none\ntwo\nthree\n\n${last}\n`;

/** A repository with a tracked chapter whose ledger is committed, as everything but the index is meant to be. */
async function begin(): Promise<Story> {
  const repo = createRepository();
  const place = createTrackingPlace(repo.folder);
  const core = await place.open();
  await save({ repo, place, core }, text('a', 'a'));
  repo.commit('begin');
  expect(await core.scan()).toMatchObject({ unchanged: 1, external: 0, git: 0 });
  return { repo, place, core };
}

/** Saves the chapter through core, its block kept. */
async function save({ place, core }: Story, body: string): Promise<void> {
  const block = existsSync(join(place.folder, chapter)) ? /^---\n.*?---\n/su.exec(place.text(chapter))![0] : '';
  const saved = await core.save(savingOf(place, chapter, block + body));
  expect(saved).toMatchObject({ kind: 'saved', recorded: { kind: 'recorded' } });
}

const saveAndCommit = async (story: Story, body: string, ...options: string[]) => {
  await save(story, body);
  story.repo.commit('a chapter', ...options);
};

/** Writes the chapter as another program does. */
const write = ({ place }: Story, first: string, last: string) =>
  place.write(chapter, `${/^---\n.*?---\n/su.exec(place.text(chapter))![0]}${text(first, last)}`);

/** Nothing is appended by a look, and git has nothing to complain about because of us. */
async function expectUntouched(story: Story, act: () => Promise<unknown>) {
  const before = story.place.segments();
  const status = story.repo.git('status', '--porcelain');
  await act();
  expect(story.place.segments()).toEqual(before);
  expect(story.repo.git('status', '--porcelain')).toBe(status);
}

const labels = async ({ core }: Story) =>
  (await core.logFile(chapter)).revisions.map(({ label, agent }) => `${label} ${agent.id ?? agent.type}`);

describe('a branch that is left and come back to', () => {
  it('makes no version, appends nothing, and never makes git refuse', async () => {
    const story = await begin();
    const { repo, core } = story;
    repo.git('switch', '--create', 'side');
    await saveAndCommit(story, text('b', 'a'));
    for (const branch of ['main', 'side', '-', '-']) {
      repo.git('switch', branch);
      await expectUntouched(story, async () => {
        expect(await core.scan()).toMatchObject({ complete: true, external: 0, git: 0, unchanged: 1 });
        await core.breakdown({ all: true, scan: true });
      });
      expect((await (await story.place.open()).scan()).external).toBe(0);
    }
    // The ledger is on the branch that wrote it, and on the other is as it was there.
    expect(await labels(story)).toEqual(['v1 human', 'v2 human']);
  });

  it('is the parent of what is written there, and the moves ride with that entry', async () => {
    const story = await begin();
    const { repo, core, place } = story;
    repo.git('switch', '--create', 'side');
    await saveAndCommit(story, text('b', 'a'));
    await core.scan();
    repo.git('switch', 'main');
    expect(await core.scan()).toMatchObject({ navigations: 1, external: 0 });
    expect(countKinds(place)).not.toHaveProperty('navigation');
    const first = entriesOf(place, 'transformation')[0]!.body.outputs[0]!.revision;
    await save(story, text('a', 'c'));
    expect(entriesOf(place, 'transformation').at(-1)!.body.outputs[0]!.parents).toEqual([first]);
    const moves = [
      ['branch-switch', 'refs/heads/side'],
      ['branch-switch', 'refs/heads/main'],
    ];
    expect(entriesOf(place, 'navigation').map(({ body: { git } }) => [git.op, git.ref])).toEqual(moves);
    await save(story, text('a', 'd'));
    expect(entriesOf(place, 'navigation')).toHaveLength(moves.length);
  });

  it('keeps what was committed there to itself: no version of one branch comes into the ledger of another', async () => {
    const story = await begin();
    const { repo, core } = story;
    repo.git('switch', '--create', 'side');
    await saveAndCommit(story, text('b', 'a'));
    await core.scan();
    repo.git('switch', 'main');
    await core.scan();
    await save(story, text('a', 'c'));
    expect(await labels(story)).toEqual(['v1 human', 'v2 human']);
    expect((await core.logFile(chapter)).heads).toHaveLength(1);
    expect((await core.breakdown({ all: true, scan: true })).artifacts).toEqual([]);
  });

  it('has lost no line: what another branch holds is safe there', async () => {
    const story = await begin();
    const { repo, core, place } = story;
    repo.git('switch', '--create', 'side');
    await saveAndCommit(story, text('b', 'a'));
    repo.git('switch', 'main');
    expect(await core.verify({ restoreLines: false })).toMatchObject({ ok: true, problems: [] });
    await expectUntouched(story, () => core.verify({ restoreLines: true }));
    await save(story, text('a', 'c'));
    const lost = [...place.segments().keys()].at(-1)!;
    rmSync(join(place.folder, '.vmark/ledger', lost));
    expect(await core.verify({ restoreLines: true })).toMatchObject({ ok: true, restored: 1 });
    expect((await core.logFile(chapter)).heads).toHaveLength(1);
  });

  it('while the ledger is not committed is known by the versions of both, and the working one is the parent of what follows', async () => {
    const repo = createRepository();
    writeFileSync(join(repo.folder, '.git/info/exclude'), '.vmark/\n');
    const place = createTrackingPlace(repo.folder);
    const core = await place.open();
    const story = { repo, place, core };
    await saveAndCommit(story, text('a', 'a'));
    await core.scan();
    repo.git('switch', '--quiet', '--create', 'side');
    await saveAndCommit(story, text('b', 'a'));
    await core.scan();
    for (const branch of ['main', 'side', 'main']) {
      repo.git('switch', '--quiet', branch);
      await expectUntouched(story, async () => expect(await core.scan()).toMatchObject({ navigations: 1, external: 0, git: 0 }));
      await expectUntouched(story, async () => expect(await (await place.open()).scan()).toMatchObject({ navigations: 0, external: 0 }));
    }
    await save(story, text('c', 'a'));
    const made = entriesOf(place, 'transformation').map(({ body }) => body.outputs[0]!);
    expect(made.map(({ parents }) => parents)).toEqual([[], [made[0]!.revision], [made[0]!.revision]]);
    expect((await core.logFile(chapter)).heads).toHaveLength(2);
    repo.commit('on main');
    repo.git('switch', '--quiet', 'side');
    expect(await core.scan()).toMatchObject({ external: 0 });
    await save(story, text('d', 'a'));
    expect(entriesOf(place, 'transformation').at(-1)!.body.outputs[0]!.parents).toEqual([made[1]!.revision]);
  });

  it('and written as before is the version that it was, not another of the same name', async () => {
    const repo = createRepository();
    writeFileSync(join(repo.folder, '.git/info/exclude'), '.vmark/\n');
    const place = createTrackingPlace(repo.folder);
    const story = { repo, place, core: await place.open() };
    await saveAndCommit(story, text('a', 'a'));
    await saveAndCommit(story, text('b', 'a'));
    await story.core.scan();
    repo.git('checkout', '--quiet', 'HEAD~1');
    await story.core.scan();
    await save(story, text('b', 'a'));
    expect(entriesOf(place, 'transformation')).toHaveLength(2);
    expect(await story.core.scan()).toMatchObject({ external: 0, unchanged: 1 });
    await save(story, text('c', 'a'));
    expect((await story.core.logFile(chapter)).heads).toHaveLength(1);
    expect(await labels(story)).toEqual(['v1 human', 'v2 human', 'v3 human']);
  });

  it('with snapshots of both in the store is known although its ledger is on the other branch', async () => {
    const story = await begin();
    const { repo, core, place } = story;
    repo.git('switch', '--create', 'side');
    await saveAndCommit(story, text('b', 'a'));
    repo.git('switch', 'main');
    await core.scan();
    repo.git('merge', '--quiet', 'side');
    expect(await core.scan()).toMatchObject({ complete: true, external: 0, git: 0 });
    expect(await labels(story)).toEqual(['v1 human', 'v2 human']);
    expect(await core.verify({ restoreLines: false })).toMatchObject({ ok: true });
    expect(countKinds(place)).toMatchObject({ transformation: 2 });
  });

  it('before anything was ever looked for is a move all the same, since the first record', async () => {
    const repo = createRepository();
    const place = createTrackingPlace(repo.folder);
    const story = { repo, place, core: await place.open() };
    await save(story, text('a', 'a'));
    repo.commit('begin');
    await saveAndCommit(story, text('b', 'a'));
    repo.git('checkout', '--quiet', 'HEAD~1');
    expect(await story.core.scan()).toMatchObject({ external: 0, git: 0, navigations: 1 });
  });

  it('while a file of it is still changing is what that file is judged by once it has settled', async () => {
    const story = await begin();
    const { repo, place } = story;
    const made = text('c', 'a');
    repo.git('switch', '--quiet', '--create', 'side');
    place.write(chapter, `${/^---\n.*?---\n/su.exec(place.text(chapter))![0]}${made}`);
    repo.git('commit', '--quiet', '--message', 'theirs', chapter);
    repo.git('switch', '--quiet', 'main');
    await story.core.scan();
    repo.git('cherry-pick', 'side');
    const picked = place.text(chapter);
    const faulty = createFaultyDisk();
    const core = await place.open({ disk: faulty.disk });
    let isDone = false;
    faulty.before(
      ({ name, path }) => !isDone && name === 'readFileSync' && path.endsWith(chapter) && place.text(chapter) === picked,
      () => {
        isDone = true;
        place.write(chapter, `${picked}and\n`);
      },
    );
    expect(await core.scan()).toMatchObject({ complete: false, reason: 'settling' });
    expect(isDone).toBe(true);
    place.write(chapter, picked);
    expect(await core.scan()).toMatchObject({ complete: true, git: 1, external: 0 });
    expect((await labels(story)).at(-1)).toMatch(/cherry-pick$/u);
    expect(await core.scan()).toMatchObject({ git: 0, external: 0, navigations: 0 });
  });

  it('while no program ran is a move all the same', async () => {
    const story = await begin();
    const { repo, core, place } = story;
    await saveAndCommit(story, text('b', 'a'));
    await core.scan();
    await core.close();
    repo.git('checkout', '--quiet', 'HEAD~1', '--', chapter);
    repo.git('reset', '--quiet', '--hard');
    repo.git('checkout', '--quiet', 'HEAD~1');
    const later = await place.open();
    await expectUntouched({ ...story, core: later }, () => later.scan());
  });
});

describe('what git made or moved while the ledger is committed', () => {
  it('a stash and its pop: the text that returns is the version that it was', async () => {
    const story = await begin();
    const { repo, core, place } = story;
    write(story, 'x', 'x');
    expect((await core.scan()).external).toBe(1);
    const made = entriesOf(place, 'transformation').length;
    repo.git('add', '.vmark');
    repo.git('commit', '--quiet', '--message', 'the ledger');
    await core.scan();
    repo.git('stash');
    await expectUntouched(story, async () => expect(await core.scan()).toMatchObject({ external: 0, git: 0 }));
    repo.git('stash', 'pop');
    await expectUntouched(story, async () => expect(await core.scan()).toMatchObject({ external: 0, git: 0 }));
    expect(entriesOf(place, 'transformation')).toHaveLength(made);
    await save(story, text('y', 'x'));
    expect((await core.logFile(chapter)).heads).toHaveLength(1);
  });

  it('a revert is a version by git', async () => {
    const story = await begin();
    const { repo, core, place } = story;
    await save(story, text('b', 'a'));
    repo.git('add', '.vmark');
    repo.git('commit', '--quiet', '--message', 'the ledger');
    repo.git('commit', '--quiet', '--message', 'a chapter', chapter);
    await core.scan();
    repo.git('revert', '--no-edit', 'HEAD');
    expect(await core.scan()).toMatchObject({ external: 0, git: 1 });
    const { body } = entriesOf(place, 'transformation').at(-1)!;
    expect(body).toMatchObject({
      agent: { type: 'git', id: 'revert' },
      intent: { kind: 'git-mutation' },
      confidence: 'unknown',
      inputs: [],
    });
    expect(await labels(story)).toEqual(['v1 human', 'v2 human', 'v3 revert']);
    await expectUntouched(story, () => core.scan());
  });

  it('two branches that are merged: both ledgers, and one version by git onto both', async () => {
    const story = await begin();
    const { repo, core, place } = story;
    repo.git('switch', '--create', 'side');
    await saveAndCommit(story, text('b', 'a'));
    repo.git('switch', 'main');
    await core.scan();
    await saveAndCommit(story, text('a', 'c'));
    expect(place.segments().size).toBe(2);
    await core.scan();
    repo.git('merge', '--quiet', '--no-edit', 'side');
    expect(await core.scan()).toMatchObject({ complete: true, git: 1, external: 0 });
    const { body } = entriesOf(place, 'transformation').at(-1)!;
    expect([body.agent, body.outputs[0]!.parents.length]).toEqual([{ type: 'git', id: 'merge' }, 2]);
    expect((await core.logFile(chapter)).heads).toHaveLength(1);
    expect(await core.verify({ restoreLines: false })).toMatchObject({ ok: true });
    await expectUntouched(story, () => core.scan());
  });

  it('a rebase and a cherry-pick are versions by git', async () => {
    const story = await begin();
    const { repo, core, place } = story;
    repo.git('switch', '--create', 'side');
    await saveAndCommit(story, text('b', 'a'));
    repo.git('switch', 'main');
    await core.scan();
    await saveAndCommit(story, text('a', 'c'));
    await core.scan();
    repo.git('switch', '--quiet', '--create', 'picked');
    await core.scan();
    repo.git('cherry-pick', 'side');
    expect(await core.scan()).toMatchObject({ git: 1, external: 0 });
    expect(entriesOf(place, 'transformation').at(-1)!.body.agent).toEqual({ type: 'git', id: 'cherry-pick' });
    repo.commit('picked');
    repo.git('switch', 'side');
    await core.scan();
    repo.git('rebase', '--quiet', 'main');
    expect(await core.scan()).toMatchObject({ git: 1, external: 0 });
    expect(entriesOf(place, 'transformation').at(-1)!.body.agent).toEqual({ type: 'git', id: 'rebase' });
    expect(await core.verify({ restoreLines: false })).toMatchObject({ ok: true });
  });

  it('an edit after a checkout is by another program, onto the version that stood there', async () => {
    const story = await begin();
    const { repo, core, place } = story;
    await saveAndCommit(story, text('b', 'a'));
    await core.scan();
    repo.git('checkout', '--quiet', 'HEAD~1');
    await core.scan();
    write(story, 'z', 'z');
    expect(await core.scan()).toMatchObject({ external: 1, git: 0 });
    const made = entriesOf(place, 'transformation');
    expect(made.at(-1)!.body.outputs[0]!.parents).toEqual([made[0]!.body.outputs[0]!.revision]);
  });

  it('an edit that was committed elsewhere is by another program', async () => {
    const story = await begin();
    write(story, 'z', 'z');
    story.repo.commit('elsewhere');
    expect(await story.core.scan()).toMatchObject({ external: 1, git: 0 });
  });
});

describe('a look that nobody asked for', () => {
  it('appends nothing after a move of HEAD, and leaves what it found to the next act of the writer', async () => {
    const story = await begin();
    const { repo, core, place } = story;
    await saveAndCommit(story, text('b', 'a'));
    await core.scan();
    const workspace = await place.assemble();
    repo.git('revert', '--no-edit', '--no-commit', 'HEAD');
    repo.git('checkout', 'HEAD', '--', '.vmark');
    repo.git('commit', '--quiet', '--message', 'back');
    write(story, 'z', 'a');
    await expectUntouched(story, async () => {
      expect(await scan(workspace, { mode: 'notice' })).toMatchObject({ complete: true, external: 1 });
      expect(await scan(workspace, { mode: 'notice' })).toMatchObject({ complete: true, external: 1 });
    });
    expect(await core.scan()).toMatchObject({ external: 1, git: 0 });
    write(story, 'y', 'a');
    expect(await scan(await place.assemble(), { mode: 'notice' })).toMatchObject({ external: 1 });
    expect(await labels(story)).toEqual(['v1 human', 'v2 human', 'v3 external', 'v4 external']);
  });
});

describe('a segment that git has in HEAD', () => {
  it('is never appended to: the next line begins another, and git can switch and pull', async () => {
    const story = await begin();
    const { repo, place } = story;
    const committed = place.segments();
    await save(story, text('b', 'a'));
    const after = place.segments();
    for (const [name, bytes] of committed) expect(after.get(name)).toEqual(bytes);
    expect(after.size).toBe(2);
    repo.git('stash', '--quiet', '--', chapter);
    repo.git('switch', '--quiet', '--create', 'side', 'HEAD');
    repo.git('switch', '--quiet', 'main');
    await save(story, text('c', 'a'));
    expect(place.segments().size).toBe(2);
    repo.commit('more');
    await save(story, text('d', 'a'));
    expect(place.segments().size).toBe(3);
    expect(new Set(place.lines().map((line) => (JSON.parse(line) as { writer: string }).writer)).size).toBe(1);
    expect(await story.core.verify({ restoreLines: false })).toMatchObject({ ok: true });
  });

  it('is whole after two clones have written and merged', async () => {
    const story = await begin();
    const { repo, place } = story;
    const folder = createFolder('clone');
    const clone = repo.at(folder);
    clone.git('clone', '--quiet', repo.folder, '.');
    for (const [key, value] of [
      ['user.name', 'Bo Writer'],
      ['user.email', 'bo@example.org'],
    ] as const)
      clone.git('config', key, value);
    const other = createTrackingPlace(folder);
    const there = await other.open();
    expect(await there.scan()).toMatchObject({ unchanged: 1, external: 0 });
    await saveAndCommit(story, text('b', 'a'));
    await saveAndCommit({ repo: clone, place: other, core: there }, text('a', 'c'));
    clone.git('pull', '--quiet', '--no-rebase', '--no-edit');
    expect(await there.scan()).toMatchObject({ complete: true, git: 1, external: 0 });
    clone.git('push', '--quiet', 'origin', 'main:from-clone');
    clone.commit('the merge');
    const known = new Set(other.entries().map(({ id }) => id));
    for (const { id } of place.entries()) expect(known).toContain(id);
    expect(await there.verify({ restoreLines: false })).toMatchObject({ ok: true });
    expect((await there.logFile(chapter)).heads).toHaveLength(1);
  });
});

describe('while git is in the middle of something', () => {
  it('the ledger answers at once, incomplete; nothing is appended, and saves go on', async () => {
    const story = await begin();
    const { repo, core, place } = story;
    repo.git('switch', '--create', 'side');
    await saveAndCommit(story, text('side', 'a'));
    repo.git('switch', 'main');
    await core.scan();
    await saveAndCommit(story, text('main', 'a'));
    await core.scan();
    repo.gitStops('merge', 'side');
    await expectUntouched(story, async () => {
      expect(await core.scan()).toMatchObject({ complete: false, reason: 'git-busy' });
      expect((await core.breakdown({ all: true, scan: true })).scan).toMatchObject({ complete: false, reason: 'git-busy' });
      await expect(
        core.record({ path: chapter, from: [chapter], contextFrom: [], agent: { type: 'model', id: null }, summary: null }),
      ).rejects.toMatchObject({
        code: 'git-busy',
      });
      await expect(core.track({ paths: [chapter], dryRun: false })).rejects.toMatchObject({ code: 'git-busy' });
    });
    const before = entriesOf(place, 'transformation').length;
    await save(story, text('both', 'a'));
    expect(entriesOf(place, 'transformation')).toHaveLength(before + 1);
    repo.git('add', chapter);
    repo.git('commit', '--quiet', '--no-edit');
    expect(await core.scan()).toMatchObject({ complete: true, external: 0, git: 0, unchanged: 1 });
    expect(entriesOf(place, 'transformation')).toHaveLength(before + 1);
  });

  it.each(['index.lock', 'rebase-merge', 'MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD'])(
    'is seen by %s, and over when that is gone',
    async (sign) => {
      const { repo, core, place } = await begin();
      write({ repo, core, place }, 'x', 'x');
      writeFileSync(join(repo.folder, '.git', sign), '');
      expect(await core.scan()).toMatchObject({ complete: false, reason: 'git-busy' });
      rmSync(join(repo.folder, '.git', sign));
      expect(await core.scan()).toMatchObject({ complete: true, external: 1 });
    },
  );
});

describe('a decision', () => {
  it('takes the moves of HEAD that waited along', async () => {
    const story = await begin();
    const { repo, core, place } = story;
    await core.save(savingOf(place, 'source.md', 'source\n'));
    await core.save(savingFrom(place, 'rests.md', 'rests\n', [await inputOf(core, 'source.md')]));
    await core.save(savingOf(place, 'source.md', place.text('source.md').replace('source', 'changed')));
    repo.commit('all');
    await core.scan();
    repo.git('switch', '--quiet', '--create', 'side');
    expect(await core.scan()).toMatchObject({ navigations: 1 });
    const [row] = (await core.breakdown({ all: false, scan: true })).artifacts[0]!.rows;
    const edge = { txf: row!.edge!.txf as never, input: row!.edge!.input };
    expect(await core.resolve({ edge, against: row!.current!.revision as never, decision: { kind: 'accept' } })).toMatchObject({
      kind: 'resolved',
    });
    expect(entriesOf(place, 'navigation')).toHaveLength(1);
    expect(entriesOf(place, 'ratification')[0]!.body.actor).toEqual({ type: 'human', id: 'Ana Writer' });
    await core.scan();
    await save(story, text('b', 'a'));
    expect(entriesOf(place, 'navigation')).toHaveLength(1);
  });
});

describe('a workspace that is a folder of a repository', () => {
  it('is told apart from the others in it, and from other worktrees', async () => {
    const repo = createRepository();
    const one = createTrackingPlace(join(repo.folder, 'one'));
    execFileSync('mkdir', [join(repo.folder, 'one'), join(repo.folder, 'two')]);
    const two = createTrackingPlace(join(repo.folder, 'two'));
    const [first, second] = [await one.open(), await two.open()];
    for (const [place, core] of [
      [one, first],
      [two, second],
    ] as const) {
      await core.save(savingOf(place, chapter, text('a', 'a')));
    }
    repo.commit('begin');
    for (const [place, core] of [
      [one, first],
      [two, second],
    ] as const) {
      expect(await core.scan()).toMatchObject({ documents: 1, unchanged: 1, external: 0 });
      await core.save(savingOf(place, chapter, place.text(chapter).replace('three', place.folder)));
    }
    repo.commit('more');
    repo.git('checkout', '--quiet', 'HEAD~1');
    for (const core of [first, second]) expect(await core.scan()).toMatchObject({ external: 0, git: 0, navigations: 1 });
    repo.git('checkout', '--quiet', 'main');
    for (const core of [first, second]) expect(await core.scan()).toMatchObject({ external: 0, git: 0, navigations: 1 });
    expect(readdirSync(join(repo.folder, '.git', 'stemma'))).toEqual(['position.json']);
    expect(Object.keys(JSON.parse(readFileSync(join(repo.folder, '.git/stemma/position.json'), 'utf8')) as object).sort()).toEqual([
      'one/',
      'two/',
    ]);
  });
});
