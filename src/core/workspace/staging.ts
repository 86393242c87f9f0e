import { join } from 'node:path';
import { digest } from '#core/digest';
import { type Document, readDocument, type Sight } from '#core/document';
import { inFolder, readIfThere, removeIfThere, writeAll } from '#core/storage/disk';
import { type Begun, beginFile, finishFlushed } from '#core/storage/replacing';
import { isInside } from '#core/workspace/place';
import type { ReadyEntry } from '#core/workspace/recorder';
import { namesIn, sweepLeft } from '#core/workspace/temporary';
import { entryWithIdem } from '#core/workspace/versions';
import type { Workspace } from '#core/workspace/workspace';
import { parseLine } from '#kernel/entry';
import type { ContentHash } from '#kernel/revision';

interface Stage {
  readonly path: string;
  readonly content_hash: string;
  /** The id that the file carries once it is written, null for none; absent in stages of older programs. */
  readonly id?: string | null;
  readonly entries: readonly ReadyEntry[];
}

const folderOf = (workspace: Workspace) => join(workspace.vmark, 'snapshots', 'tmp');

/** A stage that stands, or is begun; `unstage` takes it away once its lines are in the ledger. */
interface Staged {
  readonly begun: Begun;
  unstage(): void;
}

/**
 * Puts the finished ledger lines of a save down before its file is written, so that a crash between the two loses
 * nothing (`spec/format.md` §9). What is begun is still to be flushed.
 */
export function beginStage(workspace: Workspace, path: string, document: Sight, entries: readonly ReadyEntry[]): Staged {
  const { disk } = workspace;
  const file = join(folderOf(workspace), `${entries.at(-1)!.idem}.json`);
  const stage: Stage = { path, content_hash: document.contentHash, id: document.identity?.id ?? null, entries };
  const write = (handle: number) => writeAll(disk, handle, Buffer.from(JSON.stringify(stage), 'utf8'));
  const begun = inFolder(disk, folderOf(workspace), () => beginFile(disk, { path: file, flags: 'w' }, () => {}, write));
  return { begun, unstage: () => removeIfThere(disk, file) };
}

/** The same, flushed; answers how to take it away again. */
export function stage(workspace: Workspace, path: string, document: Sight, entries: readonly ReadyEntry[]): () => void {
  const { begun, unstage } = beginStage(workspace, path, document, entries);
  finishFlushed(workspace.disk, begun);
  return unstage;
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
    const written = staged === null ? null : writtenText(workspace, staged);
    if (written === 'unknown' || (written === null && isAtWork(workspace, file))) continue;
    if (staged !== null && written !== null) {
      storeText(workspace, staged, written);
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

/** A text that a file holds. */
interface Written {
  readonly bytes: Buffer;
  readonly document: Document;
}

/** The text that was to be written, where its file holds it; null where it does not. */
function writtenText(workspace: Workspace, staged: Stage): Written | null | 'unknown' {
  let bytes: Buffer | null;
  try {
    bytes = readIfThere(workspace.disk, join(workspace.root, staged.path));
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EISDIR' ? null : 'unknown';
  }
  if (bytes === null) return null;
  const document = readDocument(bytes, staged.path);
  // A block that was only put in or changed leaves the content as it was: the id tells whether that happened.
  const isId = staged.id === undefined || staged.id === (document.identity?.id ?? null);
  return isId && document.contentHash === staged.content_hash ? { bytes, document } : null;
}

/** A power cut may have brought a stage and its file to the disk, and not the name of the snapshot: a text is stored before an entry names it. */
function storeText({ snapshots }: Workspace, { entries }: Stage, { bytes, document: { contentHash, masked } }: Written): void {
  const names = entries.map(({ line }) => parseLine(line.slice(0, -1), digest)).flatMap((parsed) => outputsOf(parsed));
  if (names.includes(contentHash)) snapshots.put(contentHash, masked === null ? bytes : Buffer.from(masked, 'utf8'));
}

function outputsOf(parsed: ReturnType<typeof parseLine>): readonly ContentHash[] {
  if (parsed.kind !== 'entry' || parsed.entry.kind !== 'transformation') return [];
  return parsed.entry.body.outputs.map(({ content_hash }) => content_hash);
}
