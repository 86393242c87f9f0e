import { join } from 'node:path';
import { createActJournal } from '#core/acts/act-journal';
import { copyPath, withoutIdentity } from '#core/acts/copy';
import type { PlannedLinks } from '#core/acts/link-plan';
import { checkedMoves, moveEntries } from '#core/acts/moving';
import { type Replacing, replaceMatches } from '#core/acts/replacement';
import { reveal } from '#core/acts/reveal';
import { listTags } from '#core/acts/tag-list';
import { restoreTexts, saveChange, type TextBefore } from '#core/acts/text-change';
import { keepEntries, removeForever, restoreEntries, systemTrash, type Trash, takeOut } from '#core/acts/trash';
import { withEdits } from '#core/links/edit';
import { isLink } from '#core/storage/disk';
import { byHand } from '#core/workspace/authorship';
import { makeFolders } from '#core/workspace/made-folders';
import { confine } from '#core/workspace/place';
import { openLimit, readFile } from '#core/workspace/record';
import { bytesHash, type SaveOutcome, type SaveRequest } from '#core/workspace/save';
import type { Workspace } from '#core/workspace/workspace';
import { pathAfter } from '#kernel/address';
import { Fault, faultFromSystem } from '#protocol';
import type { LinkPlan, LinkSource, Move, Moved, TagUse, Trashed, Undone } from '#protocol/file-calls';
import type { FileOutcome, Replaced } from '#protocol/search-calls';

/** What a person at a window does with files as such. Every act can be taken back by the name that it answers. */
export interface ActDesk {
  createFolder(path: string): Promise<{ undo: string }>;
  /** The links that these moves would break. Writes nothing. */
  planMove(moves: readonly Move[]): Promise<readonly LinkPlan[]>;
  /** The links that lead to a file, 500 at the most. Writes nothing. */
  linksTo(path: string): Promise<{ links: readonly LinkSource[]; more: boolean }>;
  /** The tags of all documents, 2,000 at the most. Writes nothing. */
  tags(): Promise<readonly TagUse[]>;
  /** Moves, and then keeps the links of the documents that are named with the bytes they were planned from. `moved` hears of the new paths first. */
  move(moves: readonly Move[], links: readonly { path: string; base: string }[], moved: Told): Promise<Moved>;
  duplicate(path: string): Promise<{ path: string; undo: string }>;
  /** Puts files and folders into the system's trash; `forever`: removes them where there is none. */
  trash(paths: readonly string[], forever: boolean): Promise<Trashed>;
  reveal(path: string): Promise<void>;
  replace(request: Replacing): Promise<Replaced>;
  /** Takes an act back; `moved` hears where files are again. */
  undo(name: string, moved: Told): Promise<Undone>;
}

type Told = (moves: readonly Move[]) => void;

/** How acts reach what they share with the other faces of a core. */
export interface ActParts {
  /** Runs alone, under the lock where there is something to record. */
  writing<T>(work: () => Promise<T>): Promise<T>;
  save(request: SaveRequest): Promise<SaveOutcome>;
  /** Told where files are now, before anybody else is. */
  readonly moved?: Told;
  readonly trash?: Trash;
}

/** Loaded when links are first looked for: most programs never parse Markdown. */
const linkPlans = () => import('#core/acts/link-plan');

