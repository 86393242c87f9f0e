import type { ExportedFile, SavedExport } from '#protocol/desktop';
import { desktop } from '#renderer/connection.ts';

const types: Readonly<Record<ExportedFile['kind'], string>> = {
  html: 'text/html;charset=utf-8',
  pdf: 'text/html;charset=utf-8',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
};

/** What became of a document that was handed over: written at a place, among the browser's downloads, or printed by the writer's own choice. */
export type Delivered = SavedExport | { readonly kind: 'downloaded' | 'printing' };

/** Hands a document over: the shell of the desktop asks where it goes, a browser puts it among the downloads, or prints it where it is to be a PDF. */
export async function deliver(file: ExportedFile): Promise<Delivered> {
  const bridge = desktop();
  if (bridge !== null) return bridge.saveExport(file);
  if (file.kind === 'pdf') {
    await printPage(file.content);
    return { kind: 'printing' };
  }
  download(file);
  return { kind: 'downloaded' };
}

function download({ kind, name, content }: ExportedFile): void {
  const part = kind === 'docx' ? Uint8Array.from(atob(content), (sign) => sign.charCodeAt(0)) : content;
  const address = URL.createObjectURL(new Blob([part], { type: types[kind] }));
  const link = document.createElement('a');
  Object.assign(link, { href: address, download: `${name}.${kind}` });
  link.click();
  // The browser reads it after the click.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** Prints a page that stands alone, by the system's own dialog; resolves when that is put away. Nothing of the window is on the paper. */
export function printPage(page: string): Promise<void> {
  const frame = document.createElement('iframe');
  frame.className = 'unseen';
  frame.tabIndex = -1;
  frame.setAttribute('aria-hidden', 'true');
  // Same origin, so that it can be printed from here; no scripts, whatever the page is.
  frame.setAttribute('sandbox', 'allow-same-origin allow-modals');
  return new Promise((resolve) => {
    frame.addEventListener('load', () => {
      const inside = frame.contentWindow;
      if (inside === null) return resolve();
      inside.addEventListener('afterprint', () => setTimeout(() => frame.remove()));
      inside.print();
      resolve();
    });
    frame.srcdoc = page;
    document.body.append(frame);
  });
}
