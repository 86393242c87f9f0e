import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { app, BrowserWindow, dialog } from 'electron';
import { wordsFor } from '#protocol';
import { appOrigin, type ExportedFile, type SavedExport } from '#protocol/desktop';
import { faultFromSystem } from '#protocol/fault';
import { shellWords } from './words.ts';

/** Where pages that are being printed lie: `app://stemma/printed/ID`. */
const printedPrefix = '/printed/';
const printed = new Map<string, string>();

/** What a page that is printed may do: show itself. */
const printedPolicy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox";

/** The page that is being printed at an address, or null where it is no such address. */
export function servePrinted(address: string): Response | null {
  const { pathname } = new URL(address);
  if (!pathname.startsWith(printedPrefix)) return null;
  const page = printed.get(pathname.slice(printedPrefix.length));
  const headers = {
    'content-security-policy': printedPolicy,
    'content-type': 'text/html; charset=utf-8',
    'x-content-type-options': 'nosniff',
  };
  return page === undefined ? new Response(null, { status: 404, headers }) : new Response(page, { headers });
}

/** Asks where a document is to go and writes it there: whole, or not at all and why. */
export async function saveExport(file: ExportedFile, owner: BrowserWindow, locale: string): Promise<SavedExport> {
  const name = extname(file.name).toLowerCase() === `.${file.kind}` ? file.name : `${file.name}.${file.kind}`;
  const words = shellWords(locale);
  const { canceled, filePath } = await dialog.showSaveDialog(owner, {
    title: words('export.title'),
    buttonLabel: words('export.button'),
    defaultPath: join(app.getPath('documents'), name),
    filters: [{ name: words(`export.${file.kind}`), extensions: [file.kind] }],
  });
  if (canceled || !filePath) return { kind: 'cancelled' };
  try {
    await writeWhole(filePath, await bytesOf(file));
    return { kind: 'saved', path: filePath };
  } catch (error) {
    const { code, detail } = faultFromSystem(error, filePath);
    return { kind: 'failed', problem: wordsFor(locale)(`faults.${code}`, detail) };
  }
}

async function bytesOf({ kind, content }: ExportedFile): Promise<Uint8Array> {
  if (kind === 'html') return Buffer.from(content, 'utf8');
  return kind === 'docx' ? Buffer.from(content, 'base64') : printPage(content);
}

/** Prints a page in a window that nobody sees, where no script runs. */
async function printPage(page: string): Promise<Uint8Array> {
  const id = randomUUID();
  printed.set(id, page);
  const window = new BrowserWindow({
    show: false,
    webPreferences: { sandbox: true, contextIsolation: true, nodeIntegration: false, javascript: false },
  });
  try {
    await window.loadURL(`${appOrigin.scheme}://${appOrigin.host}${printedPrefix}${id}`);
    return await window.webContents.printToPDF({
      printBackground: true,
      preferCSSPageSize: true,
      generateDocumentOutline: true,
      generateTaggedPDF: true,
    });
  } finally {
    printed.delete(id);
    window.destroy();
  }
}

async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  const beside = `${path}.${randomUUID().slice(0, 8)}.new`;
  try {
    const file = await open(beside, 'wx');
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}
