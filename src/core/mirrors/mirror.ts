import { hash } from 'node:crypto';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { checkObjects } from '#core/git/object';
import { createGitProgram, type GitProgram } from '#core/git/program';
import type { Environment } from '#core/home';
import { type FetchProblem, problemIn } from '#core/mirrors/complaint';
import { fetchInto, initBare } from '#core/mirrors/fetching';
import type { Remote } from '#core/mirrors/remote';
import { type Disk, makeFolder, readIfThere } from '#core/storage/disk';
import { writeAtomic } from '#core/storage/replacing';
import { formatInstant } from '#kernel/instant';

/** What of a repository is mirrored; `ref` null: what its HEAD names. */
export interface MirrorSource {
  readonly remote: Remote;
  readonly ref: string | null;
}

/** The commit that a mirror is at, and when it was fetched (RFC 3339). */
export interface MirrorState {
  readonly commit: string;
  readonly at: string;
}

/** What a mirror is kept with. */
export interface MirrorPlace {
  readonly disk: Disk;
  /** The app data. */
  readonly home: string;
  readonly env: Environment;
}

/** How far a fetch is: what git does, and per cent of it. */
export interface FetchProgress {
  readonly phase: string;
  readonly percent: number;
}

/** How a fetch ended. `too-large`: it was stopped because of what it takes on the disk. */
export type MirrorFetched =
  | ({ readonly kind: 'fetched' } & MirrorState)
  | { readonly kind: 'failed'; readonly problem: FetchProblem | 'too-large' | 'stopped' | 'no-git' };

/** A mirror that takes more on the disk is not made: 4 GiB. */
export const largestMirror = 4 * 1024 ** 3;

const keyOf = (text: string) => hash('sha256', text, 'hex').slice(0, 32);
const refOf = ({ ref }: MirrorSource) => `refs/stemma/${keyOf(ref ?? 'HEAD')}`;

/** The bare repository of a remote in the app data; it need not be there. */
export const mirrorFolder = ({ home }: MirrorPlace, { remote }: MirrorSource): string => join(home, 'mirrors', `${keyOf(remote.url)}.git`);

/** A mirror as it was last fetched: its git, which reaches no network, and the ref to read. */
export function mirrorAt(place: MirrorPlace, source: MirrorSource): { readonly git: GitProgram; readonly ref: string } {
  return { git: createGitProgram(mirrorFolder(place, source), { env: { ...place.env } }), ref: refOf(source) };
}

/** What was fetched last, or null where nothing was. */
export function mirrorState(place: MirrorPlace, source: MirrorSource): MirrorState | null {
  const bytes = readIfThere(place.disk, stateFile(place, source));
  try {
    const state: unknown = JSON.parse(bytes?.toString('utf8') ?? 'null');
    const { commit, at } = (state ?? {}) as Record<string, unknown>;
    return typeof commit === 'string' && typeof at === 'string' ? { commit, at } : null;
  } catch {
    return null;
  }
}

/** What a fetch is given beside its place and source. */
export interface FetchOptions {
  readonly token: string | null;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly signal: AbortSignal;
  readonly limit?: number;
  progress(progress: FetchProgress): void;
}

/** Brings a mirror up to date, making it first where there is none. The last good state stays where this fails; what is damaged is made anew. */
export async function fetchMirror(place: MirrorPlace, source: MirrorSource, options: FetchOptions): Promise<MirrorFetched> {
  const fetched = await fetchOnce(place, source, options);
  if (fetched.kind === 'fetched' || fetched.problem !== 'other' || !(await isDamaged(place, source))) return fetched;
  rmSync(mirrorFolder(place, source), { recursive: true, force: true });
  return fetchOnce(place, source, options);
}

/** Whether what was fetched last is not there any more, so that nothing is lost with the mirror. */
async function isDamaged(place: MirrorPlace, source: MirrorSource): Promise<boolean> {
  const state = mirrorState(place, source);
  if (state === null) return false;
  const found = await checkObjects(mirrorAt(place, source).git, [`${state.commit}^{tree}`]);
  return found !== null && found[0] === null;
}

