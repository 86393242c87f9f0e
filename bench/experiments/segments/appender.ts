import * as fs from 'node:fs';
import { join } from 'node:path';
import { eaten, freshName, inHead, inIndex, ledgerOf, newLine, openSegment, record, save, segmentsIn, writer } from './layout.ts';
import { background, commitAll, copied, git, inTheWay, must, table, timed, write } from './repository.ts';

function stamp(file: string): string {
  const at = fs.statSync(file, { bigint: true, throwIfNoEntry: false });
  return at === undefined ? '-' : `${at.ino} ${at.size} ${at.mtimeNs} ${at.ctimeNs}`;
}

const acts: Record<string, (dir: string) => unknown> = {
  'one record': (dir) => record('D', dir),
  'add -A': (dir) => git(dir, 'add', '-A'),
  commit: (dir) => git(dir, 'commit', '-qm', 'x'),
  'save, commit -am': (dir) => save('D', dir, '01.md') && git(dir, 'commit', '-qam', 'x'),
  'switch feature': (dir) => git(dir, 'switch', '-q', 'feature'),
  'switch main': (dir) => git(dir, 'switch', '-q', 'main'),
  'stash -u': (dir) => git(dir, 'stash', '-u'),
  status: (dir) => git(dir, 'status'),
  'rm --cached': (dir) => git(dir, 'rm', '-rq', '--cached', '.vmark/ledger'),
  'reset --hard': (dir) => git(dir, 'reset', '-q', '--hard'),
  'update-ref to a commit made without the index': (dir) => {
    const tree = must(dir, 'rev-parse', 'HEAD^{tree}').trim();
    git(dir, 'update-ref', 'HEAD', must(dir, 'commit-tree', tree, '-p', 'HEAD', '-m', 'x').trim());
  },
};

const watched = ['index', 'HEAD', 'logs/HEAD', 'refs/heads/main'];

function stampRows(dir: string): string[][] {
  const look = () => watched.map((file) => stamp(join(dir, '.git', file)));
  return Object.entries(acts).map(([label, act]) => {
    const before = look();
    act(dir);
    return [label, ...look().map((now, at) => (now === before[at] ? '·' : 'moved'))];
  });
}

/** Which file of git tells that a segment may have become tracked, and what asking costs. */
export function compareStamps(world: string): void {
  const [plain, silent] = [join(copied(world), 'desk'), join(copied(world), 'desk')];
  must(silent, 'config', 'core.logAllRefUpdates', 'false');
  fs.rmSync(join(silent, '.git/logs'), { recursive: true });
  const [rows, others] = [stampRows(plain), stampRows(silent)];
  console.log('\n## Which file of git moves (in brackets: with core.logAllRefUpdates=false, where it differs)');
  const both = rows.map((row, at) =>
    row.map((value, column) => (others[at]![column] === value ? value : `${value} (${others[at]![column]})`)),
  );
  table(['act', ...watched], both);
  const cost = (work: () => unknown) =>
    timed(() => {
      for (let turn = 0; turn < 20; turn += 1) work();
    }) / 20;
  const stat = cost(() => stamp(join(plain, '.git/index'))) * 1000;
  console.log(
    `\nstat ${stat.toFixed(0)} µs; ls-files ${cost(() => inIndex(plain)).toFixed(1)} ms; ls-tree ${cost(() => inHead(plain)).toFixed(1)} ms`,
  );
}

interface Appender {
  append(): string;
  /** Looks once more whether the youngest lines are where they were written. */
  settle(): void;
  /** How often git was asked. */
  asked(): number;
  segment(): string;
}

/** What is switched on: `careful` is layout D as decided, without it D takes any segment that the index does not name. */
interface Care {
  readonly careful: boolean;
}

interface Written {
  readonly line: string;
  readonly name: string;
  readonly inode: number;
  readonly end: number;
  readonly time: number;
}

const { O_APPEND, O_CREAT, O_EXCL, O_RDWR } = fs.constants;

// Null where the line is not in the file that stands at this path after the fsync.
function appended(dir: string, name: string, flags: number, line: string): Written | null {
  let descriptor: number;
  try {
    descriptor = fs.openSync(join(ledgerOf(dir), name), flags);
  } catch {
    return null;
  }
  fs.writeSync(descriptor, line);
  fs.fsyncSync(descriptor);
  const { ino: inode, size: end } = fs.fstatSync(descriptor);
  fs.closeSync(descriptor);
  const written = { line, name, inode, end, time: Date.now() };
  return stands(dir, written) ? written : null;
}

