import { createHash, randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { commitAll, git, must, root, write } from './repository.ts';

/** The installation under test, and a teammate's. */
export const writer = '018f3c7a-0000-7000-8000-00000000000a';
const teammate = '018f3c7a-0000-7000-8000-00000000000b';

/** The folder of the segments. */
export const ledgerOf = (dir: string): string => join(dir, '.vmark/ledger');

/** All segments, by name. */
export function segmentsIn(dir: string): string[] {
  if (!fs.existsSync(ledgerOf(dir))) return [];
  return fs
    .readdirSync(ledgerOf(dir))
    .filter((name) => name.endsWith('.jsonl'))
    .sort();
}

/** The segments of one ledger writer, by name. */
export const ownSegments = (dir: string, by: string): string[] => segmentsIn(dir).filter((name) => name.startsWith(by));

const namesIn = (out: string) => new Set(out.split('\0').map((path) => path.slice('.vmark/ledger/'.length)));

/** What HEAD's tree holds. */
export const inHead = (dir: string): Set<string> =>
  namesIn(git(dir, 'ls-tree', '-r', '-z', '--name-only', 'HEAD', '--', '.vmark/ledger/').out);

/** What the index holds: git's own meaning of "tracked". */
export const inIndex = (dir: string): Set<string> => namesIn(git(dir, 'ls-files', '-z', '--', '.vmark/ledger/').out);

/** 12 hex digits of the time in ms, so that names sort by age, and 4 by chance, so that no clone repeats one. */
export const freshName = (by: string): string =>
  `${by}-${Date.now().toString(16).padStart(12, '0')}${randomBytes(2).toString('hex')}.jsonl`;

/** The newest own segment that is not in `tracked`. */
export const openSegment = (dir: string, by: string, tracked: Set<string>): string | undefined =>
  ownSegments(dir, by).findLast((name) => !tracked.has(name));

function numberedName(dir: string, by: string): string {
  const numbers = ownSegments(dir, by).map((name) => Number(name.slice(by.length + 1, -'.jsonl'.length) || 0));
  return numbers.length === 0 ? `${by}.jsonl` : `${by}-${String(Math.max(...numbers) + 1).padStart(3, '0')}.jsonl`;
}

// Before an append, what HEAD holds of the small segments moves to the end of the main one: both files are tracked, both are changed.
function fold(dir: string, by: string): void {
  const tracked = inHead(dir);
  for (const name of ownSegments(dir, by).filter((own) => own !== `${by}.jsonl` && tracked.has(own))) {
    fs.appendFileSync(join(ledgerOf(dir), `${by}.jsonl`), fs.readFileSync(join(ledgerOf(dir), name)));
    fs.rmSync(join(ledgerOf(dir), name));
  }
}

const choices: Record<string, (dir: string, by: string) => string> = {
  A: (_dir, by) => `${by}.jsonl`,
  B: (dir, by) => openSegment(dir, by, inHead(dir)) ?? (ownSegments(dir, by).length === 0 ? `${by}.jsonl` : freshName(by)),
  N: (dir, by) => openSegment(dir, by, inHead(dir)) ?? numberedName(dir, by),
  C: (dir, by) => {
    fold(dir, by);
    return openSegment(dir, by, inHead(dir)) ?? freshName(by);
  },
  D: (dir, by) => openSegment(dir, by, inIndex(dir)) ?? freshName(by),
};

/** The layouts that are compared. */
export const layouts: readonly string[] = Object.keys(choices);

/** No ledger at all: what git refuses then is not ours. */
export const control = 'none';

/** What each letter means. */
export const legend = [
  'A: one segment a writer, `<writer>.jsonl`',
  'B: a new segment `<writer>-<hex>` once HEAD tracks the current one; the first is `<writer>.jsonl`',
  'N: as B, with the names `<writer>-001`, `-002` …',
  'C: as B; after a commit the next append folds the lines into `<writer>.jsonl`',
  'D: as B, but every name is fresh, the first too, and "tracked" is asked of the index',
] as const;

let serial = 0;
const hex = (text: string) => createHash('sha256').update(text).digest('hex');

/** A line of a usual size (530 bytes); `key` finds it again. */
export function newLine(by: string): { key: string; line: string } {
  serial += 1;
  const key = `id-${String(serial).padStart(7, '0')}`;
  const revision = `rev1:${hex(`r${serial}`)}`;
  const output = { object: key, revision, content_hash: `sha256:${hex(`c${serial}`)}`, parents: [`rev1:${hex(`p${serial}`)}`] };
  const body = {
    inputs: [],
    outputs: [output],
    agent: { type: 'human' },
    intent: { kind: 'editor-save', summary: '' },
    confidence: 'exact',
  };
  const entry = { format: 0, id: key, kind: 'transformation', time: '2026-01-01T00:00:00.000Z', writer: by, body };
  return { key, line: `${JSON.stringify(entry)}\n` };
}

const linePattern = /id-\d{7}(?=","kind)/gu;

/** One line, no chapter changed (as when a row is accepted); '' in the control. */
export function record(layout: string, dir: string, by = writer): string {
  if (layout === control) return '';
  const { key, line } = newLine(by);
  fs.mkdirSync(ledgerOf(dir), { recursive: true });
  fs.appendFileSync(join(ledgerOf(dir), choices[layout]!(dir, by)), line);
  return key;
}

/** The snapshot of a text, as the store writes it. */
export function snapshot(dir: string, text: string): void {
  const name = hex(text);
  const file = join(dir, '.vmark/snapshots/sha256', name.slice(0, 2), name.slice(2));
  if (!fs.existsSync(file)) write(file, text);
}

/** A save: chapter, snapshot, line. */
export function save(layout: string, dir: string, chapter: string, by = writer): string {
  serial += 1;
  const text = `paragraph ${serial}\n`;
  write(join(dir, 'chapters', chapter), text);
  if (layout === control) return '';
  snapshot(dir, text);
  return record(layout, dir, by);
}

/** The two files that go with a ledger. */
export function furnish(dir: string, union: boolean): void {
  write(join(dir, '.vmark/.gitignore'), 'index.db*\nsnapshots/tmp/\nledger/quarantine/\n');
  write(join(dir, '.vmark/.gitattributes'), union ? 'ledger/*.jsonl merge=union\nledger/** -text\nsnapshots/** -text -diff\n' : '\n');
}

function saveAndCommit(layout: string, dir: string, chapters: readonly string[]): void {
  for (const chapter of chapters) {
    save(layout, dir, chapter);
    commitAll(dir);
  }
}

/** `desk` is under test: main, one commit behind origin; `checkout -` leads to feature; `bare` is from before the ledger. `away` is a
 * second clone of the same installation. Chapters never conflict. */
export function template(layout: string, union = true): string {
  const world = join(root, `template-${layout}-${union}`);
  const [desk, away] = [join(world, 'desk'), join(world, 'away')];
  fs.mkdirSync(world);
  must(world, 'init', '-q', '--bare', '-b', 'main', 'origin.git');
  must(world, 'clone', '-q', 'origin.git', 'desk');
  must(desk, 'remote', 'set-url', 'origin', '../origin.git');
  write(join(desk, 'chapters/00.md'), 'before any ledger\n');
  commitAll(desk);
  must(desk, 'branch', 'bare');
  if (layout !== control) furnish(desk, union);
  saveAndCommit(layout, desk, ['01.md', '02.md']);
  must(desk, 'switch', '-qc', 'feature');
  saveAndCommit(layout, desk, ['03.md']);
  must(desk, 'switch', '-q', 'main');
  saveAndCommit(layout, desk, ['01.md', '02.md']);
  must(desk, 'push', '-q', '-u', 'origin', 'main', 'feature');
  must(world, 'clone', '-q', 'origin.git', 'away');
  must(away, 'remote', 'set-url', 'origin', '../origin.git');
  save(layout, away, '04.md', teammate);
  saveAndCommit(layout, away, ['04.md']);
  must(away, 'push', '-q');
  return world;
}

/** The keys of all lines in the segments, repeats included. */
export const linesOnDisk = (dir: string): string[] =>
  segmentsIn(dir).flatMap((name) => fs.readFileSync(join(ledgerOf(dir), name), 'utf8').match(linePattern) ?? []);

/** Lines in the segments beyond the first of each. */
export const doubled = (dir: string): number => linesOnDisk(dir).length - new Set(linesOnDisk(dir)).size;

function linesInCommits(dir: string): Set<string> {
  const objects = must(dir, 'rev-list', '--objects', '--all', '--reflog').split('\n');
  const blobs = objects.filter((row) => row.endsWith('.jsonl')).map((row) => row.slice(0, 40));
  return new Set(blobs.flatMap((blob) => must(dir, 'cat-file', 'blob', blob).match(linePattern) ?? []));
}

/** How many of `keys` are in no segment and in no commit, reflogs and stashes included. */
export function eaten(dir: string, keys: readonly string[]): number {
  const kept = new Set(linesOnDisk(dir));
  const missing = keys.filter((key) => key !== '' && !kept.has(key));
  if (missing.length === 0) return 0;
  const committed = linesInCommits(dir);
  return missing.filter((key) => !committed.has(key)).length;
}

/** Whether HEAD's tree holds the line. */
export const inTip = (dir: string, key: string): boolean => git(dir, 'grep', '-q', key, 'HEAD', '--', '.vmark/ledger').code === 0;

/** Files of ours that a merge left in conflict. */
export const conflicts = (dir: string): number =>
  git(dir, 'diff', '--name-only', '--diff-filter=U')
    .out.split('\n')
    .filter((path) => path.startsWith('.vmark/')).length;
