import { folderOf, nameOf } from '#kernel/address';
import { Fault } from '#protocol/fault';
import { outlineOf } from '#renderer/editor/outline.ts';
import { copyText } from '#renderer/editor/relink.ts';
import { isUntitled } from '#renderer/editor/untitled.ts';
import { say } from '#renderer/words.ts';
import { fileName } from './file-name.ts';
import { focusPage, type Studio } from './studio.ts';

/** Shows a new document that has no file until it is saved; what is typed in it is kept all the same. */
export function beginUntitled(studio: Studio, text = ''): void {
  studio.documents.begin(say('new.untitled'), text);
  focusPage(studio);
}

/** Does something that needs a file: at once where there is one, else once the writer has named the document. */
export function withName({ view }: Studio, path: string, act: (path: string) => void): void {
  if (isUntitled(path)) view.ask({ kind: 'name-document', path, named: act });
  else act(path);
}

/** What is offered as the name of a document: its first heading, else the beginning of its first line. */
export function suggestedName({ documents }: Studio, path: string): string {
  const doc = documents.bufferOf(path)?.state.doc;
  if (doc === undefined) return '';
  const first = outlineOf(doc).find(({ words }) => words !== '')?.words ?? firstLine(doc.iterLines());
  return first === '' ? '' : fileName(first.slice(0, 60));
}

function firstLine(lines: Iterable<string>): string {
  let read = 0;
  for (const line of lines) {
    if (/[\p{L}\p{N}]/u.test(line)) return line.replaceAll(/^[^\p{L}\p{N}]+|[*_`]+/gu, '').trim();
    if (++read === 100) break;
  }
  return '';
}

/** Where a new document is likely to go: beside the one that was in front before. */
export function likelyFolder({ documents }: Studio): string {
  return folderOf(documents.tabs.getState().recent.find((path) => !isUntitled(path)) ?? '');
}

/**
 * Gives a document without a file its path and saves it there; folders on the way are made. Answers whether it is saved, or will be once
 * the connection is back. Throws the fault where that cannot be.
 */
export async function nameDocument(studio: Studio, untitled: string, path: string): Promise<boolean> {
  const made = await makeFolder(studio, folderOf(path));
  try {
    const outcome = await studio.documents.nameAs(untitled, path);
    return outcome === 'saved' || outcome === 'clean';
  } catch (error) {
    // Nothing is left of a name that could not be given.
    if (made !== null) await studio.connection.call('files/undo', { undo: made }).catch(() => {});
    throw error;
  } finally {
    studio.workspace.listSoon();
  }
}

/** Makes a folder where there is none; answers how that is taken back. */
async function makeFolder({ connection }: Studio, folder: string): Promise<string | null> {
  if (folder === '') return null;
  // Whether it is there is asked of the disk: the list that is shown may still have one that was taken back.
  try {
    return (await connection.call('files/create-folder', { path: folder })).undo;
  } catch (error) {
    if (error instanceof Fault && error.code === 'already-exists') return null;
    throw error;
  }
}

/** A name for a copy of a document that no other file beside it has: `Ferry 2`, without its ending. */
export function freeName({ workspace }: Studio, path: string): string {
  const taken = new Set(workspace.store.getState().files.map((file) => file.path.toLowerCase()));
  const [, stem = path, ending = ''] = /^(.*?)(\.[^./]*)?$/su.exec(path) ?? [];
  for (let number = 2; ; number++) if (!taken.has(`${stem} ${number}${ending}`.toLowerCase())) return nameOf(`${stem} ${number}`);
}

/**
 * Makes a document at `path` of the text of another as it stands in the window, saved or not: without its identity, with its links leading
 * where they lead, in its encoding. It comes to the front; the other one stays as it is. Throws the fault where that cannot be.
 */
export async function copyDocument(studio: Studio, from: string, path: string): Promise<void> {
  const buffer = studio.documents.bufferOf(from);
  if (buffer === undefined) return;
  const files = studio.workspace.store.getState().files.map((file) => file.path);
  await studio.documents.create(path, copyText(buffer.state, from, path, files));
  if (buffer.encoding !== 'utf-8') await studio.documents.saveAs(path, buffer.encoding);
  studio.workspace.listSoon();
}
