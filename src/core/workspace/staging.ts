import { join } from 'node:path';
import { digest } from '#core/digest';
import { readDocument, type Sight } from '#core/document';
import { makeFolder, readIfThere, removeIfThere, writeAll } from '#core/storage/disk';
import { isInside } from '#core/workspace/place';
import type { ReadyEntry } from '#core/workspace/recorder';
import { namesIn, sweepLeft } from '#core/workspace/temporary';
import { entryWithIdem } from '#core/workspace/versions';
import type { Workspace } from '#core/workspace/workspace';
import { parseLine } from '#kernel/entry';

interface Stage {
  readonly path: string;
  readonly content_hash: string;
  /** The id that the file carries once it is written, null for none; absent in stages of older programs. */
  readonly id?: string | null;
  readonly entries: readonly ReadyEntry[];
}

const folderOf = (workspace: Workspace) => join(workspace.vmark, 'snapshots', 'tmp');

/**
 * Puts the finished ledger lines of a save down before its file is written, so that a crash between the two loses
 * nothing (`spec/format.md` §9). Answers how to take them away again.
 */
export function stage(workspace: Workspace, path: string, document: Sight, entries: readonly ReadyEntry[]): () => void {
  const { disk } = workspace;
  makeFolder(disk, folderOf(workspace));
  const file = join(folderOf(workspace), `${entries.at(-1)!.idem}.json`);
  const staged: Stage = { path, content_hash: document.contentHash, id: document.identity?.id ?? null, entries };
  const handle = disk.openSync(file, 'w');
  try {
    writeAll(disk, handle, Buffer.from(JSON.stringify(staged), 'utf8'));
    disk.fsyncSync(handle);
  } finally {
    disk.closeSync(handle);
  }
  return () => removeIfThere(disk, file);
}

/** Without a lock a stage may be that of a program at work: it is left alone for an hour (`spec/format.md` §9). */
const longestWrite = 3_600_000;

/**
 * Completes what a crash left staged: lines whose file is on disk are appended, others are dropped; where the file
 * cannot be read they wait. The caller holds the lock, where one can be had.
 */
export async function finishStaged(workspace: Workspace): Promise<number> {
  let finished = 0;
  const { disk, chance } = workspace;
  const folder = folderOf(workspace);
  const names = namesIn(disk, folder);
  const stages = names.filter((name) => name.endsWith('.json'));
  const others = names.filter((name) => !stages.includes(name));
  sweepLeft(disk, folder, others, chance.now());
  for (const name of stages) {
    const file = join(folder, name);
    const staged = readStage(workspace, file);
    const isWritten = staged !== null && holdsText(workspace, staged);
    if (isWritten === 'unknown' || (isWritten === false && isAtWork(workspace, file))) continue;
    if (staged !== null && isWritten) {
      const missing = staged.entries.filter(({ idem }) => entryWithIdem(workspace.replica.reading.graph, idem) === null);
      await workspace.recorder.append(missing);
      finished++;
    }
    removeIfThere(disk, file);
  }
  return finished;
}

/** Null for a stage that was itself torn, so that its file was not written yet, or is not of our making. */
function readStage(workspace: Workspace, file: string): Stage | null {
  try {
    const staged = JSON.parse((readIfThere(workspace.disk, file) ?? '').toString()) as Stage;
    const isWhole = staged.entries.every(({ line }) => line.endsWith('\n') && parseLine(line.slice(0, -1), digest).kind === 'entry');
    return isWhole && isInside(staged.path) ? staged : null;
  } catch {
    return null;
  }
}

function isAtWork({ disk, chance, last }: Workspace, file: string): boolean {
  if (last.isAlone) return false;
  try {
    return chance.now() - disk.statSync(file).mtimeMs < longestWrite;
  } catch {
    return false;
  }
}

function holdsText(workspace: Workspace, staged: Stage): boolean | 'unknown' {
  let bytes: Buffer | null;
  try {
    bytes = readIfThere(workspace.disk, join(workspace.root, staged.path));
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EISDIR' ? false : 'unknown';
  }
  if (bytes === null) return false;
  const { contentHash, identity } = readDocument(bytes, staged.path);
  // A block that was only put in or changed leaves the content as it was: the id tells whether that happened.
  return contentHash === staged.content_hash && (staged.id === undefined || staged.id === (identity?.id ?? null));
}
