import type { CDPSession } from 'playwright-core';
import { record, strict } from './registry.ts';
import { inward, protocol } from './scheme.ts';

type RequestHandler = Parameters<Electron.Session['setPermissionRequestHandler']>[0];
type CheckHandler = Parameters<Electron.Session['setPermissionCheckHandler']>[0];
type Permission = Parameters<NonNullable<RequestHandler>>[1];

let requestHandler: RequestHandler = null;
let checkHandler: CheckHandler = null;

/** Permissions of Electron that Chromium's protocol can set, by the name that it has there. */
const settable: Readonly<Partial<Record<Permission, string>>> = {
  geolocation: 'geolocation',
  notifications: 'notifications',
  midi: 'midi',
  'clipboard-read': 'clipboard-read',
  'clipboard-sanitized-write': 'clipboard-write',
  'idle-detection': 'idle-detection',
  'persistent-storage': 'persistent-storage',
  sensors: 'accelerometer',
  'window-management': 'window-management',
  'local-fonts': 'local-fonts',
};

/**
 * Asks the app's handlers about every permission and tells Chromium the answers for the page's origin, before the page is loaded. In
 * Electron they are asked when the page asks; and without handlers everything is granted, here too.
 */
export async function decidePermissions(contents: Electron.WebContents, cdp: CDPSession, url: string): Promise<void> {
  const origin = new URL(url).origin;
  for (const [permission, name] of Object.entries(settable)) {
    const isGranted = await isAllowed(contents, permission as Permission, inward(url));
    await cdp.send('Browser.setPermission', { permission: { name }, setting: isGranted ? 'granted' : 'denied', origin });
  }
  const media = (await isAllowed(contents, 'media', inward(url))) ? 'granted' : 'denied';
  for (const name of ['camera', 'microphone']) await cdp.send('Browser.setPermission', { permission: { name }, setting: media, origin });
}

/** "Most web APIs do a permission check and then make a permission request if the check is denied." */
async function isAllowed(contents: Electron.WebContents, permission: Permission, requestingUrl: string): Promise<boolean> {
  const details = { isMainFrame: true, requestingUrl };
  if (checkHandler?.(contents, permission, new URL(requestingUrl).origin, details)) return true;
  const handler = requestHandler;
  if (handler === null) return checkHandler === null;
  return new Promise((resolve) => handler(contents, permission, resolve, details));
}

/** The one session (electron.d.ts, `class Session`): permission handlers. */
export const defaultSession = strict('session', {
  protocol,
  setPermissionRequestHandler(handler: RequestHandler) {
    requestHandler = handler;
  },
  setPermissionCheckHandler(handler: CheckHandler) {
    checkHandler = handler;
  },
  /** Dictionaries that a fresh Electron offers, as far as tests need them. */
  availableSpellCheckerLanguages: ['de', 'en-AU', 'en-GB', 'en-US', 'es', 'es-MX', 'fr', 'it', 'pt-BR', 'pt-PT'],
  setSpellCheckerEnabled: (isOn: boolean) => record('session.setSpellCheckerEnabled', isOn),
  setSpellCheckerLanguages: (languages: string[]) => record('session.setSpellCheckerLanguages', languages),
  addWordToSpellCheckerDictionary: (word: string) => record('session.addWordToSpellCheckerDictionary', word),
});

/** `session` (electron.d.ts). */
export const session = strict('session', { defaultSession });
