import { fileName } from '#renderer/ui/file-name.ts';
import type { Studio } from '#renderer/ui/studio.ts';
import { say } from '#renderer/words.ts';
import { type Delivered, deliver, printPage } from './delivery.ts';
import { fragmentOf, type MadePage, makePage, type Progress, type Purpose } from './exporting.ts';

/** What a document can be exported as. */
export const formats = ['html', 'pdf', 'docx'] as const;
/** One of them. */
export type Format = (typeof formats)[number];

const purposes: Readonly<Record<Format, Purpose>> = { html: 'screen', pdf: 'paper', docx: 'book' };

/** Exports documents as one; answers what became of it. Rejects with a sentence where it cannot be made. */
export async function exportAs(studio: Studio, paths: readonly string[], format: Format, progress: Progress): Promise<Delivered> {
  const page = await makePage(studio, paths, purposes[format], progress);
  const content = format === 'docx' ? await docxOf(studio, page) : page.html;
  progress.signal.throwIfAborted();
  return deliver({ kind: format, name: fileName(page.title), content });
}

async function docxOf({ connection }: Studio, { html }: MadePage): Promise<string> {
  const made = await connection.call('export/docx', { html });
  if (made.kind === 'made') return made.bytes;
  if (made.kind === 'none') throw new Error(say('export.no-pandoc'));
  throw new Error(say(`export.pandoc-${made.why}`, { said: made.said }));
}

/** Prints the document in front. */
export async function printFront(studio: Studio): Promise<void> {
  const path = studio.documents.tabs.getState().active;
  if (path === null) return;
  const { signal } = new AbortController();
  const { html } = await makePage(studio, [path], 'paper', { signal, reached: () => {} });
  await printPage(html);
}

/** Puts what is selected in the document in front, else all of it, on the clipboard as HTML: formatted where that is taken, its source elsewhere. */
export async function copyAsHtml(studio: Studio): Promise<void> {
  const path = studio.documents.tabs.getState().active;
  const buffer = path === null ? undefined : studio.documents.bufferOf(path);
  if (buffer === undefined) return;
  const html = await fragmentOf(studio, buffer, new AbortController().signal);
  const part = (type: string) => new Blob([html], { type });
  await navigator.clipboard.write([new ClipboardItem({ 'text/html': part('text/html'), 'text/plain': part('text/plain') })]);
  studio.view.notify(say('export.copied'));
}
