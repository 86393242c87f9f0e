import { folderOf, nameOf, pathAfter } from '#kernel/address';
import type { LinkPlan, Move } from '#protocol/file-calls';
import type { FileOutcome } from '#protocol/search-calls';
import type { Studio } from '#renderer/ui/studio.ts';
import { problemWords, say } from '#renderer/words.ts';

/** Does an act and says what went wrong, where something did; then the files are listed anew. */
async function attempt(studio: Studio, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    tell(studio, problemWords(error));
  }
  studio.workspace.listSoon();
}

/** Says something at the foot of the window and to screen readers; `undo` is offered beside it. */
function tell({ view }: Studio, sentence: string, undo: string | null = null): void {
  view.notify(sentence, undo);
  view.announce(sentence);
}

/** Asks where links would break, and moves at once where none does; else the writer sees them first. */
export async function moveOrAsk(studio: Studio, moves: readonly Move[]): Promise<void> {
  if (moves.every(({ from, to }) => from === to)) return;
  await attempt(studio, async () => {
    await saveTouched(studio, (path) => pathAfter(moves, path) !== path);
    const plan = async () => (await studio.connection.call('files/plan-move', { moves: [...moves] })).links;
    let links = await plan();
    const isDirty = (path: string) => studio.documents.tabs.getState().tabs.some((tab) => tab.path === path && tab.isDirty);
    if (links.some(({ path }) => isDirty(path))) {
      await saveTouched(studio, (path) => links.some((link) => link.path === path));
      links = await plan();
    }
    if (links.length > 0) studio.view.ask({ kind: 'links', moves, links });
    else await moveNow(studio, moves, []);
  });
}

/** Moves, and keeps the links of `links`. A text that is not saved yet is saved first: what is on disk is what moves. */
export async function moveNow(studio: Studio, moves: readonly Move[], links: readonly LinkPlan[]): Promise<void> {
  await attempt(studio, async () => {
    const named = links.map(({ path, base }) => ({ path, base }));
    const moved = await studio.connection.call('files/move', { moves: [...moves], links: named });
    tell(studio, movedSentence(moves, moved.links), moved.undo);
  });
}

function movedSentence(moves: readonly Move[], links: readonly FileOutcome[]): string {
  const [move] = moves;
  const what = moves.length === 1 && move !== undefined ? { from: nameOf(move.from), to: shownTarget(move) } : null;
  const done = what === null ? say('files.moved-many', { count: moves.length }) : say('files.moved', what);
  const updated = links.filter(({ kind }) => kind === 'done').length;
  const left = links.filter(({ kind }) => kind !== 'done').map(({ path }) => path);
  const parts = [done];
  if (updated > 0) parts.push(say('files.links-kept', { count: updated }));
  if (left.length > 0) parts.push(say('files.links-left', { paths: left.join(', ') }));
  return parts.join(' ');
}

const shownTarget = ({ from, to }: Move) => (folderOf(from) === folderOf(to) ? nameOf(to) : to);

/** Saves open documents that an act is about to write or move; one that cannot be saved stops the act. */
export async function saveTouched({ documents }: Studio, isTouched: (path: string) => boolean): Promise<void> {
  for (const { path } of [...documents.tabs.getState().tabs]) {
    if (!isTouched(path) || documents.bufferOf(path) === undefined) continue;
    const outcome = await documents.save(path);
    if (outcome !== 'saved' && outcome !== 'clean') throw new Error(say('files.unsaved', { path }));
  }
}

/** Puts files into the trash; their tabs close. Where there is no trash, the writer is asked. */
export async function throwAway(studio: Studio, paths: readonly string[], forever = false): Promise<void> {
  await attempt(studio, async () => {
    const isUnder = (path: string) => paths.some((gone) => path === gone || path.startsWith(`${gone}/`));
    await saveTouched(studio, isUnder);
    const thrown = await studio.connection.call('files/trash', { paths: [...paths], forever });
    if (thrown.kind === 'no-trash') return studio.view.ask({ kind: 'no-trash', paths, reason: thrown.reason });
    for (const { path } of [...studio.documents.tabs.getState().tabs]) if (isUnder(path)) studio.documents.close(path);
    const what = paths.length === 1 ? { name: nameOf(paths[0]!) } : { name: say('files.several', { count: paths.length }) };
    tell(studio, say(thrown.kind === 'trashed' ? 'files.trashed' : 'files.deleted', what), thrown.undo);
  });
}

/** Makes a copy beside a file and opens it. */
export async function duplicate(studio: Studio, path: string): Promise<void> {
  await attempt(studio, async () => {
    await saveTouched(studio, (open) => open === path);
    const copy = await studio.connection.call('files/duplicate', { path });
    tell(studio, say('files.duplicated', { name: nameOf(copy.path) }), copy.undo);
    await studio.documents.open(copy.path, { preview: true });
  });
}

/** Makes a folder; rejects with the fault where that cannot be. */
export async function createFolder(studio: Studio, path: string): Promise<void> {
  const { undo } = await studio.connection.call('files/create-folder', { path });
  tell(studio, say('files.folder-made', { name: nameOf(path) }), undo);
  studio.workspace.listSoon();
}

/** Shows a file in the system's file manager. */
export const revealFile = (studio: Studio, path: string): Promise<void> =>
  attempt(studio, async () => {
    await studio.connection.call('files/reveal', { path });
  });

/** Takes an act back, and says what could not be. */
export async function takeBack(studio: Studio, undo: string): Promise<void> {
  await attempt(studio, async () => {
    const { kind, files } = await studio.connection.call('files/undo', { undo });
    const left = files.filter((file) => file.kind !== 'done').map(({ path }) => path);
    if (kind === 'gone') tell(studio, say('files.undo-gone'));
    else tell(studio, left.length === 0 ? say('files.undone') : say('files.undone-but', { paths: left.join(', ') }));
  });
}
