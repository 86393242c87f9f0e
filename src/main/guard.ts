import { type App, type Session, shell, type WebContents } from 'electron';
import { appOrigin } from '#protocol/desktop';

const ownPrefix = `${appOrigin.scheme}://${appOrigin.host}/`;

/** Whether an address is one of our own page. */
export const isOwnPage = (url: string): boolean => url.startsWith(ownPrefix);

/** Keeps every page where it was put: it goes nowhere, opens nothing and embeds nothing. */
export function guardPages(app: App): void {
  app.on('web-contents-created', (_event, contents) => guardPage(contents));
}

function guardPage(contents: WebContents): void {
  contents.on('will-navigate', (event) => event.preventDefault());
  contents.on('will-redirect', (event) => event.preventDefault());
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
}

/** What our page may have of the system: text put on the clipboard, and the loopback carrier (`connect-src` allows nothing else there). */
const granted: readonly string[] = ['clipboard-sanitized-write', 'loopback-network', 'local-network-access'];

/** Answers every wish for a permission. Without a handler Electron would grant them all. */
export function guardPermissions(session: Session): void {
  const isGranted = (permission: string, url: string) => granted.includes(permission) && isOwnPage(url);
  session.setPermissionRequestHandler((contents, permission, answer) => answer(isGranted(permission, contents.getURL())));
  session.setPermissionCheckHandler((contents, permission) => isGranted(permission, contents?.getURL() ?? ''));
}

/** Opens a web or mail address outside; answers false, and opens nothing, for any other. */
export async function openLink(address: unknown): Promise<boolean> {
  const url = typeof address === 'string' ? URL.parse(address) : null;
  if (url === null || !['http:', 'https:', 'mailto:'].includes(url.protocol)) return false;
  await shell.openExternal(url.href);
  return true;
}
