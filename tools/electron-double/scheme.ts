import { app } from './app.ts';
import { strict } from './registry.ts';

type Handler = (request: Request) => Response | Promise<Response>;
const handlers = new Map<string, Handler>();
const privileged = new Map<string, Electron.Privileges>();
const suffix = '.electron-double.test';
let isRegistered = false;

/** How Chromium sees an address of one of the app's schemes: `app://stemma/x` is `https://stemma.app.electron-double.test/x`. */
export function outward(url: string): string {
  const { protocol, host, pathname, search, hash } = new URL(url);
  const scheme = protocol.slice(0, -1);
  if (!handlers.has(scheme)) return url;
  if (!privileged.get(scheme)?.standard) throw new Error(`electron-double: ${protocol} is not standard`);
  return `https://${host}.${scheme}${suffix}${pathname}${search}${hash}`;
}

/** The address as the app knows it. */
export function inward(url: string): string {
  const match = /^https:\/\/([^/]*)\.([a-z0-9.+-]+?)\.electron-double\.test(\/.*)?$/u.exec(url);
  return match ? `${match[2]}://${match[1]}${match[3] ?? '/'}` : url;
}

/** The handler of the scheme of an address. */
export const handlerFor = (url: string): Handler | undefined => handlers.get(new URL(url).protocol.slice(0, -1));

/** `protocol` (electron.d.ts, `class Protocol`): schemes with handlers of their own. */
export const protocol = strict('protocol', {
  registerSchemesAsPrivileged(list: Electron.CustomScheme[]) {
    if (app.isReady()) throw new Error('protocol.registerSchemesAsPrivileged should be called before app is ready');
    if (isRegistered) throw new Error('protocol.registerSchemesAsPrivileged can only be called once');
    isRegistered = true;
    for (const { scheme, privileges } of list) privileged.set(scheme, privileges ?? {});
  },
  handle(scheme: string, handler: Handler) {
    app.needReady('protocol.handle');
    if (handlers.has(scheme)) throw new Error(`Failed to register protocol: ${scheme}`);
    handlers.set(scheme, handler);
  },
  unhandle: (scheme: string) => void handlers.delete(scheme),
  isProtocolHandled: (scheme: string) => handlers.has(scheme),
});
