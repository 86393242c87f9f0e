import * as fs from 'node:fs';
import { join } from 'node:path';
import { conflicts, control, doubled, eaten, furnish, inTip, layouts, linesOnDisk, record, save, snapshot } from './layout.ts';
import { commitAll, copied, git, must, table } from './repository.ts';

const moments: Record<string, (layout: string, dir: string) => string[]> = {
  '1': (layout, dir) => [record(layout, dir)],
  '2': (layout, dir) => {
    const key = save(layout, dir, '05.md');
    commitAll(dir);
    return [key];
  },
  '3': (layout, dir) => {
    const key = save(layout, dir, '01.md');
    must(dir, 'commit', '-qam', 'am');
    return [key];
  },
  '4': (layout, dir) => {
    const first = save(layout, dir, '05.md');
    must(dir, 'add', '-A');
    const second = record(layout, dir);
    must(dir, 'commit', '-qm', 'staged');
    return [first, second];
  },
};

// `record` among the steps is one more line by the writer.
const commands: Record<string, readonly string[]> = {
  'switch feature': ['switch feature'],
  'switch -c new': ['switch -c new'],
  'checkout HEAD~1': ['checkout HEAD~1'],
  'checkout -': ['checkout -'],
  'switch feature, record, switch main': ['switch feature', 'record', 'switch main'],
  'checkout of before the ledger, record, switch main': ['switch bare', 'record', 'switch main'],
  'pull --ff-only': ['pull --ff-only'],
  'pull --rebase': ['pull --rebase'],
  'pull --no-rebase': ['pull --no-rebase --no-edit'],
  rebase: ['rebase feature'],
  merge: ['merge --no-edit feature'],
  'cherry-pick': ['cherry-pick feature'],
  revert: ['revert --no-edit HEAD'],
  stash: ['stash'],
  'stash, record, pop': ['stash', 'record', 'stash pop'],
  'stash -u': ['stash -u'],
  'stash -u, record, pop': ['stash -u', 'record', 'stash pop'],
  'reset --hard': ['reset --hard'],
  'clean -fd': ['clean -fdq'],
  'clean -fdx': ['clean -fdxq'],
  'bisect start, bad, good': ['bisect start', 'bisect bad', 'bisect good HEAD~3'],
  'worktree add': ['worktree add -q ../tree feature'],
};

interface Outcome {
  readonly failed: string;
  readonly eaten: number;
  readonly conflicts: number;
  readonly doubled: number;
}

function firstError(text: string): string {
  const [line = '', path = ''] = text.slice(Math.max(0, text.search(/^(error|fatal|CONFLICT)/mu))).split('\n');
  return `${line.replace('error: ', '')}${path.startsWith('\t') ? ` ${path.trim().replace(/018f3c7a[0-9a-f-]+/u, 'W')}` : ''}`;
}

function run(world: string, layout: string, moment: string, steps: readonly string[]): Outcome {
  const copy = copied(world);
  const dir = join(copy, 'desk');
  const keys = moments[moment]!(layout, dir);
  let failed = '';
  for (const step of steps) {
    if (step === 'record') keys.push(record(layout, dir));
    else {
      const answer = git(dir, ...step.split(' '));
      // With nothing to stash, `pop` has nothing to give back: no refusal.
      if (answer.code !== 0 && !answer.err.includes('No stash entries')) failed ||= firstError(answer.err);
    }
  }
  const outcome = { failed, eaten: eaten(dir, keys), conflicts: conflicts(dir), doubled: doubled(dir) };
  fs.rmSync(copy, { recursive: true });
  return outcome;
}

const effects: readonly [string, (outcome: Outcome) => number][] = [
  ['refused', (outcome) => (outcome.failed === '' || outcome.conflicts > 0 ? 0 : 1)],
  ['conflict', (outcome) => outcome.conflicts],
  ['eaten', (outcome) => outcome.eaten],
  ['doubled', (outcome) => outcome.doubled],
];

/** Every command at every moment in every layout; a command that fails in the control too is left out. */
export function compareCommands(worlds: ReadonlyMap<string, string>): void {
  const sums = new Map<string, number>();
  const words = new Map<string, number>();
  let counted = 0;
  const rows = Object.entries(commands).map(([label, steps]) => {
    const times = Object.keys(moments).filter((moment) => run(worlds.get(control)!, control, moment, steps).failed === '');
    counted += times.length;
    const cells = layouts.map((layout) => {
      const outcomes = times.map((moment) => [moment, run(worlds.get(layout)!, layout, moment, steps)] as const);
      for (const [, outcome] of outcomes) if (outcome.failed !== '') words.set(outcome.failed, (words.get(outcome.failed) ?? 0) + 1);
      return effects.flatMap(([effect, count]) => {
        const hit = outcomes.filter(([, outcome]) => count(outcome) > 0);
        const sum = hit.reduce((all, [, outcome]) => all + count(outcome), 0);
        sums.set(layout + effect, (sums.get(layout + effect) ?? 0) + sum);
        return hit.length === 0 ? [] : [`${effect} ${hit.map(([moment]) => moment).join(' ')}`];
      });
    });
    return [label, times.join(' '), ...cells.map((marks) => marks.join(', ') || '·')];
  });
  console.log(
    '\n## Commands\n\nMoments: 1 one record, chapters clean; 2 save, `add -A`, commit; 3 save, `commit -am`; 4 save, `add -A`, record, commit.',
  );
  table(['command', 'moments', ...layouts], rows);
  const totals = effects.map(([effect]) => [effect, counted, ...layouts.map((layout) => sums.get(layout + effect) ?? 0)]);
  table(['sum over', 'cells', ...layouts], totals);
  console.log(`\nIn git's words:\n\n${[...words].map(([text, times]) => `- ${times} × ${text}`).join('\n')}`);
}

