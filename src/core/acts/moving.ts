import { basename, dirname, join } from 'node:path';
import { digest } from '#core/digest';
import { type Sight, sightDocument } from '#core/document';
import { besideName, type Disk, isMissing, removeIfThere, syncFolder } from '#core/storage/disk';
import { makeFolders } from '#core/workspace/made-folders';
import { confine, hasLedger } from '#core/workspace/place';
import type { ReadyEntry } from '#core/workspace/recorder';
import { finishStaged, stage } from '#core/workspace/staging';
import type { Workspace } from '#core/workspace/workspace';
import { folderOf, pathAfter } from '#kernel/address';
import type { Uuid } from '#kernel/uuid';
import { registrationIdem } from '#kernel/writing';
import { Fault, faultFromSystem } from '#protocol';
import type { Move } from '#protocol/file-calls';

/** The moves with both paths inside the workspace, each of something that is there, to where nothing is; else a fault. */
export function checkedMoves({ disk, root }: Workspace, asked: readonly Move[]): Move[] {
  const moves = asked
    .map(({ from, to }) => ({ from: confine(disk, root, from), to: confine(disk, root, to) }))
    .filter(({ from, to }) => from !== to);
  const taken = new Set<string>();
  for (const { from, to } of moves) {
    if (!isThere(disk, join(root, from))) throw new Fault('file-missing', { path: from });
    if (to.startsWith(`${from}/`)) throw new Fault('moved-into-itself', { path: from });
    if (moves.some((other) => from.startsWith(`${other.from}/`))) throw new Fault('path-invalid', { path: from });
    if (taken.has(to) || isOccupied(disk, root, { from, to })) throw new Fault('already-exists', { path: to });
    taken.add(to);
  }
  return moves;
}

/** Whether something else than what is moved stands at its new path. */
function isOccupied(disk: Disk, root: string, { from, to }: Move): boolean {
  return isThere(disk, join(root, to)) && !isSameEntry(disk, root, { from, to });
}

const folded = (path: string) => path.normalize('NFC').toLowerCase();

/** Where letter case does not tell names apart, the new name of a file may lead to the file itself. */
function isSameEntry(disk: Disk, root: string, { from, to }: Move): boolean {
  if (folded(from) !== folded(to)) return false;
  const [one, other] = [disk.lstatSync(join(root, from)), disk.lstatSync(join(root, to))];
  return one.ino === other.ino && one.dev === other.dev;
}

function isThere(disk: Disk, place: string): boolean {
  try {
    disk.lstatSync(place);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw faultFromSystem(error, basename(place));
  }
}

/**
 * Moves what was checked, all or nothing, and tells the ledger where its documents are now, so that each stays the object
 * it was, also when the process dies between the two. The caller holds the lock.
 */
export async function moveEntries(workspace: Workspace, moves: readonly Move[]): Promise<void> {
  const { disk, root, replica } = workspace;
  if (!hasLedger(disk, root)) return renameAll(workspace, moves);
  await replica.refresh();
  // What a crash left staged is known by the path it had.
  await finishStaged(workspace);
  const registrations = movedRegistrations(workspace, moves);
  // A document with an id is found by any scan; one that is known by its path alone would be lost.
  const unstage = registrations.flatMap(({ path, sight, entry, isByPath }) => (isByPath ? [stage(workspace, path, sight, [entry])] : []));
  try {
    renameAll(workspace, moves);
  } catch (error) {
    for (const undo of unstage) undo();
    throw error;
  }
  await workspace.recorder.append(registrations.map(({ entry }) => entry));
  for (const undo of unstage) undo();
}

function renameAll(workspace: Workspace, moves: readonly Move[]): void {
  const done: (() => void)[] = [];
  try {
    for (const { from, to } of moves) {
      done.push(makeFolders(workspace, folderOf(to), to));
      renameEntry(workspace, { from, to });
      done.push(() => renameEntry(workspace, { from: to, to: from }));
    }
  } catch (error) {
    for (const takeBack of done.reverse()) takeBack();
    throw error;
  }
}

function renameEntry(workspace: Workspace, { from, to }: Move): void {
  const { disk, root, chance } = workspace;
  const [before, after] = [join(root, from), join(root, to)];
  try {
    if (isThere(disk, after)) renameCase(disk, before, after, besideName(before, chance.newId(chance.now()).slice(-12)));
    else if (disk.lstatSync(before).isDirectory()) disk.renameSync(before, after);
    else renameFile(disk, before, after);
    syncFolder(disk, dirname(after));
    if (dirname(before) !== dirname(after)) syncFolder(disk, dirname(before));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw new Fault('already-exists', { path: to });
    throw faultFromSystem(error, to);
  }
}

/** The name is taken first: a file that somebody makes there at this moment is never written over. */
function renameFile(disk: Disk, before: string, after: string): void {
  disk.closeSync(disk.openSync(after, 'wx'));
  try {
    disk.renameSync(before, after);
  } catch (error) {
    removeIfThere(disk, after);
    throw error;
  }
}

/** Only letter case differs, and the disk does not tell it apart. Some take such a rename for none at all. */
function renameCase(disk: Disk, before: string, after: string, between: string): void {
  disk.renameSync(before, after);
  if (disk.readdirSync(dirname(after)).includes(basename(after))) return;
  disk.renameSync(before, between);
  disk.renameSync(between, after);
}

interface MovedRegistration {
  readonly path: string;
  readonly sight: Sight;
  readonly entry: ReadyEntry;
  readonly isByPath: boolean;
}

/** Where the ledger's documents will be, before they are there. A file that carries another id is another document, whatever was registered at its path. */
function movedRegistrations(workspace: Workspace, moves: readonly Move[]): MovedRegistration[] {
  const { disk, root, recorder, replica } = workspace;
  const { facts } = replica.reading;
  return [...facts.registrations].flatMap(([object, { id, value }]) => {
    const path = pathAfter(moves, value.path);
    if (path === value.path || facts.objectAt(value.path) !== object) return [];
    const bytes = readFileThere(disk, join(root, value.path));
    if (bytes === null) return [];
    const sight = sightDocument(bytes, value.path);
    const { identity } = sight;
    if (identity !== null && identity.id !== object) return [];
    const idem = registrationIdem(digest, object as Uuid, path, id as Uuid);
    const body = { object: object as Uuid, path, schema: value.schema, derived_from: [] };
    const [entry] = recorder.ready([{ kind: 'object-registered', body, subjects: [object as Uuid], idem }]);
    return [{ path, sight, entry: entry!, isByPath: identity === null }];
  });
}

function readFileThere(disk: Disk, place: string): Buffer | null {
  try {
    return disk.readFileSync(place) as Buffer;
  } catch {
    // Gone or unreadable: the next scan says what it is.
    return null;
  }
}
