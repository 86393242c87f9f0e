import type { Digest } from '#kernel/digest';
import { type ContentHash, parseContentHash, parseRevisionId, type RevisionId } from '#kernel/revision';
import { parseUuid, type Uuid } from '#kernel/uuid';

/** A parsed JSON object whose fields have not been looked at. */
export type Json = Readonly<Record<string, unknown>>;

/** All that the byte caps need of a digest. */
export type Sizes = Pick<Digest, 'utf8Length'>;

/** One input of one transformation, named by the entry's id and the place among its inputs (an unsigned 32-bit number). */
export interface EdgeRef {
  readonly txf: Uuid;
  readonly input: number;
}

/** Who resolved, judged or granted: a person, or an agent under a grant. */
export interface Actor {
  readonly type: 'human' | 'agent';
  readonly id: string;
}

/** One revision of one object. */
export interface ObjectRevision {
  readonly object: Uuid;
  readonly revision: RevisionId;
}

/** Whether a value is a JSON object; a list or null is none. */
export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The UUID that a field holds in any usual spelling, or null. */
export function uuidOf(value: unknown): Uuid | null {
  return typeof value === 'string' ? parseUuid(value) : null;
}

/** The revision id that a field holds, or null. */
export function revisionOf(value: unknown): RevisionId | null {
  return typeof value === 'string' ? parseRevisionId(value) : null;
}

/** The content hash that a field holds, or null. */
export function hashOf(value: unknown): ContentHash | null {
  return typeof value === 'string' ? parseContentHash(value) : null;
}

/** The text that a field holds, or null. */
export function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** An optional text: null when absent or null, undefined when it is something else and the body is refused. */
export function optionalText(value: unknown): string | null | undefined {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : undefined;
}

/** An id that should be a UUID but need not be one to be read: in one spelling when it is, else as it stands. */
export function looseId(text: string): string {
  return parseUuid(text) ?? text;
}

/** The edge that a field holds, or null; a missing or too large input number is none. */
export function edgeOf(value: unknown): EdgeRef | null {
  if (!isJson(value)) return null;
  const txf = uuidOf(value.txf);
  const input = unsigned32(value.input);
  return txf === null || input === null ? null : { txf, input };
}

/** The actor that a field holds, or null; other types than the two are none. */
export function actorOf(value: unknown): Actor | null {
  if (!isJson(value)) return null;
  const { type, id } = value;
  return (type === 'human' || type === 'agent') && typeof id === 'string' ? { type, id } : null;
}

/** The revision of an object that a field holds, or null. */
export function objectRevisionOf(value: unknown): ObjectRevision | null {
  if (!isJson(value)) return null;
  const object = uuidOf(value.object);
  const revision = revisionOf(value.revision);
  return object === null || revision === null ? null : { object, revision };
}

/** Every item of a list as `read` takes it; null when it is no list or one item is refused. */
export function listOf<T>(value: unknown, read: (item: unknown) => T | null): T[] | null {
  if (!Array.isArray(value)) return null;
  const items: T[] = [];
  for (const element of value) {
    const item = read(element);
    if (item === null) return null;
    items.push(item);
  }
  return items;
}

/** The items of a list that `read` takes; the others, and what is no list, are left out. */
export function looseListOf<T>(value: unknown, read: (item: unknown) => T | null): T[] {
  if (!Array.isArray(value)) return [];
  return value.map(read).filter((item) => item !== null);
}

/** A whole number from 0 to 4,294,967,295, or null. */
export function unsigned32(value: unknown): number | null {
  if (typeof value !== 'number') return null;
  // The shift also turns -0 into 0, which would otherwise be a second spelling.
  const number = value >>> 0;
  return number === value ? number : null;
}

/** Whether a text takes at most `cap` bytes in UTF-8. */
export function fits(text: string, cap: number, sizes: Sizes): boolean {
  // A UTF-16 unit takes one to three bytes, so that most texts need no measuring.
  if (text.length * 3 <= cap) return true;
  return text.length <= cap && sizes.utf8Length(text) <= cap;
}
