import { BrowserWindow, type IpcMainEvent, type IpcMainInvokeEvent, ipcMain } from 'electron';
import { z } from 'zod';
import {
  channels,
  type ExportedFile,
  type FallbackAddress,
  type SavedExport,
  type ShellCommand,
  shellCommands,
  type WindowReport,
} from '#protocol/desktop';
import { isOwnPage, openLink } from './guard.ts';

const report = z.object({
  title: z.string().max(1000),
  edited: z.boolean(),
  can: z.array(z.enum(['nothing', 'document', 'file', 'closed-tab'])),
  locale: z.string().max(40),
  spelling: z.strictObject({ check: z.boolean(), language: z.string().max(35).nullable() }),
  keys: z.record(z.string().max(100), z.string().max(60)),
});

const exported = z.strictObject({
  kind: z.enum(['html', 'pdf', 'docx']),
  name: z
    .string()
    .min(1)
    .max(200)
    .regex(/^[^/\\:*?"<>|\p{Cc}]+$/u),
  content: z.string().max(256 * 1024 * 1024),
});

const placed = z.string().min(1).max(32_768);

/** What the pages may ask of this process; each is told the window that asks. */
export interface BridgeHandlers {
  command(id: ShellCommand, window: BrowserWindow): void;
  openPath(path: string): void;
  fallback(window: BrowserWindow): Promise<FallbackAddress>;
  report(state: WindowReport, window: BrowserWindow): void;
  saveExport(file: ExportedFile, window: BrowserWindow): Promise<SavedExport>;
}

/** Answers the preloads. What does not come from the main frame of our own page, or is not as agreed, is not heard. */
export function serveBridge(handlers: BridgeHandlers): void {
  ipcMain.on(channels.shellCommand, (event, id: unknown) => {
    const window = askingWindow(event);
    const known = shellCommands.find((command) => command === id);
    if (window !== null && known !== undefined) handlers.command(known, window);
  });
  ipcMain.on(channels.openPath, (event, path: unknown) => {
    const parsed = placed.safeParse(path);
    if (askingWindow(event) !== null && parsed.success) handlers.openPath(parsed.data);
  });
  ipcMain.on(channels.report, (event, state: unknown) => {
    const window = askingWindow(event);
    const parsed = report.safeParse(state);
    if (window !== null && parsed.success) handlers.report(parsed.data, window);
  });
  ipcMain.handle(channels.fallback, (event) => handlers.fallback(trusted(event)));
  ipcMain.handle(channels.saveExport, (event, file: unknown) => handlers.saveExport(exported.parse(file), trusted(event)));
  ipcMain.handle(channels.openLink, (event, url: unknown) => {
    trusted(event);
    return openLink(url);
  });
}

function askingWindow({ sender, senderFrame }: IpcMainEvent | IpcMainInvokeEvent): BrowserWindow | null {
  const isOwn = senderFrame !== null && senderFrame.parent === null && isOwnPage(senderFrame.url);
  return isOwn ? BrowserWindow.fromWebContents(sender) : null;
}

function trusted(event: IpcMainInvokeEvent): BrowserWindow {
  const window = askingWindow(event);
  if (window === null) throw new Error('Only the page of Stemma is answered here.');
  return window;
}
