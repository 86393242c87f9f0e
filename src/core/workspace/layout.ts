import { basename, dirname, join } from 'node:path';
import { besideName, type Disk, isLink, makeFolder, readIfThere, syncFolder, writeAll } from '#core/storage/disk';
import { writeAtomic } from '#core/storage/replacing';
import type { Workspace } from '#core/workspace/workspace';
import { Fault } from '#protocol';

const files: Readonly<Record<string, readonly string[]>> = {
  '.gitignore': ['index.db*', 'snapshots/tmp/', 'ledger/quarantine/'],
  '.gitattributes': ['ledger/*.jsonl merge=union', 'ledger/** -text', 'snapshots/** -text -diff'],
};

/** As `prepareLayout`, which looks at everything only where something of it has moved since this process did. */
export function ensureLayout({ disk, vmark, chance, last }: Pick<Workspace, 'disk' | 'vmark' | 'chance' | 'last'>): void {
  const stamp = stampOf(disk, vmark);
  if (stamp !== null && stamp === last.layout) return;
  prepareLayout(disk, vmark, () => chance.newId(chance.now()));
  last.layout = stamp;
}

/** Equal stamps: no folder of the layout has become another or lost or gained a name, and no git file was written. Null where one is missing. */
function stampOf(disk: Disk, vmark: string): string | null {
  try {
    const stats = ['', 'snapshots', ...Object.keys(files)].map((name) => disk.lstatSync(join(vmark, name)));
    return stats.map(({ ino, mode, mtimeMs, ctimeMs }) => `${ino} ${mode} ${mtimeMs} ${ctimeMs}`).join('\n');
  } catch {
    return null;
  }
}

/**
 * Makes `.vmark/` ready for a first record (`spec/format.md` §1). Lines that are missing are added to the git files,
 * and nothing that is there is changed. A folder that came from elsewhere may hold links: nothing is written through one.
 */
function prepareLayout(disk: Disk, vmark: string, newToken: () => string): void {
  for (const name of ['', 'ledger', 'snapshots', 'snapshots/sha256', 'snapshots/tmp']) {
    if (isLink(disk, join(vmark, name))) throw new Fault('not-a-folder', { path: `${basename(vmark)}/${name}` });
  }
  makeFolder(disk, join(vmark, 'ledger'));
  makeFolder(disk, join(vmark, 'snapshots'));
  for (const [name, lines] of Object.entries(files)) addLines(disk, join(vmark, name), lines, newToken());
}

function addLines(disk: Disk, path: string, wanted: readonly string[], token: string): void {
  const there = readIfThere(disk, path);
  if (there === null) {
    makeAtOnce(disk, path, `${wanted.join('\n')}\n`);
    return;
  }
  const before = there.toString('utf8');
  const present = new Set(before.split(/\r?\n/u).map((line) => line.trim()));
  const missing = wanted.filter((line) => !present.has(line));
  if (missing.length === 0) return;
  const ended = before === '' || before.endsWith('\n') ? before : `${before}\n`;
  writeAtomic(disk, path, Buffer.from(`${ended}${missing.join('\n')}\n`, 'utf8'), besideName(path, token));
}

/**
 * Makes one of the git files under its own name: a temporary one would stand where git looks, for what it does not look at is named in these
 * files. A crash leaves lines out, and the next record adds them.
 */
function makeAtOnce(disk: Disk, path: string, text: string): void {
  const handle = disk.openSync(path, 'wx');
  try {
    writeAll(disk, handle, Buffer.from(text, 'utf8'));
    disk.fsyncSync(handle);
  } finally {
    disk.closeSync(handle);
  }
  syncFolder(disk, dirname(path));
}
