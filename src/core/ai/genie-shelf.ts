import { hash } from 'node:crypto';
import { join } from 'node:path';
import { type Genie, type GenieFile, parseGenie } from '#core/ai/genie';
import { isTexts, readPrivate, writePrivate } from '#core/private-file';
import { type Disk, isLink } from '#core/storage/disk';
import { staysInside } from '#core/workspace/place';
import { Fault, faultFromSystem } from '#protocol';
import type { GenieEntries, GenieEntry } from '#protocol/ai-calls';
import type { FaultDetail } from '#protocol/fault';

/** The genies of the app, of the writer, and of the folder that is open. */
export interface GenieShelf {
  list(): GenieEntries;
  /** `genie-missing` or `genie-invalid` where it is not there or no genie. */
  get(id: string): Genie;
  /** Whether a genie may run without a question: those of a folder must have been said yes to on this machine, as they are now. */
  isTrusted(genie: Genie): boolean;
  trust(genie: Genie): void;
}

/** Where genies are. */
export interface GenieFolders {
  readonly app: string;
  readonly home: string;
  readonly root: string;
}

/** A genie's file may have so many bytes; a folder so many genies. */
const [largest, most] = [256 * 1024, 500];

/** Looks at the folders each time it is asked, the nearest first: genies are edited like any text. */
export function openGenieShelf(disk: Disk, { app, home, root }: GenieFolders): GenieShelf {
  const yesses = join(home, 'trusted-genies.json');
  const trusted = () => readPrivate(disk, yesses, {}, isTexts);
  const files = () => [
    ...folderFiles(disk, root),
    ...filesIn(disk, join(home, 'genies'), 'writer', (name) => `genies/${name}`),
    ...filesIn(disk, app, 'app', (name) => name),
  ];
  const read = (file: Listed) => readGenie(disk, file);
  return {
    list() {
      const genies: GenieEntry[] = [];
      const unreadable: { path: string; code: string; detail: FaultDetail }[] = [];
      for (const file of files()) {
        try {
          genies.push(withoutTemplate(read(file)));
        } catch (error) {
          const { code, detail } = faultFromSystem(error, file.path);
          unreadable.push({ path: file.path, code, detail });
        }
      }
      return { genies, unreadable };
    },
    get(id) {
      const file = files().find((one) => one.id === id);
      if (file === undefined) throw new Fault('genie-missing', { genie: id.slice(0, 200) });
      return read(file);
    },
    isTrusted: ({ from, hash: known }) => from !== 'folder' || Object.hasOwn(trusted(), known),
    trust({ from, hash: known, name }) {
      if (from === 'folder') writePrivate(disk, yesses, { ...trusted(), [known]: name });
    },
  };
}

interface Listed extends Omit<GenieFile, 'hash'> {
  readonly file: string;
}

/** Links out of the folder are not followed. */
function folderFiles(disk: Disk, root: string): Listed[] {
  const path = '.stemma/genies';
  if (!staysInside(disk, root, path)) return [];
  return filesIn(disk, join(root, path), 'folder', (name) => `${path}/${name}`).filter(({ file }) => !isLink(disk, file));
}

function filesIn(disk: Disk, folder: string, from: GenieFile['from'], pathOf: (name: string) => string): Listed[] {
  const names = namesIn(disk, folder).filter((name) => /^[^.].*\.(md|markdown)$/iu.test(name));
  return names
    .sort()
    .slice(0, most)
    .map((name) => ({ file: join(folder, name), path: pathOf(name), from, id: `${from}:${name.replace(/\.[^.]*$/u, '')}` }));
}

function namesIn(disk: Disk, folder: string): string[] {
  try {
    return disk.readdirSync(folder) as unknown as string[];
  } catch {
    return [];
  }
}

function readGenie(disk: Disk, { file, ...known }: Listed): Genie {
  try {
    const found = disk.statSync(file);
    // A pipe would keep whoever reads it waiting.
    if (!found.isFile() && !found.isDirectory()) throw new Fault('genie-unmarked', { path: known.path });
    if (found.size > largest) throw new Fault('genie-too-long', { path: known.path, limit: largest });
    const bytes = disk.readFileSync(file) as Buffer;
    return parseGenie(bytes.toString('utf8'), { ...known, hash: hash('sha256', bytes, 'hex') });
  } catch (error) {
    throw faultFromSystem(error, known.path);
  }
}

const withoutTemplate = ({ template: _, hash: __, ...entry }: Genie) => entry;
