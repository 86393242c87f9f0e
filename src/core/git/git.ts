import { randomUUID } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { lstat, realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Attributed, attributeTexts } from '#core/git/evidence';
import { type LandedMerge, landedMerge } from '#core/git/merged';
import { type GitPosition, headStamp, readMoment } from '#core/git/position';
import { createGitProgram, type GitProgram, type GitProgramOptions, textOf } from '#core/git/program';
import { createCommittedTexts, type HashOf, type TextChange } from '#core/git/texts';

/** The stamp of an index that is not there yet: nothing is tracked. */
export const noIndex = 'none';

/** What git is in the middle of. */
export type GitBusy = 'index-lock' | 'rebase' | 'merge' | 'cherry-pick' | 'revert';

/** The repository around a workspace folder, asked by plumbing only. Where null is answered, git was silent: ask again later. */
export interface Git {
  /** Top folder of the worktree, its real path. */
  readonly root: string;
  /** The workspace folder inside `root`: '' or a path with '/' and a final '/'. */
  readonly prefix: string;
  /** Where the position of this worktree is kept, in git's own folder; it may not exist. */
  positionFile(): string;
  /** Where HEAD stands now. */
  position(): Promise<GitPosition | null>;
  /** Equal stamps: HEAD, its branch and the stash have not moved. Starts no process. */
  headMoved(): string;
  /** What git has begun and not finished in this worktree; looks at files only. */
  busy(): Promise<GitBusy | null>;
  /** The files that the index holds below a workspace folder, as workspace paths. */
  trackedUnder(folder: string): Promise<Set<string> | null>;
  /** Whether any commit or stash has a file at this workspace path; null when git was silent. */
  isCommitted(path: string): Promise<boolean | null>;
  /** Equal stamps: the index is as it was. Null while git writes it. Starts no process. */
  indexStamp(): string | null;
  /** `user.name` as git would sign with it. */
  userName(): Promise<string | null>;
  /** The merge that HEAD stands at, if it is one. */
  landedMerge(): Promise<LandedMerge | null>;
  /** Says of each changed text who made it (`format.md` §8). */
  attribute(input: AttributionRequest): Promise<Attributed | null>;
}

/** Changed texts, and the position of the last scan: null for the first one, or when it was lost. */
export interface AttributionRequest {
  readonly since: GitPosition | null;
  readonly changes: readonly TextChange[];
  readonly hashOf: HashOf;
}

/**
 * Opens the repository that holds `folder`. Null when there is none to ask: git missing, silent or older than 2.31, no
 * repository or a bare one, one that git itself refuses (`safe.directory`), or one whose worktree is elsewhere.
 */
export async function openGit(folder: string, options: GitProgramOptions = {}): Promise<Git | null> {
  const found = await locate(createGitProgram(folder, options));
  // A repository may name another folder as its worktree (core.worktree): it says nothing about this one then.
  if (found === null || (await realpath(folder)) !== (await realpath(resolve(found.root, found.prefix)))) return null;
  return createGit(createGitProgram(found.root, options), found);
}

function createGit(git: GitProgram, { root, prefix, paths }: Location): Git {
  const files = {
    head: paths.HEAD,
    log: paths['logs/HEAD'],
    stash: paths['refs/stash'],
    packedRefs: paths['packed-refs'],
    refTables: paths['reftable/tables.list'],
  };
  return {
    root,
    prefix,
    positionFile: () => paths['stemma/position.json'],
    position: async () => (await readMoment(git, files))?.position ?? null,
    headMoved: () => headStamp(files),
    busy: () => findBusy(paths),
    trackedUnder: (folder) => listTracked(git, prefix, folder),
    async isCommitted(path) {
      const output = await textOf(git(['--literal-pathspecs', 'rev-list', '--all', '-1', '--', `${prefix}${path}`]));
      return output === null ? null : output.trim() !== '';
    },
    indexStamp: () => (existsSync(paths['index.lock']) ? null : fileStamp(paths.index)),
    userName: async () => (await textOf(git(['config', '--get', 'user.name'])))?.trim() || null,
    landedMerge: () => landedMerge(git, prefix),
    async attribute({ since, changes, hashOf }) {
      const moment = await readMoment(git, files);
      return moment === null ? null : attributeTexts(createCommittedTexts(git, prefix, changes, hashOf), since, moment);
    },
  };
}

const signs = [
  ['index.lock', 'index-lock'],
  ['rebase-merge', 'rebase'],
  ['rebase-apply', 'rebase'],
  ['MERGE_HEAD', 'merge'],
  ['CHERRY_PICK_HEAD', 'cherry-pick'],
  ['REVERT_HEAD', 'revert'],
] as const satisfies readonly (readonly [string, GitBusy])[];

const places = [
  'HEAD',
  'index',
  'logs/HEAD',
  'refs/stash',
  'packed-refs',
  'reftable/tables.list',
  'stemma/position.json',
  ...signs.map(([name]) => name),
] as const;

type Paths = Readonly<Record<(typeof places)[number], string>>;

interface Location {
  readonly root: string;
  readonly prefix: string;
  readonly paths: Paths;
}

// rev-parse repeats what it does not know: a word nobody can guess keeps apart names that may hold newlines, and a git
// too old for --path-format repeats that.
async function locate(git: GitProgram): Promise<Location | null> {
  const border = `--${randomUUID()}`;
  const asked = [['--show-toplevel'], ['--show-prefix'], ...places.map((place) => ['--git-path', place])];
  const output = await textOf(git(['rev-parse', '--path-format=absolute', ...asked.flatMap((question) => [border, ...question])]));
  const [before, root, prefix, ...paths] = (output ?? '').split(`${border}\n`).map(withoutNewline);
  if (before !== '' || !root || prefix === undefined || paths.length !== places.length) return null;
  return { root: resolve(root), prefix, paths: Object.fromEntries(places.map((place, at) => [place, resolve(paths[at]!)])) as Paths };
}

async function findBusy(paths: Paths): Promise<GitBusy | null> {
  const found = await Promise.all(signs.map(([name]) => exists(paths[name])));
  return signs[found.indexOf(true)]?.[1] ?? null;
}

async function listTracked(git: GitProgram, prefix: string, folder: string): Promise<Set<string> | null> {
  const below = `${prefix}${folder.replace(/\/+$/, '')}/`;
  const output = await textOf(git(['--literal-pathspecs', 'ls-files', '-z', '--', below]));
  const paths = output?.split('\0').slice(0, -1);
  return paths === undefined ? null : new Set(paths.map((path) => path.slice(prefix.length)));
}

function fileStamp(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? noIndex : `${stat.ino} ${stat.size} ${stat.mtimeMs} ${stat.ctimeMs}`;
}

const withoutNewline = (line: string) => line.replace(/\n$/, '');
const exists = (path: string) =>
  lstat(path).then(
    () => true,
    () => false,
  );
