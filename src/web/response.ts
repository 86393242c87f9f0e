import type { IncomingMessage, ServerResponse } from 'node:http';
import { localeFrom, wordsFor } from '#protocol';
import { type Asset, readAsset } from '#web/asset';
import type { Gate } from '#web/gate';
import { picturePolicy, picturePrefix, readPicture } from '#web/picture';

/** What a page of this server may do: load its own parts, and talk to its own server. `style-src` is for what CodeMirror puts in. */
export const policyFor = (origin: string): string =>
  [
    `default-src 'none'`,
    `script-src 'self'`,
    `style-src 'self' 'unsafe-inline'`,
    `img-src 'self' data: blob:`,
    `font-src 'self'`,
    `worker-src 'self'`,
    `connect-src 'self' ${origin.replace(/^http/u, 'ws')}`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
  ].join('; ');

/** The headers of every answer of a server. */
export const headersFor = (origin: string) => ({
  'content-security-policy': policyFor(origin),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
});

/** What a request is answered from: the built page, and the workspaces whose pictures may be seen. */
export interface Sources {
  readonly rendererFolder: string;
  /** The root of an open workspace by what the page calls it, null: the first one; null where none is open under that name. */
  rootOf(folder: string | null): string | null;
}

/**
 * Answers one request: the built page and the pictures of open workspaces to a browser that has been let in, the exchange of the token, and
 * to all others nothing.
 */
export async function respond(request: IncomingMessage, response: ServerResponse, gate: Gate, sources: Sources): Promise<void> {
  const { headers, method, url: target = '/' } = request;
  for (const [name, value] of Object.entries(headersFor(gate.origin))) response.setHeader(name, value);
  if (!gate.isOurs(headers)) return refuse(response, 403, 'foreign');
  if (method !== 'GET' && method !== 'HEAD') return refuse(response, 405, 'method');
  const [pathname, query] = partsOf(target);
  const token = new URLSearchParams(query).get('token');
  const wish = new URLSearchParams(query).get('open');
  if (token !== null) return enter(response, gate, token, gate.isKnown(headers), wish);
  if (!gate.isKnown(headers)) return refuse(response, 401, 'unknown', isFromElsewhere(headers) ? pathname : null);
  const isPicture = pathname.startsWith(picturePrefix);
  if (isPicture) response.setHeader('content-security-policy', picturePolicy);
  const asset = isPicture ? await pictureIn(sources, pathname, query) : await readAsset(sources.rendererFolder, pathname);
  if (asset === null) return refuse(response, 404, 'missing');
  if (isNamedByContent(pathname)) response.setHeader('cache-control', 'private, max-age=31536000, immutable');
  response.writeHead(200, { 'content-type': asset.type, 'content-length': asset.bytes.length });
  response.end(method === 'HEAD' ? undefined : asset.bytes);
}

/** Built parts have names of their content: a browser that keeps them, and what it compiled of them, is never wrong. */
const isNamedByContent = (pathname: string) => /^\/assets\/[\w.-]+-[\w-]{8}\.\w+$/u.test(pathname);

async function pictureIn({ rootOf }: Sources, pathname: string, query: string): Promise<Asset | null> {
  const root = rootOf(new URLSearchParams(query).get('folder'));
  return root === null ? null : readPicture(root, pathname);
}

/** The path as it was sent: nothing is resolved before it has been looked at. */
function partsOf(target: string): [pathname: string, query: string] {
  const at = target.indexOf('?');
  return at < 0 ? [target, ''] : [target.slice(0, at), target.slice(at + 1)];
}

/** A browser that is in already needs no token, and none is kept in its history. The document that it was sent for comes to the front. */
function enter(response: ServerResponse, gate: Gate, token: string, isKnown: boolean, wish: string | null): void {
  const cookie = isKnown ? undefined : gate.exchange(token);
  if (cookie === null) refuse(response, 401, 'used');
  else
    response
      .writeHead(303, {
        location: wish === null ? '/' : `/?open=${encodeURIComponent(wish)}`,
        ...(cookie === undefined ? {} : { 'set-cookie': cookie }),
      })
      .end();
}

/** Followed from a page of another site, a browser keeps a strict cookie back; once the page loads itself it comes. */
function isFromElsewhere(headers: IncomingMessage['headers']): boolean {
  return headers['sec-fetch-site'] === 'cross-site' && headers['sec-fetch-mode'] === 'navigate';
}

function refuse(response: ServerResponse, status: number, why: string, reload: string | null = null): void {
  const words = wordsFor(localeFrom(process.env));
  const again = reload === '/' || reload === '/breakdown' ? `<meta http-equiv="refresh" content="0; url=${reload}">` : '';
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...(status === 405 ? { allow: 'GET, HEAD' } : {}) });
  response.end(`<!doctype html><meta charset="utf-8">${again}<title>Stemma</title><p>${words(`web.${why}`)}</p>\n`);
}
