import { type BrowserWindow, dialog } from 'electron';
import { wordsFor } from '#protocol';
import type { FaultCode, FaultDetail } from '#protocol/fault';
import { shellWords } from './words.ts';

/** Asks for a folder; null when the writer asks for none. */
export async function askFolder(owner: BrowserWindow | undefined, locale: string): Promise<string | null> {
  const words = shellWords(locale);
  const options = {
    title: words('openFolder.title'),
    buttonLabel: words('openFolder.button'),
    properties: ['openDirectory' as const, 'createDirectory' as const],
  };
  const { canceled, filePaths } = await (owner === undefined ? dialog.showOpenDialog(options) : dialog.showOpenDialog(owner, options));
  return canceled ? null : (filePaths[0] ?? null);
}

/** Says why a folder cannot be opened. */
export async function sayNotOpened(folder: string, code: FaultCode, detail: FaultDetail, locale: string): Promise<void> {
  const words = shellWords(locale);
  await dialog.showMessageBox({
    type: 'error',
    message: words('notOpened.message', { folder }),
    detail: wordsFor(locale)(`faults.${code}`, detail),
    buttons: [words('notOpened.close')],
  });
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
