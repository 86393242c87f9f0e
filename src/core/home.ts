import { hash } from 'node:crypto';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { type Disk, makeFolder, readIfThere } from '#core/storage/disk';
import { writeAtomic } from '#core/storage/replacing';
import { parseUuid, type Uuid } from '#kernel/uuid';
import { Fault, faultFromSystem } from '#protocol';

/** The environment of a program, as far as it decides where things are. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The app-data folder (`spec/interfaces.md` §2): `STEMMA_HOME`, else where this system keeps such things. */
export function homeFolder(env: Environment, platform: NodeJS.Platform = process.platform): string {
  if (env.STEMMA_HOME !== undefined && env.STEMMA_HOME !== '') return env.STEMMA_HOME;
  if (platform === 'win32') return join(env.APPDATA ?? join(homedir(), 'AppData', 'Roaming'), 'Stemma');
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Stemma');
  return join(env.XDG_DATA_HOME || join(homedir(), '.local', 'share'), 'stemma');
}

/** The key under which a workspace is kept in the app data: its real path, hashed so that it is a file name. */
export const workspaceKey = (root: string) => hash('sha256', root, 'hex').slice(0, 32);

/** What this installation keeps outside every workspace. */
export interface Home {
  readonly folder: string;
  /** The ledger writer of this installation; made with the first call. */
  writer(): Uuid;
  /** The ledger writer, or null where none was made yet. Writes nothing. */
  knownWriter(): Uuid | null;
  /** Whether *Insert identity block on save* is on for a workspace. Writes nothing. */
  isOn(root: string): boolean;
  /** Turns it on or off for one workspace. */
  setOn(root: string, on: boolean): void;
  /** The writer's own settings, as far as they are plain values. */
  app(): AppSettings;
  /** Keeps one of them, or forgets it (null); all others stay, also those that this program does not know. */
  setApp(key: string, value: string | number | boolean | null): AppSettings;
}

/** Settings of the app by their key; a face knows what a missing one means. */
export type AppSettings = Readonly<Record<string, string | number | boolean>>;

interface Settings {
  readonly app?: unknown;
  readonly insertIdentity?: boolean;
  readonly workspaces?: Readonly<Record<string, { readonly insertIdentity?: boolean }>>;
}

/** Opens the app data in `folder`; nothing is created before something must be kept. */
export function openHome(disk: Disk, folder: string, newId: () => Uuid): Home {
  const writerFile = join(folder, 'writer-id');
  const settingsFile = join(folder, 'settings.json');
  const knownWriter = () => parseUuid(readIfThere(disk, writerFile)?.toString('utf8').trim() ?? '');
  const settings = (): Settings => readSettings(disk, settingsFile);
  const keep = (next: Settings) => write(disk, folder, settingsFile, `${JSON.stringify(next, null, 2)}\n`, newId());
  return {
    folder,
    knownWriter,
    writer() {
      return knownWriter() ?? makeWriter(disk, folder, writerFile, newId(), knownWriter);
    },
    isOn(root) {
      const { insertIdentity = false, workspaces = {} } = settings();
      return workspaces[root]?.insertIdentity ?? insertIdentity;
    },
    setOn(root, on) {
      const now = settings();
      keep({ ...now, workspaces: { ...now.workspaces, [root]: { ...now.workspaces?.[root], insertIdentity: on } } });
    },
    app: () => plainValues(appEntries(settings())),
    setApp(key, value) {
      const now = settings();
      const others = appEntries(now).filter(([other]) => other !== key);
      const app = Object.fromEntries(value === null ? others : [...others, [key, value]]);
      keep({ ...now, app });
      return plainValues(Object.entries(app));
    },
  };
}

function appEntries({ app }: Settings): [string, unknown][] {
  return typeof app === 'object' && app !== null && !Array.isArray(app) ? Object.entries(app) : [];
}

function plainValues(entries: [string, unknown][]): AppSettings {
  const isPlain = (pair: [string, unknown]): pair is [string, string | number | boolean] =>
    ['string', 'number', 'boolean'].includes(typeof pair[1]);
  return Object.fromEntries(entries.filter(isPlain));
}

/** Two programs that start at once must agree: the one that comes second finds the file there and takes its id. */
function makeWriter(disk: Disk, folder: string, file: string, id: Uuid, known: () => Uuid | null): Uuid {
  makeFolder(disk, folder);
  if (disk.existsSync(file)) {
    // Somebody was faster, or the file holds no id: that one is kept aside.
    const other = known();
    if (other !== null) return other;
    disk.renameSync(file, `${file}.unreadable`);
  }
  const temporary = `${file}.${id}`;
  writeAtomic(disk, temporary, Buffer.from(`${id}\n`), `${temporary}.new`);
  try {
    disk.linkSync(temporary, file);
  } catch {
    // It is there already, or this disk knows no links; the rename below decides then.
    if (known() === null) disk.renameSync(temporary, file);
  }
  if (disk.existsSync(temporary)) disk.unlinkSync(temporary);
  return known() ?? id;
}

function write(disk: Disk, folder: string, file: string, text: string, token: string): void {
  try {
    makeFolder(disk, folder);
    writeAtomic(disk, file, Buffer.from(text, 'utf8'), `${file}.${token}.new`);
  } catch (error) {
    throw faultFromSystem(error, file);
  }
}

function readSettings(disk: Disk, file: string): Settings {
  const bytes = readIfThere(disk, file);
  if (bytes === null) return {};
  try {
    const settings: unknown = JSON.parse(bytes.toString('utf8'));
    if (typeof settings === 'object' && settings !== null && !Array.isArray(settings)) return settings;
  } catch {
    // Said below: settings that cannot be read are never overwritten.
  }
  throw new Fault('settings-unreadable', { path: file });
}
