import { join } from 'node:path';
import { conflicts, control, doubled, eaten, layouts, record, save, segmentsIn } from './layout.ts';
import { commitAll, copied, git, inTheWay, must, table } from './repository.ts';

const commands = [
  ...['switch main', 'switch feature', 'switch bare', 'switch -', 'switch -d HEAD~1', 'pull --rebase', 'pull --no-rebase --no-edit'],
  ...['rebase feature', 'merge --no-edit feature', 'merge --no-edit main', 'cherry-pick feature', 'revert --no-edit HEAD'],
  ...['stash', 'stash -u', 'stash pop', 'bisect start HEAD HEAD~2'],
];
// The same course for the same seed, whatever the layout answers.
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

interface Tally {
  commands: number;
  refused: number;
  conflicts: number;
  eaten: number;
  doubled: number;
  segments: number;
}

function calmDown(dir: string): void {
  for (const step of ['merge --abort', 'rebase --abort', 'cherry-pick --abort', 'revert --abort']) git(dir, ...step.split(' '));
  git(dir, 'add', '-A');
  git(dir, 'commit', '-qm', 'out of the way');
}

function obey(dir: string, step: string, tally: Tally): void {
  const answer = git(dir, ...step.split(' '));
  tally.commands += 1;
  if (step.startsWith('bisect')) git(dir, 'bisect', 'reset');
  if (answer.code === 0) return;
  if (conflicts(dir) > 0) tally.conflicts += 1;
  else if (inTheWay.test(answer.err)) tally.refused += 1;
  calmDown(dir);
}

// A third of the commits each by `commit -am`, by `add -A`, and by `add -A` with one more record before the commit.
function saveAndCommit(dir: string, layout: string, chapter: string, way: number): string[] {
  const keys = [save(layout, dir, chapter)];
  must(dir, 'add', 'chapters');
  if (way === 0) must(dir, 'commit', '-qam', 'am');
  if (way === 1) commitAll(dir);
  if (way === 2) {
    must(dir, 'add', '-A');
    keys.push(record(layout, dir));
    must(dir, 'commit', '-qm', 'staged');
  }
  return keys;
}

function story(world: string, layout: string, seed: number): Tally {
  const dir = join(copied(world), 'desk');
  const roll = dice(seed);
  const keys: string[] = [];
  const tally: Tally = { commands: 0, refused: 0, conflicts: 0, eaten: 0, doubled: 0, segments: 0 };
  for (let step = 0; step < 200; step += 1) {
    const [act, choice] = [roll(10), roll(commands.length)];
    if (act < 2) keys.push(record(layout, dir));
    else if (act < 5) keys.push(...saveAndCommit(dir, layout, `s${step}.md`, act - 2));
    else obey(dir, commands[choice]!, tally);
  }
  tally.eaten = eaten(dir, keys);
  calmDown(dir);
  git(dir, 'switch', 'main');
  git(dir, 'merge', '--no-edit', 'feature');
  return { ...tally, doubled: doubled(dir), segments: segmentsIn(dir).length };
}

/** Records and git commands in random order; each save is a chapter of its own and is committed, so that only the ledger can be in the way. */
export function compareStories(worlds: ReadonlyMap<string, string>): void {
  const columns = [control, ...layouts];
  const tallies = columns.map((layout) => [1, 2, 3].map((seed) => story(worlds.get(layout)!, layout, seed)));
  const sum = (key: keyof Tally) => tallies.map((three) => three.reduce((all, one) => all + one[key], 0));
  console.log('\n## Three random stories of 200 steps, chapters always committed');
  table(
    ['', 'no ledger', ...layouts],
    [
      ['git commands run', ...sum('commands')],
      ['refused because something is in the way', ...sum('refused')],
      ['stopped by a conflict in the ledger', ...sum('conflicts')],
      ['lines in no file and no commit', ...sum('eaten')],
      ['lines doubled in the files', ...sum('doubled')],
      ['segments at the end', ...sum('segments')],
    ],
  );
}
