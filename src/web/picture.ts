import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import type { Asset } from '#web/asset';

/** Where the pictures of a workspace are asked for: `/file/PATH?folder=ROOT`. */
export const picturePrefix = '/file/';

/** The largest picture that is given out, in bytes. */
const limit = 64 * 1024 * 1024;

const pictureTypes: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.bmp': 'image/bmp',
  '.ico': 'image/x-icon',
  '.svg': 'image/svg+xml',
};

/** The policy that a picture is given out with: shown as a page of its own, an SVG does nothing and loads nothing. */
export const picturePolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/**
 * Reads a picture of a workspace for a page that shows a document: `pathname` begins with the prefix and is still encoded. Null where there
 * is none, where it is no picture by its name, and where it would lead out of the workspace or into hidden folders: by `..`, by an encoded
 * separator, or by a link.
 */
export async function readPicture(root: string, pathname: string): Promise<Asset | null> {
  const segments = segmentsOf(pathname);
  const type = segments === null ? undefined : pictureTypes[extname(segments.at(-1) ?? '').toLowerCase()];
  if (segments === null || type === undefined) return null;
  try {
    const top = await realpath(root);
    const file = await realpath(await placeOf(top, segments));
    const inside = file.slice(top.length + 1).split(sep);
    if (!file.startsWith(top + sep) || inside.some((part) => part.startsWith('.'))) return null;
    const found = await stat(file);
    if (!found.isFile() || found.size > limit || pictureTypes[extname(file).toLowerCase()] === undefined) return null;
    return { type, bytes: await readFile(file) };
  } catch {
    return null;
  }
}

/** Where a path leads; a name with accents that nothing has is that of the file whose accents are kept in another form. */
async function placeOf(top: string, segments: readonly string[]): Promise<string> {
  const plain = join(top, ...segments);
  if (/^[\0-\x7f]*$/u.test(segments.join('')) || (await isThere(plain))) return plain;
  let place = top;
  for (const segment of segments) {
    const composed = segment.normalize('NFC');
    const names = await readdir(place);
    place = join(place, names.includes(segment) ? segment : (names.find((name) => name.normalize('NFC') === composed) ?? segment));
  }
  return place;
}

const isThere = (place: string) =>
  stat(place).then(
    () => true,
    () => false,
  );

function segmentsOf(pathname: string): readonly string[] | null {
  try {
    const segments = pathname.slice(picturePrefix.length).split('/').map(decodeURIComponent);
    const isPlain = segments.every((segment) => segment !== '' && !segment.startsWith('.') && !/[\0/\\]/u.test(segment));
    return isPlain ? segments : null;
  } catch {
    return null;
  }
}
