import { isAscii, isUtf8 } from 'node:buffer';
import iconv from 'iconv-lite';
import { isBinaryPath } from '#core/document';
import { findFrontmatter } from '#kernel/frontmatter';
import { Fault } from '#protocol';
import { type Encoding, type EncodingSample, encodings } from '#protocol/encoding';

/** A file's bytes as a text. `readOnly`: written in this encoding it would not be the same bytes again. */
export interface DecodedText {
  readonly text: string;
  readonly encoding: Encoding;
  readonly readOnly?: 'not-utf-8' | 'inexact';
}

/** The encoding that a reader has in mind. `isChosen`: a person wants this one; else a file that turned out to be UTF-8 is read as that. */
export interface WantedEncoding {
  readonly encoding?: Encoding | undefined;
  readonly chosen?: boolean | undefined;
}

/** How many bytes are looked at to tell whether a file is no text at all. */
const lookedAt = 8000;

/** Reads a file's bytes as text, byte order mark included; null where they are none in any encoding. Nobody guesses: what is not UTF-8, and not marked as UTF-16, is a person's to say. */
export function decodeText(path: string, bytes: Buffer, { encoding = 'utf-8', chosen = false }: WantedEncoding): DecodedText | null {
  const isUnicode = isUtf8(bytes);
  if (encoding !== 'utf-8' && (chosen || !isUnicode || isAscii(bytes))) return decodedAs(bytes, encoding);
  if (isUnicode) return { text: bytes.toString('utf8'), encoding: 'utf-8' };
  const marked = chosen ? null : markOf(bytes);
  if (marked !== null) return decodedAs(bytes, marked);
  if (isBinaryPath(path) || bytes.subarray(0, lookedAt).includes(0)) return null;
  return { text: bytes.toString('utf8'), encoding: 'utf-8', readOnly: 'not-utf-8' };
}

function markOf(bytes: Buffer): Encoding | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : null;
}

function decodedAs(bytes: Buffer, encoding: Encoding): DecodedText {
  const text = iconv.decode(bytes, encoding, { stripBOM: false });
  return { text, encoding, ...(iconv.encode(text, encoding).equals(bytes) ? {} : { readOnly: 'inexact' as const }) };
}

/** The bytes of a text. Refused where a character cannot be written in that encoding: nothing is put in its place. */
export function encodeText(path: string, text: string, encoding: Encoding = 'utf-8'): Buffer {
  if (encoding === 'utf-8') return Buffer.from(text, 'utf8');
  const bytes = iconv.encode(text, encoding);
  if (iconv.decode(bytes, encoding, { stripBOM: false }) === text) return bytes;
  const fits = (character: string) => iconv.decode(iconv.encode(character, encoding), encoding, { stripBOM: false }) === character;
  const character = [...text].find((one) => !fits(one)) ?? '';
  throw new Fault('encoding-unfit', { path, encoding, character });
}

/** The byte behind the frontmatter; the first one where nothing else is there. */
function bodyStart(bytes: Buffer): number {
  const rest = findFrontmatter(bytes.toString('latin1', 0, 64 * 1024))?.rest ?? 0;
  return rest < bytes.length ? rest : 0;
}

/** How many bytes of a file are shown as an example. */
const sampled = 60;

/** How a file reads in each encoding, around the first byte that is no ASCII, else from where its text begins. */
export function samplesOf(bytes: Buffer): EncodingSample[] {
  const body = bodyStart(bytes);
  const odd = bytes.findIndex((byte) => byte > 0x7f);
  const at = odd < 0 ? body : Math.max(odd < body ? 0 : body, odd - sampled / 2);
  const from = at - (at % 2);
  const piece = bytes.subarray(from, from + sampled);
  return encodings.map((encoding) => {
    const isExact = encoding === 'utf-8' ? isUtf8(bytes) : decodedAs(bytes, encoding).readOnly === undefined;
    const text = encoding === 'utf-8' ? piece.toString('utf8') : iconv.decode(piece, encoding);
    return { encoding, text: text.replace(/\s+/gu, ' ').trim(), isExact };
  });
}
