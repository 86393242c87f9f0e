import { cloneRepository, type Repository } from '../../helpers/repository';

type Step = (repo: Repository) => void;

/** What people do with git while a chapter is tracked. */
export interface Story {
  readonly story: string;
  /** The texts that the ledger has by the time of the scan. */
  readonly known: readonly string[];
  /** The attribution with its op or id; `same` where the chapter on disk did not change. */
  readonly means: string;
  /** Prepares a repository whose branch main has the chapter as `text('a', 'a')`; then the position is noted. */
  readonly before: Step;
  readonly during: Step;
}

/** The chapter that the stories are about. */
export const chapter = 'chapter.md';

/** A chapter whose first and last lines can be changed without a conflict. */
export const text = (first: string, last: string): string => `${first}\n\none\ntwo\nthree\n\n${last}\n`;

/** One step after another. */
export const steps =
  (...all: Step[]): Step =>
  (repo) => {
    for (const step of all) step(repo);
  };

/** Git commands, their words apart by spaces. */
export const run = (...commands: string[]): Step =>
  steps(...commands.map((command) => (repo: Repository) => repo.git(...command.split(' '))));

/** Writes the chapter. */
export const write =
  (words: string): Step =>
  (repo) =>
    repo.write(chapter, words);

/** Writes the chapter and commits it. */
export const put = (words: string, ...options: string[]): Step => steps(write(words), (repo) => repo.commit('a chapter', ...options));

const stops =
  (command: string): Step =>
  (repo) =>
    repo.gitStops(...command.split(' '));
const branch = (name: string, words: string) => steps(run(`switch --create ${name}`), put(words), run('switch main'));
const byHand = (finish: string) => steps(write(text('by hand', 'c')), run('add --all', finish));
const interactive =
  (edit: string, onto: string): Step =>
  (repo) =>
    repo.git('-c', `sequence.editor=sed -i.bak -e ${edit}`, 'rebase', '--interactive', onto);
const another: Step = (repo) => {
  repo.write('another.md', 'another\n');
  repo.commit('another file');
};
const colleague =
  (words: string): Step =>
  (repo) => {
    const clone = cloneRepository(repo);
    put(words)(clone);
    run(`remote add origin ${clone.folder}`, 'fetch origin', 'branch --set-upstream-to=origin/main')(repo);
  };

const A = text('a', 'a');
const B = text('b', 'a');
const C = text('a', 'c');
const BC = text('b', 'c');
const AB = [A, B];
const ABC = [A, B, C];
const ABBC = [A, B, BC];

const nothing = steps();
const thenB = put(B);
const thenBC = steps(put(B), put(BC));
const sideB = branch('side', B);
const sideBmainC = steps(sideB, put(C));
const onSideB = steps(sideBmainC, run('switch side'));
const conflict = steps(branch('side', text('side', 'a')), put(text('main', 'a')));
const onConflict = steps(conflict, run('switch side'));
const revertible = steps(put(text('b', 'b')), put(text('c', 'c')));
const stashedB = steps(write(B), run('stash'));
const upstreamB = steps(run('switch --create side'), another, run('switch main'), put(B), run('switch side'));
const sideBC = steps(run('switch --create side'), thenBC, run('switch main'), another);
const pulledB = colleague(B);
const pulledBmainC = steps(pulledB, put(C));

const tell = (story: string, means: string, known: readonly string[], before: Step, ...during: Step[]): Story => ({
  story,
  means,
  known,
  before,
  during: steps(...during),
});

