import { isAscii, isUtf8 } from 'node:buffer';
import { createHash, hash } from 'node:crypto';
import { extname } from 'node:path';
import { digest } from '#core/digest';
import { findFrontmatter } from '#kernel/frontmatter';
import { type Identity, maskIdentity, readIdentity } from '#kernel/identity';
import { type ContentHash, contentHash } from '#kernel/revision';
import { canonicalText } from '#kernel/text';

/** What a look at a file asks of it. */
export interface Sight {
  readonly binary: boolean;
  readonly identity: Identity | null;
  readonly contentHash: ContentHash;
}

/** A file as the ledger sees it. `text` is as on disk, BOM and line endings included, `masked` what is hashed and stored; both null when binary. */
export interface Document extends Sight {
  readonly text: string | null;
  readonly masked: string | null;
}

const binaryExtensions = new Set(
  [
    'png jpg jpeg jpe jfif gif webp avif bmp ico icns tif tiff heic heif jxl psd xcf raw dng',
    'mp3 m4a aac wav flac ogg oga opus wma aif aiff mid midi',
    'mp4 m4v mov avi mkv webm wmv mpg mpeg ogv flv 3gp',
    'pdf doc docx docm dot dotx xls xlsx xlsm xlsb ppt pptx pptm pps ppsx odt ods odp odg pages numbers epub mobi azw3',
    'zip gz tgz bz2 xz zst 7z rar tar jar dmg iso',
    'ttf ttc otf woff woff2 eot',
    'exe dll so dylib bin wasm class pyc sqlite sqlite3 db',
  ].flatMap((group) => group.split(' ').map((extension) => `.${extension}`)),
);

/** Whether a path names a document of ours: `.md`, `.markdown`, `.mdown` or `.mkd`, in any case. */
export function isDocumentPath(path: string): boolean {
  return ['.md', '.markdown', '.mdown', '.mkd'].includes(extname(path).toLowerCase());
}

/** Whether a path names a file that is no text, by its extension. */
export const isBinaryPath = (path: string) => binaryExtensions.has(extname(path).toLowerCase());

/** Node's own hex needs no second look, which thousands of files would feel. */
const named = (hex: string) => `sha256:${hex}` as ContentHash;

const hashOfBytes = (bytes: Uint8Array) => named(hash('sha256', bytes, 'hex'));

/** The hash of the masked text of a file that is canonical as it stands: what follows the frontmatter is hashed from its bytes, not encoded anew. */
function hashOfMasked(bytes: Uint8Array, text: string, masked: string): ContentHash {
  if (masked === text) return hashOfBytes(bytes);
  const rest = findFrontmatter(text)?.rest ?? 0;
  const head = masked.slice(0, masked.length - (text.length - rest));
  const body = bytes.subarray(digest.utf8Length(text.slice(0, rest)));
  return named(hashOfParts(head, body));
}

/** What was read of large buffers, for as long as somebody has them. */
const known = new WeakMap<Uint8Array, { readonly path: string; readonly document: Document }>();

/** Keeps what was read of a buffer that nobody changes any more. */
export function rememberDocument(bytes: Uint8Array, path: string, document: Document): void {
  known.set(bytes, { path, document });
}

/** What was kept of a buffer; null where nothing was. */
export function knownDocument(bytes: Uint8Array, path: string): Document | null {
  const before = known.get(bytes);
  return before?.path === path ? before.document : null;
}

/** Reads identity and content hash from a file's bytes; binary by its extension, or when they are not UTF-8 (format.md §3). */
export function readDocument(bytes: Uint8Array, path: string): Document {
  const before = knownDocument(bytes, path);
  if (before !== null) return before;
  if (isBinaryPath(path) || !isUtf8(bytes)) {
    return { binary: true, text: null, identity: null, contentHash: hashOfBytes(bytes), masked: null };
  }
  const text = bufferOf(bytes).toString(isAscii(bytes) ? 'latin1' : 'utf8');
  const canonical = canonicalText(text);
  const masked = maskIdentity(canonical);
  const hashed = canonical === text ? hashOfMasked(bytes, text, masked) : contentHash(digest, masked);
  return { binary: false, text, identity: readIdentity(canonical), contentHash: hashed, masked };
}

const bufferOf = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** What `readDocument` says of identity and hash. Of ASCII with LF, as most files are, only the frontmatter is made a text. */
export function sightDocument(bytes: Uint8Array, path: string): Sight {
  if (isBinaryPath(path) || !isAscii(bytes) || bytes.includes(0x0d)) return readDocument(bytes, path);
  const head = frontmatterOf(bufferOf(bytes));
  if (head === null) return readDocument(bytes, path);
  // Without the word there is no block of ours; a frontmatter that is blank is taken out all the same.
  const isPlain = !head.includes('vmark:') && head.slice(4, -4).trim() !== '';
  const masked = isPlain ? head : maskIdentity(head);
  const hashed = masked === head ? hash('sha256', bytes, 'hex') : hashOfParts(masked, bytes.subarray(head.length));
  return { binary: false, identity: isPlain ? null : readIdentity(head), contentHash: named(hashed) };
}

/** The text to the end of the closing fence, empty where no fence opens; null where none closes in a line of its own. */
function frontmatterOf(buffer: Buffer): string | null {
  if (buffer[0] !== 0x2d || buffer.subarray(0, 4).toString('latin1') !== '---\n') return '';
  const close = buffer.indexOf('\n---\n', 4, 'latin1');
  return close < 0 ? null : buffer.toString('latin1', 0, close + 5);
}

const hashOfParts = (head: string, body: Uint8Array) => createHash('sha256').update(head).update(body).digest('hex');
