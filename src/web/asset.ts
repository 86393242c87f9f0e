import { readFile, realpath, stat } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';

/** A file of the built page. */
export interface Asset {
  readonly type: string;
  readonly bytes: Buffer;
}

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
};

/** The addresses that show a page of their own; all are the one built page, which looks at where it is. */
const pageRoutes: ReadonlySet<string> = new Set(['/', '/breakdown']);

/**
 * Reads the file that a path of a request names, still encoded, from the folder of the built page. Null where there
 * is none, or where it would lead out of that folder: by `..`, by an encoded separator, or by a link.
 */
export async function readAsset(folder: string, pathname: string): Promise<Asset | null> {
  const name = pageRoutes.has(pathname) ? 'index.html' : decoded(pathname);
  const type = name === null ? undefined : contentTypes[extname(name).toLowerCase()];
  if (name === null || type === undefined) return null;
  try {
    const root = await realpath(folder);
    const file = await realpath(join(root, name));
    if (!file.startsWith(root + sep) || !(await stat(file)).isFile()) return null;
    return { type, bytes: await readFile(file) };
  } catch {
    return null;
  }
}

/** The segments of a path, each decoded once; null for what no file of ours is called. */
function decoded(pathname: string): string | null {
  try {
    const segments = pathname.split('/').slice(1).map(decodeURIComponent);
    const isPlain = segments.every((segment) => segment !== '' && !segment.startsWith('.') && !/[\0/\\:]/u.test(segment));
    return isPlain ? segments.join('/') : null;
  } catch {
    return null;
  }
}
