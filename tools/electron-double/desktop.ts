import { EventEmitter } from 'node:events';
import { answered, record, strict } from './registry.ts';

const recorded =
  <T>(api: string, result: T) =>
  async (...args: unknown[]): Promise<T> => {
    record(api, ...args);
    return result;
  };

/** `dialog` (electron.d.ts): answers come from a queue that the test fills. */
export const dialog = strict('dialog', {
  showOpenDialog: answered<Electron.OpenDialogReturnValue>('dialog.showOpenDialog'),
  showSaveDialog: answered<Electron.SaveDialogReturnValue>('dialog.showSaveDialog'),
  showMessageBox: answered<Electron.MessageBoxReturnValue>('dialog.showMessageBox'),
});

/** `shell` (electron.d.ts): what would open outside is noted. */
export const shell = strict('shell', { openExternal: recorded('shell.openExternal', undefined) });

/** `nativeTheme` (electron.d.ts). */
export const nativeTheme = strict('nativeTheme', Object.assign(new EventEmitter(), { shouldUseDarkColors: false, themeSource: 'system' }));