function stands(dir: string, { name, inode, end, line }: Written): boolean {
  const file = join(ledgerOf(dir), name);
  const now = fs.statSync(file, { throwIfNoEntry: false });
  if (now === undefined) return false;
  return (now.ino === inode && now.size >= end) || fs.readFileSync(file, 'utf8').includes(line);
}

// A segment that is gone may be in a commit or a stash: then its lines are where they belong.
function isCommitted(dir: string, { name, line }: Written): boolean {
  const path = `.vmark/ledger/${name}`;
  const commit = git(dir, 'rev-list', '--all', '-1', '--', path).out.trim();
  return commit !== '' && git(dir, 'cat-file', 'blob', `${commit}:${path}`).out.includes(line);
}

/** What the appender knows of git without asking it. */
function createWatch(dir: string, { careful }: Care): { choose(current: string): string; asked(): number } {
  const index = join(dir, '.git/index');
  const isBusy = () => careful && fs.existsSync(`${index}.lock`);
  let [seen, asked] = ['', 0];
  const choose = (current: string) => {
    // While git works, files stand that its index does not name yet, and files are read that it will name.
    if (isBusy()) return '';
    const now = stamp(index);
    if (now === seen) return current;
    if (now !== '-') asked += 1;
    const tracked = now === '-' ? new Set<string>() : inIndex(dir);
    if (careful && (isBusy() || stamp(index) !== now)) return '';
    const mine = seen === '' || !careful ? openSegment(dir, writer, tracked) : current;
    seen = now;
    return mine !== undefined && !tracked.has(mine) ? mine : '';
  };
  return { choose, asked: () => asked };
}

/** Layout D with a stamp: git is asked only after its index moved; a segment that is gone is never made again under its name. */
function createAppender(dir: string, care: Care = { careful: true }): Appender {
  const watch = createWatch(dir, care);
  let current = '';
  let recent: Written[] = [];
  const put = (lines: string) => {
    fs.mkdirSync(ledgerOf(dir), { recursive: true });
    current = watch.choose(current);
    let written = current === '' ? null : appended(dir, current, O_RDWR | O_APPEND, lines);
    while (written === null) {
      current = freshName(writer);
      fs.mkdirSync(ledgerOf(dir), { recursive: true });
      written = appended(dir, current, O_RDWR | O_APPEND | O_CREAT | O_EXCL, lines);
    }
    recent.push(written);
  };
  const settle = () => {
    const young = recent.filter(({ time }) => time > Date.now() - 10_000);
    recent = young.filter((written) => stands(dir, written));
    const lost = young.filter((written) => !recent.includes(written) && !isCommitted(dir, written));
    if (lost.length > 0) put(lost.map(({ line }) => line).join(''));
  };
  const append = () => {
    const { key, line } = newLine(writer);
    if (care.careful) settle();
    put(line);
    return key;
  };
  return { append, settle: care.careful ? settle : () => {}, asked: watch.asked, segment: () => current };
}

const corners: readonly [label: string, act: (dir: string) => void, then: string][] = [
  ['no act', () => {}, 'switch feature'],
  ['no git', (dir) => fs.rmSync(join(dir, '.git'), { recursive: true }), ''],
  ['commit on a detached HEAD', (dir) => [must(dir, 'switch', '-qd', 'HEAD'), commitAll(dir)], 'switch main'],
  ['in the index, not in HEAD', (dir) => must(dir, 'add', '-A'), 'switch feature'],
  ['in the index, not in HEAD', (dir) => must(dir, 'add', '-A'), 'pull --rebase'],
  ['in HEAD, not in the index', (dir) => [commitAll(dir), must(dir, 'rm', '-q', '--cached', '-r', '.vmark/ledger')], 'switch -c x'],
  ['.vmark ignored', (dir) => write(join(dir, '.git/info/exclude'), '.vmark/\n'), 'switch feature'],
  ['.vmark ignored', (dir) => write(join(dir, '.git/info/exclude'), '.vmark/\n'), 'clean -fdq'],
  ['.vmark ignored', (dir) => write(join(dir, '.git/info/exclude'), '.vmark/\n'), 'clean -fdxq'],
  ['gone: commit, switch feature', (dir) => [commitAll(dir), must(dir, 'switch', '-q', 'feature')], 'switch main'],
  ['gone: stash -u', (dir) => must(dir, 'stash', '-u', '-q'), 'stash pop'],
  ['replaced: stash -u, stash pop', (dir) => [must(dir, 'stash', '-u', '-q'), must(dir, 'stash', 'pop', '-q')], 'switch feature'],
  ['commit, reset HEAD~1', (dir) => [commitAll(dir), must(dir, 'reset', '-q', 'HEAD~1')], 'switch feature'],
  ['clean -fd', (dir) => must(dir, 'clean', '-fdq'), 'switch feature'],
];

