import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Core, openCore } from '#core';
import type { Trash } from '#core/acts/trash';
import type { SecretStore } from '#core/ai/key-ring';
import { realChance } from '#core/core';
import { digest } from '#core/digest';
import { openGit } from '#core/git/git';
import { openHome } from '#core/home';
import { type Disk, realDisk } from '#core/storage/disk';
import { byHand } from '#core/workspace/authorship';
import type { PinnedInput } from '#core/workspace/capture';
import { findRoot } from '#core/workspace/place';
import type { Chance } from '#core/workspace/recorder';
import { bytesHash, type SaveRequest } from '#core/workspace/save';
import { assembleWorkspace, type Workspace } from '#core/workspace/workspace';
import type { Bodies, KnownKind } from '#kernel/body';
import { compareEntries, dedupe, type Entry, parseLine } from '#kernel/entry';
import type { Uuid } from '#kernel/uuid';
import { gitEnvironment } from './repository';

/** What a core in a test is opened with instead of the real things. */
export interface Surroundings {
  readonly disk?: Disk;
  readonly chance?: Chance;
  readonly home?: string;
  readonly trash?: Trash;
  readonly secrets?: SecretStore;
  /** False: as where git is not installed. */
  readonly git?: boolean;
  /** Variables beside those that every test sets. */
  readonly env?: Readonly<Record<string, string>>;
}

/** One file of a tree; folders and links have no bytes and no time. */
export interface Leaf {
  readonly bytes: string;
  readonly mode: number;
  readonly mtime: number;
}

/** A workspace folder with an app-data folder of its own; both go when the test ends. */
export interface Place {
  readonly folder: string;
  readonly home: string;
  /** Turns *Insert identity block on save* on or off, for every workspace of this app data. */
  setting(on: boolean): void;
  write(path: string, content: string | Buffer): void;
  read(path: string): Buffer;
  text(path: string): string;
  remove(path: string): void;
  /** Opens a core that is closed when the test ends. */
  open(surroundings?: Surroundings): Promise<Core>;
  /** The parts of a workspace without the front door. */
  assemble(surroundings?: Surroundings): Promise<Workspace>;
  /** The entries of the ledger as a reader has them: one per idem, in reader order. */
  entries(): Entry[];
  /** Every line of every segment, repeats included, without the newline; an unfinished one too. */
  lines(): string[];
  /** The segments by name. */
  segments(): Map<string, Buffer>;
  /** Every file below the folder with content (latin1), mode and time; not those of git, nor the index, which is derived. */
  tree(): Map<string, Leaf>;
  /** Keeps folder and app data as they are now (regular files only); the answer puts them back. */
  keep(): () => void;
}

/** An empty temporary folder, real path, which goes when the test ends. */
export function createFolder(name = 'workspace'): string {
  const folder = realpathSync.native(mkdtempSync(join(tmpdir(), `stemma-${name}-`)));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Makes a workspace in a new folder, or in `folder`; the setting is off. */
export function createPlace(folder: string = createFolder(), home: string = createFolder('home')): Place {
  const ledger = join(folder, '.vmark', 'ledger');
  const names = () => (existsSync(ledger) ? readdirSync(ledger).filter((name) => name.endsWith('.jsonl')) : []).sort();
  const segments = () => new Map(names().map((name) => [name, readFileSync(join(ledger, name))]));
  const lines = () => [...segments().values()].flatMap((bytes) => bytes.toString('utf8').split('\n').filter(Boolean));
  return {
    folder,
    home,
    setting: (on) => writeFileSync(join(home, 'settings.json'), JSON.stringify({ insertIdentity: on })),
    write(path, content) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content);
    },
    read: (path) => readFileSync(join(folder, path)),
    text: (path) => readFileSync(join(folder, path), 'utf8'),
    remove: (path) => rmSync(join(folder, path), { recursive: true }),
    open: (surroundings) => open(folder, surroundings?.home ?? home, surroundings),
    assemble: (surroundings) => assemble(folder, surroundings?.home ?? home, surroundings),
    entries: () => dedupe(lines().flatMap(entryOf)).sort(compareEntries),
    lines,
    segments,
    tree: () => new Map(leavesUnder(folder, '')),
    keep: () => keep([folder, home]),
  };
}

/** Makes a workspace whose setting is on. */
export function createTrackingPlace(folder?: string): Place {
  const place = createPlace(folder);
  place.setting(true);
  return place;
}

