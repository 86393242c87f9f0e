import { type BrowserWindow, ipcMain } from 'electron';
import { channels, closePatience } from '#protocol/desktop';

/** By the id of the page: what its answer does. */
const closingNow = new Map<number, () => void>();

/**
 * Lets the page finish what is pending before its window closes: the first `close` asks the page; its answer, its death, or the end of
 * patience closes for good.
 */
export function closeAfterPage(window: BrowserWindow): void {
  const { webContents } = window;
  const page = webContents.id;
  let mayClose = false;
  const close = () => {
    mayClose = true;
    if (!window.isDestroyed()) window.close();
  };
  const ask = () => {
    // A page that hangs would hold up a second `close` as well.
    const patience = setTimeout(() => window.destroy(), closePatience);
    closingNow.set(page, () => {
      clearTimeout(patience);
      close();
    });
    webContents.send(channels.closing);
  };
  window.on('close', (event) => {
    if (mayClose || webContents.isCrashed()) return;
    event.preventDefault();
    if (!closingNow.has(page)) ask();
  });
  webContents.on('render-process-gone', () => closingNow.get(page)?.());
  window.once('closed', () => closingNow.delete(page));
}

/** Whether a window was closed and waits for its page. */
export const isClosing = (window: BrowserWindow): boolean => closingNow.has(window.webContents.id);

/** Hears the pages that are ready to close. To be called once. */
export function hearClosed(): void {
  ipcMain.on(channels.closed, ({ sender }) => closingNow.get(sender.id)?.());
}
