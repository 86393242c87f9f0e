import { readFile } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import { appOrigin, pagePaths } from '#protocol/desktop';

/** What the page may load: itself and its own styles and pictures, and the loopback carrier; nothing of the net. */
export const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  // CodeMirror puts its styles into the page.
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self' ws://127.0.0.1:*",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const mediaTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

const pages: readonly string[] = Object.values(pagePaths);

/** Answers a request to `app://stemma/…` from the folder of the built page: only from there, and only GET. Unknown names answer 404. */
export async function servePage(root: string, request: { readonly method: string; readonly url: string }): Promise<Response> {
  const file = fileFor(root, request.url);
  if (file === null) return refusal(403);
  if (request.method !== 'GET') return refusal(405);
  try {
    const body = await readFile(file);
    return new Response(new Uint8Array(body), { headers: headersFor(file) });
  } catch {
    return refusal(404);
  }
}

/** The file that an address of the page names; null where it leads out of the folder, or to another host. */
export function fileFor(root: string, address: string): string | null {
  const url = URL.parse(address);
  if (url === null || url.protocol !== `${appOrigin.scheme}:` || url.host !== appOrigin.host) return null;
  const path = decoded(url.pathname);
  // A decoded `\` or NUL is a path of another kind than the one that was checked.
  if (path === null || /[\\\0]/u.test(path)) return null;
  const file = join(root, pages.includes(path) ? 'index.html' : path);
  return file.startsWith(root + sep) ? file : null;
}

function decoded(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}

function headersFor(file: string): Record<string, string> {
  return {
    'content-type': mediaTypes[extname(file)] ?? 'application/octet-stream',
    'content-security-policy': contentPolicy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  };
}

const refusal = (status: number) => new Response(null, { status, headers: { 'content-security-policy': contentPolicy } });
