import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type Git, openGit } from '#core/git/git';
import type { GitPosition } from '#core/git/position';
import { createRepository, gitEnvironment, type Repository } from '../../helpers/repository';
import { vectorsOf } from '../../helpers/vectors';
import { createTrackingPlace, entriesOf, savingOf } from '../../helpers/workspace';

const chapter = 'chapter.md';
const hashOf = (bytes: Uint8Array) => hash('sha256', bytes, 'hex');
const gitOf = async (repo: Repository) => (await openGit(repo.folder, { env: gitEnvironment }))!;

/** What git means by the chapter as it is now, where its text is known to the ledger or not. */
async function meaningOf(git: Git, repo: Repository, since: GitPosition | null, known: boolean) {
  const changes = [{ path: chapter, contentHash: hashOf(Buffer.from(repo.read(chapter))), known }];
  const result = await git.attribute({ since, changes, hashOf });
  return { by: result?.byPath.get(chapter)?.kind, navigation: result?.navigation ?? null };
}

async function begin(text = 'a\n') {
  const repo = createRepository();
  repo.write(chapter, text);
  repo.commit('begin');
  const git = await gitOf(repo);
  return { repo, git, since: await git.position() };
}

const conflicted = async () => {
  const { repo, git } = await begin();
  repo.git('switch', '--create', 'side');
  repo.write(chapter, 'side\n');
  repo.commit('side');
  repo.git('switch', 'main');
  repo.write(chapter, 'main\n');
  repo.commit('main');
  repo.gitStops('merge', 'side');
  return (await git.busy()) === null ? null : 'merge-in-progress';
};

/** Each situation with a real git, and the class that we put it in, in VMark's words. */
const classes: Record<string, () => Promise<string | null>> = {
  'repo appears': async () => {
    const { repo, git } = await begin();
    const { by, navigation } = await meaningOf(git, repo, null, false);
    return by === 'external' && navigation === null ? 'external-unknown' : null;
  },
  'first scan mid-merge': conflicted,
  'revert or merge commit': async () => {
    const { repo, git } = await begin();
    repo.write(chapter, 'b\n');
    repo.commit('b');
    const since = await git.position();
    repo.git('revert', '--no-edit', 'HEAD');
    return (await meaningOf(git, repo, since, true)).by === 'git' ? 'mutation' : null;
  },
  'older commit, detached': async () => {
    const { repo, git } = await begin();
    repo.write(chapter, 'b\n');
    repo.commit('b');
    const since = await git.position();
    repo.git('checkout', 'HEAD~1');
    const { by, navigation } = await meaningOf(git, repo, since, true);
    return by === 'navigation' && navigation?.op === 'detach' ? 'navigation' : null;
  },
  'no change': async () => {
    const { git, since } = await begin();
    // Git is asked of changed texts only, and there are none.
    return (await git.attribute({ since, changes: [], hashOf }))?.navigation === null ? 'no-op' : null;
  },
  'reset --hard shrinks the set': async () => {
    const { repo, git } = await begin();
    repo.write(chapter, 'b\n');
    repo.commit('b');
    const since = await git.position();
    repo.git('reset', '--hard', 'HEAD~1');
    const { by, navigation } = await meaningOf(git, repo, since, true);
    // VMark writes every such move as a checkout; the format has a word for a reset.
    return by === 'navigation' && navigation?.op === 'reset' ? 'navigation' : null;
  },
  'fetch only': async () => {
    const { repo, git, since } = await begin();
    const origin = createRepository();
    origin.commit('elsewhere');
    repo.git('fetch', '--quiet', origin.folder, 'main:refs/remotes/origin/main');
    const before = git.headMoved();
    const still = (await git.position())?.head === since?.head && git.headMoved() === before;
    return still ? 'no-op' : null;
  },
  'unborn twice': async () => {
    const repo = createRepository();
    repo.write(chapter, 'a\n');
    const git = await gitOf(repo);
    const { by, navigation } = await meaningOf(git, repo, await git.position(), false);
    return by === 'external' && navigation === null ? 'external-unknown' : null;
  },
  'ordinary new commit made outside': async () => {
    const { repo, git, since } = await begin();
    repo.write(chapter, 'b\n');
    repo.commit('b');
    return (await meaningOf(git, repo, since, false)).by ?? null;
  },
};

describe('the vectors of the git classes', () => {
  it.each(vectorsOf<{ name: string; class: string; op?: string; ours?: { class: string } }>('git_classifier'))(
    '$name',
    async ({ name, class: theirs, ours }) => {
      expect(await classes[name]!()).toBe(ours?.class ?? theirs);
    },
  );
});