async function open(folder: string, home: string, surroundings: Surroundings = {}): Promise<Core> {
  const { disk = realDisk, chance = realChance, git = true, trash, secrets } = surroundings;
  const env = { ...environment(home), ...(git ? {} : { PATH: '' }), ...surroundings.env };
  const core = await openCore({
    folder,
    disk,
    chance,
    env,
    ...(trash === undefined ? {} : { trash }),
    ...(secrets === undefined ? {} : { secrets }),
  });
  onTestFinished(() => core.close());
  return core;
}

async function assemble(folder: string, home: string, { disk = realDisk, chance = realChance }: Surroundings = {}): Promise<Workspace> {
  const root = findRoot(disk, folder);
  const git = await openGit(root, { env: environment(home) });
  return assembleWorkspace({ root, disk, chance, git: () => git, home: openHome(disk, home, () => chance.newId(chance.now())) });
}

/** The environment of a program whose app data is in `home` and whose git knows nothing of this machine. */
export const environment = (home: string): NodeJS.ProcessEnv => ({ ...gitEnvironment, STEMMA_HOME: home });

function entryOf(line: string): Entry[] {
  const parsed = parseLine(line, digest);
  return parsed.kind === 'entry' ? [parsed.entry] : [];
}

function* leavesUnder(root: string, folder: string): Generator<[string, Leaf]> {
  for (const name of readdirSync(join(root, folder)).sort()) {
    const path = folder === '' ? name : `${folder}/${name}`;
    const stat = lstatSync(join(root, path));
    if (path === '.git' || name.startsWith('index.db')) continue;
    const bytes = stat.isFile() ? readFileSync(join(root, path), 'latin1') : '';
    yield [stat.isDirectory() ? `${path}/` : path, { bytes, mode: stat.mode, mtime: stat.isFile() ? stat.mtimeMs : 0 }];
    if (stat.isDirectory()) yield* leavesUnder(root, path);
  }
}

interface Kept {
  readonly path: string;
  readonly mode: number;
  readonly bytes: Buffer | null;
}

function keep(folders: readonly string[]): () => void {
  const kept = folders.map((folder) => ({ folder, files: [...filesUnder(folder)] }));
  return () => {
    for (const { folder, files } of kept) {
      for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
      for (const { path, mode, bytes } of files) {
        if (bytes === null) mkdirSync(path, mode);
        else writeFileSync(path, bytes, { mode });
      }
    }
  };
}

function* filesUnder(folder: string): Generator<Kept> {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const { mode } = statSync(path);
    const isFolder = statSync(path).isDirectory();
    yield { path, mode, bytes: isFolder ? null : readFileSync(path) };
    if (isFolder) yield* filesUnder(path);
  }
}

/** A save by the writer's hand of a file as it is on disk now, or of a new one. */
export function savingOf(place: Place, path: string, content: string | Buffer, other: Partial<SaveRequest> = {}): SaveRequest {
  const base = () => (existsSync(join(place.folder, path)) ? bytesHash(place.read(path)) : null);
  return { path, bytes: Buffer.from(content), ...byHand, ...other, base: other.base === undefined ? base() : other.base };
}

/** A save by a model that read `inputs`. */
export function savingFrom(place: Place, path: string, content: string, inputs: readonly PinnedInput[]): SaveRequest {
  const intent = { kind: 'genie', summary: 'written by a model', prompt_hash: null };
  return savingOf(place, path, content, { inputs, intent, agent: { type: 'model', id: 'a-model' } });
}

/** A document of the ledger as an input: its single head. */
export async function inputOf(core: Core, path: string, role: PinnedInput['role'] = 'direct'): Promise<PinnedInput> {
  const { object, heads } = await core.logFile(path);
  return { object: object as Uuid, path, revision: heads[0] as PinnedInput['revision'], role };
}

/** A declaration that `path` rests on `from`, as the command line makes it. */
export const recording = (path: string, ...from: string[]) => ({
  path,
  from,
  contextFrom: [],
  agent: { type: 'model' as const, id: 'a-model' },
  summary: null,
});

/** The entries of one kind. */
export function entriesOf<K extends KnownKind>(place: Pick<Place, 'entries'>, kind: K) {
  return place.entries().filter((entry): entry is Extract<Entry, { kind: K }> & { body: Bodies[K] } => entry.kind === kind);
}

/** How many entries of each kind a ledger has. */
export function countKinds(place: Pick<Place, 'entries'>): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind } of place.entries()) counts[String(kind)] = (counts[String(kind)] ?? 0) + 1;
  return counts;
}

/** A text with an identity block. */
export const stamped = (id: string, text: string) => `---\nvmark:\n  id: ${id}\n---\n${text}`;