/** Each with the real git. */
export const stories: readonly Story[] = [
  tell('a branch is switched', 'navigation branch-switch', AB, sideB, run('switch side')),
  tell('a branch is switched, to text nobody recorded', 'external', [A], sideB, run('switch side')),
  tell('a branch is switched back', 'navigation branch-switch', AB, steps(sideB, run('switch side')), run('switch -')),
  tell('branches are switched there and back between two scans', 'same', AB, sideB, run('switch side', 'switch -')),
  tell('an old commit is checked out', 'navigation detach', AB, thenB, run('checkout HEAD~1')),
  tell(
    'a commit is checked out from another, detached',
    'navigation checkout',
    ABBC,
    steps(thenBC, run('checkout HEAD~1')),
    run('checkout HEAD~1'),
  ),
  tell('a bisect begins', 'navigation detach', ABBC, thenBC, run('bisect start HEAD HEAD~2')),
  tell('a file is restored from HEAD', 'navigation checkout', AB, write(B), run(`restore ${chapter}`)),
  tell('a branch is reset, hard', 'navigation reset', AB, thenB, run('reset --hard HEAD~1')),
  tell('a branch is reset, soft', 'same', AB, thenB, run('reset --soft HEAD~1')),
  tell('edits are stashed', 'navigation reset', AB, write(B), run('stash')),
  tell('a stash is popped', 'navigation checkout', AB, stashedB, run('stash pop')),
  tell('a stash is popped onto other text', 'external', ABC, steps(stashedB, put(C)), run('stash pop')),
  tell('a text is edited', 'external', [A], nothing, write(B)),
  tell('a text is edited and committed elsewhere', 'external', [A], nothing, put(B)),
  tell('a recorded edit is committed elsewhere', 'same', AB, write(B), run('commit --all --message b')),
  tell('a commit is followed by a look at an old one', 'external', [A], nothing, put(B), run('checkout HEAD~1', 'checkout main')),
  tell('a commit is amended with new text', 'external', AB, thenB, put(C, '--amend')),
  tell('a commit is amended with an old text', 'external', AB, thenB, put(A, '--amend')),
  tell('old text returns by hand and is committed', 'external', AB, thenB, put(A)),
  tell('old text, not that of HEAD, returns by hand', 'external', AB, thenB, write(A)),
  tell('the text of HEAD returns by hand', 'navigation checkout', AB, write(B), write(A)),
  tell('a commit is reverted', 'git revert', AB, thenB, run('revert --no-edit HEAD')),
  tell('a revert is reworded', 'git revert', AB, thenB, run('revert --no-edit HEAD', 'commit --amend --message back')),
  tell(
    'a revert stops and is finished by hand',
    'external',
    [A],
    revertible,
    stops('revert --no-edit HEAD~1'),
    byHand('revert --continue'),
  ),
  tell('a commit is cherry-picked', 'git cherry-pick', ABC, sideBmainC, run('cherry-pick side')),
  tell(
    'a cherry-pick stops and is finished by hand',
    'git cherry-pick',
    [A],
    conflict,
    stops('cherry-pick side'),
    byHand('commit --no-edit'),
  ),
  tell('a cherry-pick is a fast-forward', 'navigation checkout', AB, sideB, run('cherry-pick --ff side')),
  tell('a merge is a fast-forward', 'navigation checkout', AB, sideB, run('merge side')),
  tell('a merge is a fast-forward, to text nobody recorded', 'external', [A], sideB, run('merge side')),
  tell('two texts are merged', 'git merge', ABC, sideBmainC, run('merge --no-edit side')),
  tell('a merge takes the text of the other side', 'git merge', AB, steps(sideB, another), run('merge --no-edit side')),
  tell('a merge stops and is finished by hand', 'git merge', [A], conflict, stops('merge side'), byHand('commit --no-edit')),
  tell('three branches are merged', 'git merge', ABC, steps(sideB, branch('right', C), another), run('merge --no-edit side right')),
  tell('a branch is merged as one squashed commit', 'external', ABC, sideBmainC, run('merge --squash side', 'commit --message squashed')),
  tell('a branch is rebased', 'git rebase', ABC, onSideB, run('rebase main')),
  tell('a branch is rebased by patches', 'git rebase', ABC, onSideB, run('rebase --apply main')),
  tell('a branch is rebased onto another text', 'navigation checkout', AB, upstreamB, run('rebase main')),
  tell('a rebase stops and is finished by hand', 'git rebase', [A], onConflict, stops('rebase main'), byHand('rebase --continue')),
  tell('a rebase stops and is given up', 'same', [A], onConflict, stops('rebase main'), run('rebase --abort')),
  tell('two commits are squashed', 'same', ABBC, thenBC, interactive('2s/pick/squash/', 'HEAD~2')),
  tell('a branch is switched to and squashed', 'git rebase', ABBC, sideBC, run('switch side'), interactive('2s/pick/squash/', 'main')),
  tell('a commit is dropped', 'git rebase', ABBC, thenBC, interactive('1d', 'HEAD~2')),
  tell('a pull is a fast-forward', 'navigation checkout', AB, pulledB, run('pull origin main')),
  tell('a pull brings text nobody recorded', 'external', [A], pulledB, run('pull')),
  tell('a pull merges', 'git merge', ABC, pulledBmainC, run('pull --no-rebase --no-edit')),
  tell('a pull rebases', 'git rebase', ABC, pulledBmainC, run('pull --rebase origin main')),
  tell('a pull rebases where nothing is to be rebased', 'navigation checkout', AB, pulledB, run('pull --rebase')),
];
