import { fillTemplate, templatesIn } from '#renderer/editor/template.ts';
import { locale } from '#renderer/words.ts';
import { beginUntitled } from './naming.ts';
import { focusPage, type Studio } from './studio.ts';

/** The templates of the workspace, in the folder that the setting names. */
export function templatesOf({ workspace, preferences }: Studio): readonly string[] {
  const documents = workspace.store.getState().files.flatMap(({ path, document }) => (document ? [path] : []));
  return templatesIn(documents, preferences.store.getState()['files.templates']);
}

/** Makes a document and shows it: of a template, or empty (null). Throws the fault where there is one of that name. */
export async function makeDocument(studio: Studio, path: string, template: string | null): Promise<void> {
  const { documents, workspace, connection } = studio;
  const text = template === null ? '' : filledFor(path, await textOf(studio, template));
  await connection.call('document/create', { path, text });
  await documents.open(path);
  workspace.listSoon();
  focusPage(studio);
}

/** Shows a document without a file, of a template; it is named when it is saved. */
export async function beginOfTemplate(studio: Studio, template: string): Promise<void> {
  beginUntitled(studio, filledFor('', await textOf(studio, template)));
}

async function textOf({ documents, connection }: Studio, path: string): Promise<string> {
  const buffer = documents.bufferOf(path);
  if (buffer !== undefined) return buffer.state.doc.toString();
  const opened = await connection.call('document/open', { path });
  return opened.kind === 'text' ? opened.text : '';
}

function filledFor(path: string, template: string): string {
  const language = locale.getState().locale;
  const now = new Date();
  return fillTemplate(template, {
    title: path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]+$/u, ''),
    // A date that sorts is the same everywhere.
    date: `${now.getFullYear()}-${String(now.getMonth() + 1).padStart(2, '0')}-${String(now.getDate()).padStart(2, '0')}`,
    time: new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(now),
  });
}