/** A tracked chapter in a repository, saved as `a` and then as `b`, each committed without its ledger, which no checkout then takes away. */
async function tracked() {
  const repo = createRepository();
  const place = createTrackingPlace(repo.folder);
  const core = await place.open();
  repo.write('.git/info/exclude', '.vmark/\n');
  await core.save(savingOf(place, chapter, 'a\n'));
  repo.commit('a');
  await core.scan();
  await core.save(savingOf(place, chapter, place.text(chapter).replace(/a\n$/u, 'b\n')));
  repo.commit('b');
  await core.scan();
  const textTo = (text: string) => place.write(chapter, `${/^---\n.*?---\n/su.exec(place.text(chapter))![0]}${text}`);
  const made = () => entriesOf(place, 'transformation').map(({ body }) => `${body.agent.type} ${body.confidence}`);
  return { repo, place, core, textTo, made };
}

/** What a scan does in each class, by the contract where it differs from VMark: whether it is so. */
const effects: Record<string, () => Promise<boolean>> = {
  async navigation() {
    const { repo, core, textTo, made } = await tracked();
    const before = made();
    repo.git('checkout', 'HEAD~1');
    const back = await core.scan();
    textTo('never seen\n');
    const fresh = await core.scan();
    const isQuiet = back.external === 0 && back.git === 0;
    return isQuiet && fresh.external === 1 && made().slice(before.length).join() === 'external unknown';
  },
  async mutation() {
    const { repo, core, made } = await tracked();
    repo.git('revert', '--no-edit', 'HEAD');
    const { git } = await core.scan();
    return git === 1 && made().at(-1) === 'git unknown';
  },
  async 'merge-in-progress'() {
    const { repo, place, core, textTo } = await tracked();
    repo.git('switch', '--create', 'side', 'HEAD~1');
    textTo('side\n');
    repo.commit('side');
    repo.gitStops('merge', 'main');
    const before = place.segments();
    const { complete, reason } = await core.scan();
    return !complete && reason === 'git-busy' && place.segments().size === before.size;
  },
  async 'observation-unreliable'() {
    const { repo, place, core, textTo } = await tracked();
    const before = place.segments();
    repo.write('.git/HEAD', 'nonsense\n');
    textTo('never seen\n');
    const { reason } = await core.scan();
    const isLeft = [...place.segments()].every(([name, bytes]) => bytes.equals(before.get(name)!));
    repo.write('.git/HEAD', 'ref: refs/heads/main\n');
    const { external } = await core.scan();
    return reason === 'git-unreadable' && isLeft && external === 1;
  },
  async 'no-op | not-git | external-unknown'() {
    const { core, textTo, made } = await tracked();
    textTo('a\n');
    const { external } = await core.scan();
    return external === 1 && made().at(-1) === 'external unknown';
  },
};

describe('the vectors of what a scan does', () => {
  it.each(vectorsOf<{ class: string }>('git_effects'))('$class', async ({ class: name }) => {
    expect(await effects[name]!()).toBe(true);
  });
});

describe('the vectors of merges', () => {
  const scenarios: Record<string, (repo: Repository) => void> = {
    'no-ff merge of feature(feat.md) into main(main.md)': (repo) => {
      repo.git('switch', '--create', 'feature');
      repo.write('feat.md', 'feature\n');
      repo.commit('feature');
      repo.git('switch', 'main');
      repo.write('main.md', 'main\n');
      repo.commit('main');
      repo.git('merge', '--no-ff', '--no-edit', 'feature');
    },
    'linear HEAD': (repo) => {
      repo.git('switch', '--create', 'feature');
      repo.write('feat.md', 'feature\n');
      repo.commit('feature');
      repo.git('switch', 'main');
      repo.git('merge', '--ff-only', 'feature');
    },
  };

  it.each(vectorsOf<{ scenario: string; changed: string[] }>('git_merge_files'))('$scenario', async ({ scenario, changed }) => {
    const { repo, git } = await begin();
    scenarios[scenario]!(repo);
    expect((await git.landedMerge())?.paths ?? []).toEqual(changed);
  });

  it('name only what is in the workspace, below its folder', async () => {
    const repo = createRepository();
    repo.write('book/a.md', 'a\n');
    repo.commit('begin');
    repo.git('switch', '--create', 'side');
    repo.write('book/é\n.md', 'b\n');
    repo.write('other.md', 'b\n');
    repo.commit('side');
    repo.git('switch', 'main');
    repo.git('merge', '--no-ff', '--no-edit', 'side');
    const git = (await openGit(`${repo.folder}/book`, { env: gitEnvironment }))!;
    expect(await git.landedMerge()).toEqual({ commit: repo.git('rev-parse', 'HEAD').trim(), paths: ['é\n.md'] });
  });
});