function leftBehind(world: string, layout: string): number[] {
  const dir = join(copied(world), 'desk');
  const keys = Array.from({ length: 10 }, () => {
    const key = save(layout, dir, '01.md');
    must(dir, 'commit', '-qam', 'am');
    return key;
  });
  const missing = () => keys.filter((key) => !inTip(dir, key)).length;
  const left = missing();
  const snapshots = must(dir, 'ls-files', '-o', '-z', '--', '.vmark/snapshots').split('\0').length - 1;
  save(layout, dir, '01.md');
  commitAll(dir);
  return [left, snapshots, Math.max(0, snapshots - left), missing()];
}

/** Both clones of one installation record, `away` pushes, `desk` pulls. */
function meet(world: string, layout: string, committed: boolean): string {
  const copy = copied(world);
  const [desk, away] = [join(copy, 'desk'), join(copy, 'away')];
  must(desk, 'pull', '-q', '--ff-only');
  const keys = [save(layout, away, '06.md'), record(layout, away)];
  commitAll(away);
  must(away, 'push', '-q');
  keys.push(committed ? save(layout, desk, '07.md') : record(layout, desk));
  if (committed) commitAll(desk);
  const answer = git(desk, 'pull', '--no-rebase', '--no-edit');
  if (conflicts(desk) > 0) return 'conflict';
  if (answer.code !== 0) return 'refused';
  const kept = new Set(linesOnDisk(desk));
  return `${keys.filter((key) => kept.has(key)).length} of ${keys.length} lines, ${doubled(desk)} doubled`;
}

/** What `commit -am` leaves, and what two clones of one installation make of each other's lines. */
export function compareClones(worlds: ReadonlyMap<string, string>, plain: ReadonlyMap<string, string>): void {
  const left = layouts.map((layout) => leftBehind(worlds.get(layout)!, layout));
  const labels = [
    'lines left behind',
    'snapshots left behind',
    'lines committed without their snapshot',
    'lines missing after one later `add -A`',
  ];
  console.log('\n## Commits, and two clones of one installation');
  table(
    ['', ...layouts],
    [
      ...labels.map((label, at) => [`10 × save, \`commit -am\`: ${label}`, ...left.map((row) => row[at]!)]),
      ['both committed, merge', ...layouts.map((layout) => meet(worlds.get(layout)!, layout, true))],
      ['both committed, merge without the union attribute', ...layouts.map((layout) => meet(plain.get(layout)!, layout, true))],
      ['one line here not committed, pull', ...layouts.map((layout) => meet(worlds.get(layout)!, layout, false))],
    ],
  );
}

const text = 'the same words on both sides\n';
const remains: Record<string, (desk: string, away: string) => string[]> = {
  'a snapshot of this text is on the other branch, here it is not committed: switch': (desk) => {
    must(desk, 'switch', '-q', 'feature');
    snapshot(desk, text);
    commitAll(desk);
    must(desk, 'switch', '-q', 'main');
    snapshot(desk, text);
    return ['switch', 'feature'];
  },
  'the other clone pushed a snapshot of this text, here it is not committed: pull': (desk, away) => {
    snapshot(away, text);
    commitAll(away);
    must(away, 'push', '-q');
    snapshot(desk, text);
    return ['pull', '--ff-only'];
  },
  'the same, committed on both sides: pull': (desk, away) => {
    for (const dir of [away, desk]) {
      snapshot(dir, text);
      commitAll(dir);
    }
    must(away, 'push', '-q');
    return ['pull', '--no-rebase', '--no-edit'];
  },
  '`.vmark/.gitignore` made anew on a branch from before the ledger, not committed: switch back': (desk) => {
    must(desk, 'switch', '-q', 'bare');
    furnish(desk, true);
    return ['switch', 'main'];
  },
};

/** What git refuses in any layout of lines: other files of ours that are untracked here and tracked there, though equal to the byte. */
export function showRemains(world: string): void {
  console.log('\n## What no layout of lines changes');
  const rows = Object.entries(remains).map(([label, prepare]) => {
    const copy = copied(world);
    const desk = join(copy, 'desk');
    const answer = git(desk, ...prepare(desk, join(copy, 'away')));
    return [label, answer.code === 0 ? 'passes' : firstError(answer.err)];
  });
  table(['', 'git'], rows);
}
