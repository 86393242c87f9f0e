import { folderOf } from '#kernel/address';
import { Fault } from '#protocol/fault';
import { desktop } from '#renderer/connection.ts';
import { problemWords, say } from '#renderer/words.ts';
import { fileName, newPath } from './file-name.ts';
import { pathWithin, rootOf } from './opened-path.ts';
import { focusPage, type Studio } from './studio.ts';

const isDocumentName = (name: string) => /\.(?:md|markdown|mdown|mkd)$/iu.test(name);
const isPicture = ({ type }: File) => type.startsWith('image/');

/** The most documents that one drop adds; who drops more wants a folder. */
const most = 100;
/** The largest document that is added, in bytes. */
const largest = 50 * 1024 * 1024;

/** Something that was dropped, with where it is where that can be known. `isFolder`: as far as the browser says. */
interface Dropped {
  readonly file: File;
  readonly place: string;
  readonly isFolder: boolean;
}

/**
 * Hears what is dropped from the system. A document of this folder is opened, another one is added as a copy beside where it was dropped; a
 * folder is offered to be opened. Pictures over the text are the editor's; nothing that is dropped ever takes the place of the page.
 */
export function hearDrops(studio: Studio): () => void {
  const over = (event: DragEvent) => {
    if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
  };
  const drop = (event: DragEvent) => {
    const { dataTransfer, target } = event;
    if (!dataTransfer?.types.includes('Files')) return;
    const dropped = droppedIn(dataTransfer);
    const isEditors = dropped.length > 0 && dropped.every(({ file, isFolder }) => !isFolder && isPicture(file));
    if (isEditors && target instanceof Element && target.closest('.cm-content') !== null) return;
    event.preventDefault();
    event.stopPropagation();
    void take(studio, dropped, folderUnder(studio, target)).catch((error: unknown) => studio.view.notify(problemWords(error)));
  };
  addEventListener('dragover', over);
  addEventListener('drop', drop, true);
  return () => {
    removeEventListener('dragover', over);
    removeEventListener('drop', drop, true);
  };
}

function droppedIn({ files, items }: DataTransfer): readonly Dropped[] {
  const places = desktop()?.droppedPaths() ?? [];
  const kinds = [...items].filter(({ kind }) => kind === 'file').map((item) => item.webkitGetAsEntry()?.isDirectory === true);
  return [...files].map((file, at) => ({ file, place: places[at] ?? '', isFolder: kinds[at] ?? false }));
}

/** The folder of the row that is under the pointer; the top where there is none. */
function folderUnder({ workspace }: Studio, target: EventTarget | null): string {
  const path = target instanceof Element ? (target.closest('.node')?.getAttribute('data-key') ?? '') : '';
  return workspace.store.getState().files.some((file) => file.path === path) ? folderOf(path) : path;
}

async function take(studio: Studio, dropped: readonly Dropped[], folder: string): Promise<void> {
  const [first] = dropped.filter(({ isFolder }) => isFolder);
  if (first !== undefined) return offerFolder(studio, first);
  const documents = dropped.filter(({ file }) => isDocumentName(file.name));
  if (documents.length === 0) return studio.view.notify(say('dropped.no-document'));
  if (documents.length > most) return studio.view.notify(say('dropped.too-many', { count: documents.length, most }));
  const added: string[] = [];
  const failed: string[] = [];
  for (const document of documents) {
    try {
      const known = await knownAs(studio, document);
      const path = known ?? (await addCopy(studio, document.file, folder));
      if (known === null) added.push(path);
      await studio.documents.open(path);
    } catch (error) {
      failed.push(problemWords(error));
    }
  }
  const left = dropped.length - documents.length;
  const news = [
    ...(added.length === 1 ? [say('dropped.added', { path: added[0] })] : []),
    ...(added.length > 1 ? [say('dropped.added-several', { count: added.length })] : []),
    ...(left > 0 ? [say('dropped.left', { count: left })] : []),
    ...failed,
  ];
  if (news.length > 0) studio.view.notify(news.join(' '));
  focusPage(studio);
}

/** A folder can be opened where it is known which one it is. */
function offerFolder({ view }: Studio, { file, place }: Dropped): void {
  if (place === '' || desktop() === null) view.notify(say('dropped.folder', { name: file.name }));
  else view.ask({ kind: 'open-dropped', root: place });
}

/** Which document of this folder it is: by its place where that is known, else by its name and all its text. Null: none. */
async function knownAs(studio: Studio, { file, place }: Dropped): Promise<string | null> {
  const { files } = studio.workspace.store.getState();
  if (place !== '') {
    const path = pathWithin(await rootOf(studio), place);
    return files.some((known) => known.path === path) ? path : null;
  }
  const text = await textOf(file);
  for (const { path } of files.filter((known) => known.path.split('/').at(-1) === file.name)) {
    const opened = await studio.connection.call('document/open', { path }).catch(() => null);
    if (opened?.kind === 'text' && opened.text === text) return path;
  }
  return null;
}

/** Adds a document as it is, under its own name, made one that every system takes, or the next that is free; answers where. */
async function addCopy({ connection }: Studio, file: File, folder: string): Promise<string> {
  const text = await textOf(file);
  const [, stem = '', ending = '.md'] = /^(.*)(\.[^.]*)$/su.exec(file.name) ?? [];
  const own = newPath(file.name) === file.name ? stem : fileName(stem);
  for (let number = 1; ; number++) {
    const name = `${own}${number === 1 ? '' : ` ${number}`}${ending}`;
    const path = folder === '' ? name : `${folder}/${name}`;
    try {
      await connection.call('document/create', { path, text });
      return path;
    } catch (error) {
      if (!(error instanceof Fault && error.code === 'already-exists')) throw error;
    }
  }
}

/** The text of a file with its byte order mark; a fault where it is too large or not in UTF-8. */
async function textOf(file: File): Promise<string> {
  if (file.size > largest) throw new Fault('file-too-large', { path: file.name, bytes: file.size, limit: largest });
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await file.arrayBuffer());
  } catch {
    throw new Fault('not-text', { path: file.name });
  }
}
