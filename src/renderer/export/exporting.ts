import type { Buffer } from '#renderer/editor/buffer.ts';
import { frontOf } from '#renderer/editor/front.ts';
import { drawingWordsOf, readingWordsOf } from '#renderer/reading/reading-words.ts';
import { pictureAddress, shownPicture } from '#renderer/ui/picture.ts';
import type { Studio } from '#renderer/ui/studio.ts';
import { locale, say } from '#renderer/words.ts';
import type { Chapter, Manuscript } from './manuscript.ts';
import type { ManuscriptAnswer, ManuscriptRequest } from './manuscript-worker.ts';

/** The fonts of the text on a page that stands alone, by the setting. */
const fonts: Readonly<Record<string, string>> = {
  serif: '"Iowan Old Style","Source Serif 4",Charter,Georgia,"DejaVu Serif",serif',
  sans: '-apple-system,"Segoe UI","Noto Sans","DejaVu Sans",sans-serif',
  mono: '"SF Mono","Cascadia Code","DejaVu Sans Mono",monospace',
};

/** How far the work is, and what stops it. */
export interface Progress {
  readonly reached: (chapter: number, of: number) => void;
  readonly signal: AbortSignal;
}

/** What a page is for: to be read on a screen, on paper (where nothing can be unfolded), or to become a book's text (with its footnotes as such). */
export type Purpose = 'screen' | 'paper' | 'book';

/** A document that is ready to be handed over, as a page that stands alone. */
export interface MadePage {
  readonly title: string;
  readonly html: string;
}

/** Makes one page of documents in their order, as they are in the window now, saved or not. Rejects where one cannot be read, with a sentence. */
export async function makePage(studio: Studio, paths: readonly string[], purpose: Purpose, progress: Progress): Promise<MadePage> {
  const chapters: Chapter[] = [];
  for (const path of paths) {
    progress.signal.throwIfAborted();
    chapters.push({ path, text: await textOf(studio, path) });
  }
  const { manuscript, body } = await drawn(studio, chapters, progress);
  const [{ standalone }, { withBookNotes }] = await Promise.all([import('./standalone.ts'), import('./notes.ts')]);
  if (purpose === 'paper') for (const folded of body.querySelectorAll('details')) folded.open = true;
  const preferences = studio.preferences.store.getState();
  const title = manuscript.title ?? baseName(paths[0] ?? '');
  const html = standalone({
    title,
    language: manuscript.language ?? locale.getState().locale,
    font: fonts[preferences['editor.font']] ?? fonts.serif!,
    measure: `${preferences['editor.measure']}ch`,
    body: (purpose === 'book' ? withBookNotes(body) : body).outerHTML,
  });
  return { title, html };
}

async function drawn(studio: Studio, chapters: readonly Chapter[], progress: Progress) {
  const root = studio.workspace.store.getState().info?.root ?? '';
  const manuscript = await readManuscript({ chapters, words: readingWordsOf(say) }, progress.signal);
  const { drawBody } = await import('./body.ts');
  const body = await drawBody(manuscript, {
    // What is not there is not spoken of to others; its own words stand in its place.
    words: { ...drawingWordsOf(say), noPicture: '' },
    pictureAddress: (path) => pictureAddress(root, path),
    shownPicture,
    ...progress,
  });
  return { manuscript, body };
}

/** What is selected in a document, else all of it, as HTML without a page around it. */
export async function fragmentOf(studio: Studio, { path, state }: Buffer, signal: AbortSignal): Promise<string> {
  const { from, to, empty } = state.selection.main;
  const text = empty ? state.doc.toString() : state.doc.sliceString(Math.max(from, frontOf(state.doc)?.all.to ?? 0), to);
  const { body } = await drawn(studio, [{ path, text }], { signal, reached: () => {} });
  return body.innerHTML.trim();
}

async function textOf({ documents, connection }: Studio, path: string): Promise<string> {
  const buffer = documents.bufferOf(path);
  if (buffer !== undefined) return buffer.state.doc.toString();
  const opened = await connection.call('document/open', { path });
  if (opened.kind === 'text') return opened.text.replace(/^\uFEFF/u, '');
  throw new Error(say('export.not-text', { path }));
}

/** Reads chapters in a worker, so that the window goes on; ends it when the work is called off. */
function readManuscript(request: ManuscriptRequest, signal: AbortSignal): Promise<Manuscript> {
  const worker = new Worker(new URL('./manuscript-worker.ts', import.meta.url), { type: 'module' });
  const reading = new Promise<Manuscript>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    worker.addEventListener('error', () => reject(new Error(say('reading.failed'))));
    worker.addEventListener('message', ({ data }: MessageEvent<ManuscriptAnswer>) => {
      if ('manuscript' in data) resolve(data.manuscript);
      else reject(new Error(data.problem));
    });
    worker.postMessage(request);
  });
  return reading.finally(() => worker.terminate());
}

/** What a document is called without its folders and its kind. */
export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1).replace(/\.(?:md|markdown|mdown|mkd)$/iu, '');