function cornerRow(world: string, [label, act, then]: (typeof corners)[number]): string[] {
  const dir = join(copied(world), 'desk');
  const appender = createAppender(dir);
  const keys = [appender.append()];
  const before = appender.segment();
  act(dir);
  keys.push(appender.append());
  const answer = then === '' ? { code: 0, err: '' } : git(dir, ...then.split(' '));
  const said = answer.code === 0 ? 'passes' : answer.err.trim().split('\n')[0]!;
  return [
    label,
    appender.segment() === before ? 'the same' : 'a fresh one',
    then === '' ? '–' : `${then}: ${said}`,
    String(eaten(dir, keys)),
  ];
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

// A descriptor that stays open, as the contract forbids: for comparison.
function createKept(dir: string): Appender {
  const name = freshName(writer);
  const descriptor = fs.openSync(join(ledgerOf(dir), name), 'a');
  const append = () => {
    const { key, line } = newLine(writer);
    fs.writeSync(descriptor, line);
    fs.fsyncSync(descriptor);
    return key;
  };
  return { append, settle: () => {}, asked: () => 0, segment: () => name };
}

const kinds: readonly [string, (dir: string) => Appender][] = [
  ['descriptor kept open', createKept],
  ['D, any segment that the index does not name', (dir) => createAppender(dir, { careful: false })],
  ['D as decided', createAppender],
];

interface Race {
  readonly what: string;
  readonly steps: readonly string[];
  readonly rounds: number;
  /** Milliseconds between two lines. */
  readonly rest: number;
}

const walk = ['add -A', 'commit -qm race', 'switch -q feature', 'switch -q main'];
const stash = ['stash -u -q', 'stash pop -q'];
const races: readonly Race[] = [
  { what: 'a line every 5 ms; commit, switch', steps: walk, rounds: 25, rest: 5 },
  { what: 'a line every 100 ms; commit, switch', steps: walk, rounds: 80, rest: 100 },
  { what: 'a line every 5 ms; stash -u, pop', steps: stash, rounds: 25, rest: 5 },
  { what: 'a line every 100 ms; stash -u, pop', steps: stash, rounds: 80, rest: 100 },
];

async function run(world: string, { steps, rounds, rest }: Race, create: (dir: string) => Appender): Promise<(string | number)[]> {
  const dir = join(copied(world), 'desk');
  const appender = create(dir);
  const keys: string[] = [];
  let [refused, done] = [0, false];
  const gitLoop = async () => {
    for (let round = 0; round < rounds; round += 1) {
      for (const step of steps) if (inTheWay.test(await background(dir, step))) refused += 1;
    }
    done = true;
  };
  const appendLoop = async () => {
    while (!done) {
      keys.push(appender.append());
      await pause(rest);
    }
  };
  await Promise.all([gitLoop(), appendLoop()]);
  appender.settle();
  return [keys.length, eaten(dir, keys), `${refused} of ${rounds * steps.length}`, appender.asked(), segmentsIn(dir).length];
}

/** The odd situations, and appends while git works beside them. */
export async function showCorners(world: string): Promise<void> {
  console.log('\n## Corners of D: one line, the act, a second line, the command');
  table(
    ['act', 'the second line goes to', 'command', 'lines eaten'],
    corners.map((corner) => cornerRow(world, corner)),
  );
  const rows: (string | number)[][] = [];
  for (const race of races) for (const [kind, create] of kinds) rows.push([race.what, kind, ...(await run(world, race, create))]);
  console.log('\n## Appending while git works in another process');
  table(['', 'appender', 'acknowledged', 'eaten', 'git refused', 'git asked', 'segments'], rows);
}
