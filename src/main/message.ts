import { type BrowserWindow, dialog } from 'electron';
import { wordsFor } from '#protocol';
import type { Fault, FaultCode, FaultDetail } from '#protocol/fault';
import { shellWords } from './words.ts';

/** Asks for a folder, to open or to put the sample in; null when the writer asks for none. */
export async function askFolder(
  owner: BrowserWindow | undefined,
  locale: string,
  purpose: 'openFolder' | 'sample' = 'openFolder',
): Promise<string | null> {
  const words = shellWords(locale);
  const options = {
    title: words(`${purpose}.title`),
    buttonLabel: words(`${purpose}.button`),
    properties: ['openDirectory' as const, 'createDirectory' as const],
  };
  const { canceled, filePaths } = await (owner === undefined ? dialog.showOpenDialog(options) : dialog.showOpenDialog(owner, options));
  return canceled ? null : (filePaths[0] ?? null);
}

/** Says why a folder cannot be opened. */
export async function sayNotOpened(folder: string, code: FaultCode, detail: FaultDetail, locale: string): Promise<void> {
  await sayProblem(shellWords(locale)('notOpened.message', { folder }), code, detail, locale);
}

/** Says why the sample cannot be put into a folder. */
export async function sayNotCopied(folder: string, { code, detail }: Fault, locale: string): Promise<void> {
  await sayProblem(shellWords(locale)('sample.failed', { folder }), code, detail, locale);
}

async function sayProblem(message: string, code: FaultCode, detail: FaultDetail, locale: string): Promise<void> {
  const buttons = [shellWords(locale)('notOpened.close')];
  await dialog.showMessageBox({ type: 'error', message, detail: wordsFor(locale)(`faults.${code}`, detail), buttons });
}

/** Asks a writer who never opened anything what to begin with; null: nothing. */
export async function askBeginning(locale: string): Promise<'folder' | 'sample' | null> {
  const words = shellWords(locale);
  const { response } = await dialog.showMessageBox({
    type: 'none',
    message: words('begin.message'),
    detail: words('begin.detail'),
    buttons: [words('begin.folder'), words('begin.sample'), words('begin.leave')],
    defaultId: 0,
    cancelId: 2,
  });
  return (['folder', 'sample'] as const)[response] ?? null;
}

/** Says that core keeps ending; answers whether it is to be started again. */
export async function askCoreAgain(owner: BrowserWindow, locale: string): Promise<boolean> {
  const words = shellWords(locale);
  const { response } = await dialog.showMessageBox(owner, {
    type: 'error',
    message: words('coreLost.message'),
    detail: words('coreLost.detail'),
    buttons: [words('coreLost.again'), words('coreLost.leave')],
    defaultId: 0,
    cancelId: 1,
  });
  return response === 0;
}