/** The acts of a workspace. */
export function actDesk(workspace: Workspace, { writing, save, moved: went = () => {}, trash = systemTrash }: ActParts): ActDesk {
  const { disk, root, chance } = workspace;
  const journal = createActJournal(() => chance.newId(chance.now()));
  const inside = (path: string) => confine(disk, root, path);
  const place = (path: string) => join(root, path);
  /** Told by whoever takes an act back: the journal keeps acts longer than anybody listens. */
  let tell: Told = () => {};

  const keepLinks = async (moves: readonly Move[], planned: readonly PlannedLinks[]) => {
    const outcomes: FileOutcome[] = [];
    const texts: TextBefore[] = [];
    for (const { before: was, text, bytes, base, edits } of planned) {
      const path = pathAfter(moves, was);
      const change = { path, before: bytes, base, bytes: Buffer.from(withEdits(text, edits), 'utf8'), count: edits.length };
      const { outcome, before } = await saveChange({ save }, change, { kind: 'move-links', summary: 'links kept on a move' });
      outcomes.push(outcome);
      if (before !== null) texts.push(before);
    }
    return { outcomes, texts };
  };
  const moveBack = async (moves: readonly Move[], texts: readonly TextBefore[]): Promise<Undone> => {
    const back = moves.map(({ from, to }) => ({ from: to, to: from })).reverse();
    const planned = texts.length === 0 ? [] : await (await linkPlans()).planLinks(workspace, back);
    await writing(() => moveEntries(workspace, checkedMoves(workspace, back)));
    went(back);
    tell(back);
    const before = texts.map((text) => ({ ...text, path: pathAfter(back, text.path) }));
    const restored = await restoreTexts({ save }, before);
    // What somebody wrote since stays; of such a document only the links go back.
    const written = new Set(restored.flatMap(({ path, kind }) => (kind === 'conflict' ? [path] : [])));
    const { outcomes } = await keepLinks(
      back,
      planned.filter((one) => written.has(pathAfter(back, one.before))),
    );
    return { kind: 'undone', moves: back, files: restored.map((file) => outcomes.find(({ path }) => path === file.path) ?? file) };
  };
  const throwAway = async (path: string, forever: boolean) => {
    const kept = keepEntries(place(path));
    const trashed = await trash(place(path)).catch((error: unknown) => {
      if (!forever) throw error;
      removeForever(disk, place(path));
      return null;
    });
    return { path, kept, trashed, isUndoable: kept !== null || trashed !== null };
  };
  const bringBack = ({ path, kept, trashed }: Awaited<ReturnType<typeof throwAway>>): FileOutcome => {
    if (disk.existsSync(place(path))) return { path, kind: 'conflict' };
    if (!takeOut(disk, trashed, place(path))) restoreEntries(disk, place(path), kept ?? [], chance.newId(chance.now()).slice(-12));
    return { path, kind: 'done', count: 1 };
  };

  return {
    async createFolder(named) {
      const path = inside(named);
      if (disk.existsSync(place(path))) throw new Fault('already-exists', { path });
      const unmake = makeFolders(workspace, path, path);
      return { undo: journal.keep(async () => folderUnmade(path, unmake())) };
    },
    async planMove(moves) {
      const { planLinks, shownPlan } = await linkPlans();
      return (await planLinks(workspace, checkedMoves(workspace, moves))).map(shownPlan);
    },
    tags: () => listTags(workspace, 2000),
    async linksTo(named) {
      const { linksTo } = await import('#core/acts/link-source');
      return linksTo(workspace, inside(named), 500);
    },
    async move(asked, links, moved) {
      const moves = checkedMoves(workspace, asked);
      const wanted = new Map(links.map(({ path, base }) => [path, base]));
      const planned =
        wanted.size === 0 ? [] : (await (await linkPlans()).planLinks(workspace, moves)).filter(({ before }) => wanted.has(before));
      await writing(() => moveEntries(workspace, checkedMoves(workspace, moves)));
      went(moves);
      moved(moves);
      const current = planned.filter(({ before, base }) => wanted.get(before) === base);
      const { outcomes, texts } = await keepLinks(moves, current);
      const others = [...wanted.keys()].filter((path) => !current.some(({ before }) => before === path));
      const conflicts = others.map((path): FileOutcome => ({ path: pathAfter(moves, path), kind: 'conflict' }));
      return { undo: journal.keep(() => moveBack(moves, texts)), moves, links: [...outcomes, ...conflicts] };
    },
    async duplicate(named) {
      const from = inside(named);
      refuseUncopied(workspace, from);
      const names = disk.readdirSync(join(place(from), '..')).map((name) => name.normalize('NFC').toLowerCase());
      const isTaken = (path: string) =>
        names.includes(
          path
            .slice(path.lastIndexOf('/') + 1)
            .normalize('NFC')
            .toLowerCase(),
        );
      const path = copyPath(from, isTaken);
      const bytes = withoutIdentity(readFile(workspace, from), from);
      const intent = { kind: 'explorer-duplicate', summary: 'duplicated', prompt_hash: null };
      const saved = await save({ ...byHand, path, bytes, base: null, intent });
      if (saved.kind === 'conflict') throw new Fault('already-exists', { path });
      return { path, undo: journal.keep(async () => removeCopy(workspace, path, saved.base)) };
    },
    async trash(named, forever) {
      const paths = named.map(inside);
      for (const path of paths) if (!disk.existsSync(place(path)) && !isLink(disk, place(path))) throw new Fault('file-missing', { path });
      const gone: Awaited<ReturnType<typeof throwAway>>[] = [];
      for (const path of paths.filter((one) => !paths.some((other) => one.startsWith(`${other}/`)))) {
        try {
          gone.push(await throwAway(path, forever));
        } catch (error) {
          // What is in the trash already comes back: it is all or nothing.
          for (const one of gone) bringBack(one);
          return { kind: 'no-trash', reason: error instanceof Error ? error.message : String(error) };
        }
      }
      const takeBack = async (): Promise<Undone> => ({ kind: 'undone', moves: [], files: gone.map(bringBack) });
      const undo = gone.every(({ isUndoable }) => isUndoable) ? journal.keep(takeBack) : null;
      return { kind: forever ? 'deleted' : 'trashed', undo };
    },
    async reveal(named) {
      const path = inside(named);
      if (!disk.existsSync(place(path))) throw new Fault('file-missing', { path });
      await reveal(place(path)).catch(() => {
        throw new Fault('no-file-manager', {});
      });
    },
    replace: (request) => replaceMatches({ save, journal, read: (path) => readFile(workspace, inside(path)) }, request),
    undo(name, moved) {
      tell = moved;
      return journal.undo(name);
    },
  };
}

function refuseUncopied({ disk, root }: Workspace, path: string): void {
  try {
    const stat = disk.statSync(join(root, path));
    if (stat.isDirectory()) throw new Fault('is-a-folder', { path });
    if (stat.size > openLimit) throw new Fault('file-too-large', { path, bytes: stat.size, limit: openLimit });
  } catch (error) {
    throw faultFromSystem(error, path);
  }
}

/** A folder that something was put into since stays. */
function folderUnmade(path: string, isGone: boolean): Undone {
  return { kind: 'undone', moves: [], files: [isGone ? { path, kind: 'done', count: 1 } : { path, kind: 'conflict' }] };
}

/** A copy that was written to since stays. */
function removeCopy(workspace: Workspace, path: string, base: string): Undone {
  const { disk, root } = workspace;
  const isAsMade = disk.existsSync(join(root, path)) && bytesHash(readFile(workspace, path)) === base;
  if (isAsMade) disk.unlinkSync(join(root, path));
  return { kind: 'undone', moves: [], files: [isAsMade ? { path, kind: 'done', count: 1 } : { path, kind: 'conflict' }] };
}
