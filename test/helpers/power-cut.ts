import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Disk, realDisk } from '#core/storage/disk';
import { Killed } from './faulty-disk';

/** A file whatever its names are; what of it has reached the disk. */
interface Content {
  durable: Buffer;
}

/** A change of names that is not durable yet: what a name stands for from then on, null for nothing. */
interface Change {
  readonly names: readonly (readonly [path: string, content: Content | null])[];
  /** The folders that make it durable when one of them is flushed. */
  readonly folders: readonly string[];
}

/**
 * The real disk below `root`, and what of it a power cut would leave: of each file the bytes that were flushed, under the names that were.
 * A flushed file keeps the name it was made under; a rename and a removal last once their folder is flushed. Until then any of them may
 * last or be lost, whatever came before it (`docs/reliability.md`).
 */
export interface CutDisk {
  readonly disk: Disk;
  /** The power goes before the call of this number that changes the disk. */
  cutAt(at: number): void;
  readonly isCut: boolean;
  /** How many changes of names would hang in the air now. */
  pending(): number;
  /** Makes the folder what the disk holds after the cut; `lasts` says of each pending change whether it got there. */
  settle(lasts: (pending: number) => boolean): void;
}

/** Watches `root`, all of which is durable now. */
export function createCutDisk(root: string): CutDisk {
  const named = new Map<string, Content>();
  const durable = new Map<string, Content>();
  const opened = new Map<number, { readonly path: string; readonly content: Content | null }>();
  let waiting: Change[] = [];
  let [count, at, isCut] = [0, Number.POSITIVE_INFINITY, false];
  for (const path of filesBelow(root)) {
    const content = { durable: readFileSync(path) };
    named.set(path, content);
    durable.set(path, content);
  }
  const apply = ({ names }: Change) => {
    for (const [path, content] of names) {
      if (content === null) durable.delete(path);
      else durable.set(path, content);
    }
  };
  const change = (names: Change['names']) => {
    for (const [path, content] of names) {
      if (content === null) named.delete(path);
      else named.set(path, content);
    }
    waiting.push({ names, folders: names.map(([path]) => dirname(path)) });
  };
  const flushed = (file: number) => {
    const { path, content } = opened.get(file)!;
    const lasting = (one: Change) =>
      content === null ? one.folders.includes(path) : one.names.length === 1 && one.names[0]![1] === content;
    if (content !== null) content.durable = readFileSync(pathOf(content) ?? path);
    for (const one of waiting.filter(lasting)) apply(one);
    waiting = waiting.filter((one) => !lasting(one));
  };
  const pathOf = (content: Content) => [...named].find(([, one]) => one === content)?.[0];
  const open = (path: string, ...rest: [string | number, number?]) => {
    const isNew = path.startsWith(root) && !named.has(path);
    const file = realDisk.openSync(path, ...rest);
    const isFile = path.startsWith(root) && statSync(path).isFile();
    if (isNew && isFile) change([[path, { durable: Buffer.alloc(0) }]]);
    opened.set(file, { path, content: isFile ? named.get(path)! : null });
    return file;
  };
  const told: Partial<Disk> = {
    openSync: open as Disk['openSync'],
    renameSync(from, to) {
      realDisk.renameSync(from, to);
      const content = named.get(String(from));
      if (content !== undefined)
        change([
          [String(from), null],
          [String(to), content],
        ]);
    },
    unlinkSync(path) {
      realDisk.unlinkSync(path);
      if (named.has(String(path))) change([[String(path), null]]);
    },
    fsyncSync(file) {
      realDisk.fsyncSync(file);
      flushed(file);
    },
    fdatasyncSync(file) {
      realDisk.fdatasyncSync(file);
      flushed(file);
    },
    async flush(file) {
      await realDisk.flush(file);
      flushed(file);
    },
  };
  const changing = new Set<string>([...Object.keys(told), 'writeSync', 'ftruncateSync', 'mkdirSync', 'linkSync']);
  const disk = new Proxy(realDisk, {
    get: (real, name: keyof Disk) => (told[name] === undefined && !changing.has(name) ? real[name] : counted(name)),
  });
  const counted = (name: keyof Disk) => {
    return (...args: unknown[]) => {
      if (isCut || (!(name === 'openSync' && args[1] === 'r') && count++ === at)) {
        isCut = true;
        if (name === 'flush') return Promise.reject(new Killed());
        throw new Killed();
      }
      return ((told[name] ?? realDisk[name]) as (...args: unknown[]) => unknown)(...args);
    };
  };
  return {
    disk,
    cutAt(number) {
      at = number;
    },
    get isCut() {
      return isCut;
    },
    pending: () => waiting.length,
    settle(lasts) {
      for (const [number, one] of waiting.entries()) if (lasts(number)) apply(one);
      for (const name of readdirSync(root)) rmSync(join(root, name), { recursive: true });
      for (const [path, { durable: bytes }] of durable) {
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, bytes);
      }
    },
  };
}

/** Not the index and the lock: they are derived, and are no file of this port. */
function* filesBelow(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else if (!entry.name.startsWith('index.db')) yield path;
  }
}
