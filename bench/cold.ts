import { appendFileSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyOf, scratch } from './data.ts';
import { compare, type Method, type Timing } from './measure.ts';
import { bundled, runNode } from './program.ts';
import type { Row } from './report.ts';

const emptyNode: Method = { name: 'node -e 0', run: () => runNode(['-e', '0']) };

/** Times `stemma rebuild` beside a process that reads and parses every line and keeps nothing. */
export function timeRebuild(program: string, folder: string, rounds: number): Promise<Timing[]> {
  const copy = copyOf(folder, 'rebuild');
  const parser = join(import.meta.dirname, 'parse-ledger.mjs');
  const parse = { name: 'a process that parses every line', run: () => runNode([parser, copy]) };
  const env = { STEMMA_HOME: scratch('rebuild-home') };
  const rebuild = { name: 'stemma rebuild', run: () => runNode([program, '-C', copy, 'rebuild'], { env }) };
  return compare([parse, rebuild], rounds);
}

/** Row 2: a rebuild to a persistent index, whole process. */
export async function rebuildRow(program: string, folder: string, rounds: number): Promise<Row> {
  const [yardstick, ours] = await timeRebuild(program, folder, rounds);
  const cause = 'row 1, in two threads that are not warm yet; then the index is written and flushed.';
  return { number: '2', beside: yardstick!.name, yardstick: yardstick!, ours: ours!, goal: 1, cause };
}

/** Row 3: a process that opens an index, reads 500 lines that are not in it, and gives the first page; beside it what the command line answers, whole. */
export async function coldRows(program: string, folder: string, rounds: number): Promise<Row[]> {
  const copy = copyOf(folder, 'cold');
  const home = scratch('cold-home');
  const env = { STEMMA_HOME: join(home, 'home') };
  const restore = cutTails(copy, 500);
  runNode([program, '-C', copy, 'rebuild'], { env });
  restore();
  const page = await bundled('cold-page');
  const methods = [
    emptyNode,
    { name: 'index, 500 new lines, counts and 200 rows', run: () => runNode([page, copy, home]) },
    { name: '`stemma status` there (counts)', run: () => runNode([program, '-C', copy, 'status'], { env }) },
    {
      name: '`stemma breakdown --no-scan` there (every row)',
      run: () => runNode([program, '-C', copy, 'breakdown', '--no-scan'], { env }),
    },
  ];
  const [yardstick, ...rows] = await compare(methods, rounds);
  const cause = 'all 50 MB of the index are read, a segment that grew is hashed whole, and the page is computed by code that is not warm.';
  return rows.map((ours, at) => ({
    number: '3',
    beside: yardstick!.name,
    yardstick: yardstick!,
    ours,
    goal: at === 0 ? 2.5 : null,
    cause,
  }));
}

/** Takes the last lines of the newest segments away; the answer puts them back. */
function cutTails(folder: string, lines: number): () => void {
  const ledger = join(folder, '.vmark', 'ledger');
  const names = readdirSync(ledger).sort();
  // `<writer>-NNN.jsonl` sorts before `<writer>.jsonl`, which is the oldest of that writer.
  const newest = [...Map.groupBy(names, (name) => name.slice(0, 36)).values()].map((own) => own.at(-2) ?? own[0]!);
  const cuts = newest.map((name) => {
    const bytes = readFileSync(join(ledger, name));
    let at = bytes.length;
    for (let n = Math.ceil(lines / newest.length); n >= 0 && at > 0; n--) at = bytes.lastIndexOf(10, at - 1);
    truncateSync(join(ledger, name), at + 1);
    return { path: join(ledger, name), tail: bytes.subarray(at + 1) };
  });
  return () => {
    for (const { path, tail } of cuts) appendFileSync(path, tail);
  };
}

/** Row 15: the shortest commands in a small workspace. */
export async function commandRows(program: string, rounds: number): Promise<Row[]> {
  const folder = scratch('small');
  const env = { STEMMA_HOME: scratch('small-home') };
  mkdirSync(join(folder, 'notes'), { recursive: true });
  for (let i = 0; i < 20; i++) writeFileSync(join(folder, 'notes', `note-${i}.md`), `# Note ${i}\n\nSome text.\n`);
  runNode([program, '-C', folder, 'init'], { env });
  runNode([program, '-C', folder, 'track', '--all', '--yes'], { env });
  const file = join(folder, 'notes', 'note-3.md');
  const methods = [
    emptyNode,
    { name: '`stemma hash`', run: () => runNode([program, '-C', folder, 'hash', file], { env }) },
    { name: '`stemma status`', run: () => runNode([program, '-C', folder, 'status'], { env }) },
  ];
  const [yardstick, ...rows] = await compare(methods, rounds);
  const cause = 'loading the program, and a process of git to find the repository.';
  return rows.map((ours) => ({ number: '15', beside: yardstick!.name, yardstick: yardstick!, ours, goal: 3, cause }));
}