async function fetchOnce(place: MirrorPlace, source: MirrorSource, options: FetchOptions): Promise<MirrorFetched> {
  const folder = mirrorFolder(place, source);
  makeFolder(place.disk, folder);
  place.disk.chmodSync(folder, 0o700);
  const env = { ...place.env };
  sweep(folder, options.now);
  const isMade = isWhole(place, folder) || (await initBare(folder, env)) || isWhole(place, folder);
  if (!isMade) return { kind: 'failed', problem: place.disk.existsSync(join(folder, 'config.lock')) ? 'busy' : 'no-git' };
  const guard = guardSize(folder, options.limit ?? largestMirror);
  const { remote, ref } = source;
  const ended = await fetchInto({
    ...{ folder, remote, from: ref ?? 'HEAD', to: refOf(source), token: options.token, env },
    signal: AbortSignal.any([options.signal, guard.signal]),
    said: (line) => tell(line, options.progress),
  }).finally(guard.stop);
  if (guard.signal.aborted || guard.isOver()) {
    // What was read before can still be read.
    if (mirrorState(place, source) === null) rmSync(folder, { recursive: true, force: true });
    return { kind: 'failed', problem: 'too-large' };
  }
  if (ended.kind === 'failed') return { kind: 'failed', problem: problemIn(ended.complaint) };
  if (ended.kind !== 'done') return { kind: 'failed', problem: ended.kind };
  const [commit] = (await checkObjects(mirrorAt(place, source).git, [`${refOf(source)}^{commit}`])) ?? [];
  if (commit == null) return { kind: 'failed', problem: 'ref-missing' };
  const state = { commit: commit.id, at: formatInstant(options.now) };
  keep(place, source, state);
  return { kind: 'fetched', ...state };
}

/** Whether a repository was made to its end: a process that was killed may have left a part of one. */
const isWhole = ({ disk }: MirrorPlace, folder: string) =>
  ['HEAD', 'config', 'objects', 'refs'].every((name) => disk.existsSync(join(folder, name)));

/** Takes away what fetches that were killed left: locks, which would bar each later fetch, and halves of packs. */
function sweep(folder: string, now: number): void {
  for (const { parentPath, name } of entriesIn(folder)) {
    const file = join(parentPath, name);
    const age = /\.lock$/u.test(name) ? lockAge : /^tmp_/u.test(name) ? packAge : null;
    if (age !== null && now - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? now) > age) rmSync(file, { force: true });
  }
}

// Git holds a lock for moments, and writes on at a pack as long as it receives one.
const lockAge = 60_000;
const packAge = 60 * 60_000;

function entriesIn(folder: string) {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  } catch {
    // Another fetch took a folder away meanwhile; the next one sweeps.
    return [];
  }
}

const stateFile = (place: MirrorPlace, source: MirrorSource) =>
  join(mirrorFolder(place, source), 'stemma', `${keyOf(source.ref ?? 'HEAD')}.json`);

function keep(place: MirrorPlace, source: MirrorSource, state: MirrorState): void {
  const file = stateFile(place, source);
  makeFolder(place.disk, join(file, '..'));
  writeAtomic(place.disk, file, Buffer.from(`${JSON.stringify(state)}\n`), `${file}.${process.pid}.new`);
}

function tell(line: string, progress: FetchOptions['progress']): void {
  const [, phase, percent] = /^(?:remote: )?([A-Z][a-z]+ [a-z]+): +(\d{1,3})%/u.exec(line) ?? [];
  if (phase !== undefined) progress({ phase, percent: Number(percent) });
}

/** Watches what a fetch takes on the disk, once a second. */
function guardSize(folder: string, limit: number) {
  const stopping = new AbortController();
  const isOver = () => sizeOf(folder) > limit;
  const timer = setInterval(() => {
    if (isOver()) stopping.abort();
  }, 1000);
  return { signal: stopping.signal, isOver, stop: () => clearInterval(timer) };
}

/** Bytes of the packs of a bare repository, those under way too. */
function sizeOf(folder: string): number {
  const packs = join(folder, 'objects', 'pack');
  let size = 0;
  for (const name of namesIn(packs)) size += statSync(join(packs, name), { throwIfNoEntry: false })?.size ?? 0;
  return size;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // Git has not begun.
    return [];
  }
}
