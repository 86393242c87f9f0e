import { type Bodies, isKnownKind, type KnownKind, readBody, writeBody } from '#kernel/body';
import { isJson, type Json, type Sizes, unsigned32, uuidOf } from '#kernel/body-field';
import { parseInstant } from '#kernel/instant';
import type { Uuid } from '#kernel/uuid';

declare const unknown: unique symbol;

/**
 * A kind that the kernel keeps and ignores: VMark's newer ones, and our additive ones. It is a string (`String(kind)`),
 * made only by `parseUnknownKind`; no literal compares to it, so that `switch (entry.kind)` narrows the known ones.
 */
export interface UnknownKind {
  readonly [unknown]: 'UnknownKind';
  toString(): string;
}

/** What every entry says around its body. `time` stands as it was read, `instant` is the same in milliseconds. */
export interface Envelope<K, B> {
  readonly format: 0;
  readonly id: Uuid;
  readonly kind: K;
  readonly time: string;
  readonly instant: number;
  readonly writer: Uuid;
  readonly idem: Uuid;
  readonly body: B;
  /** The body as the line holds it, with the fields that are not known. */
  readonly raw: unknown;
}

/** An entry of a kind that the kernel does not read; its body is anything at all. */
export type UnknownEntry = Envelope<UnknownKind, unknown>;

/** One entry of the ledger. */
export type Entry = { [K in KnownKind]: Envelope<K, Bodies[K]> }[KnownKind] | UnknownEntry;

type Unwritten<K, B> = Omit<Envelope<K, B>, 'format' | 'instant' | 'raw'>;

/** What a line needs to be written; its `time` must be RFC 3339, as `formatInstant` gives it. An entry is one too. */
export type Draft = { [K in KnownKind]: Unwritten<K, Bodies[K]> }[KnownKind] | Unwritten<UnknownKind, unknown>;

/** What one line of a segment is. A malformed one goes to quarantine, a future one is counted and stops all writing. */
export type LineOutcome =
  | { readonly kind: 'entry'; readonly entry: Entry }
  | { readonly kind: 'blank' }
  | { readonly kind: 'future'; readonly format: number }
  | { readonly kind: 'malformed'; readonly reason: string };

/** How many objects and lists may stand within each other; a line with more is malformed, as for VMark's reader. */
export const nestingCap = 127;

/** A kind that has no validator here, or null when it has one. */
export function parseUnknownKind(kind: string): UnknownKind | null {
  return isKnownKind(kind) ? null : (kind as unknown as UnknownKind);
}

const marked = '\uFEFF{';

/**
 * Reads one line without its newline, already decoded from UTF-8. A carriage return at its end is harmless, and so is
 * the byte order mark that some editors put before a file's first line, wherever a merge has carried that line.
 */
export function parseLine(text: string, digest: Sizes): LineOutcome {
  const line = text.startsWith(marked) ? text.slice(1) : text;
  if (line === '' || line === '\r') return { kind: 'blank' };
  const record = parseRecord(line);
  if (typeof record === 'string') return malformed(record);
  const id = uuidOf(record.id);
  const writer = uuidOf(record.writer);
  const idem = uuidOf(record.idem);
  const format = unsigned32(record.format);
  const { kind, time, body: raw } = record;
  if (format === null) return malformed('the format is no number');
  if (id === null || writer === null || idem === null) return malformed('the id, writer or idem is not a UUID');
  if (typeof kind !== 'string' || typeof time !== 'string') return malformed('the kind or time is not text');
  if (raw === undefined) return malformed('there is no body');
  if (format > 0) return { kind: 'future', format };
  const instant = parseInstant(time);
  if (instant === null) return malformed('the time is not RFC 3339');
  const around = { format: 0, id, kind, time, instant, writer, idem } as const;
  if (!isKnownKind(kind)) return { kind: 'entry', entry: { ...around, body: raw, raw } as unknown as UnknownEntry };
  const body = readBody(kind, raw, digest);
  return typeof body === 'string' ? malformed(`${kind}: ${body}`) : { kind: 'entry', entry: { ...around, body, raw } as Entry };
}

/** One ledger line with its newline, keys in canonical order; the body of an unknown kind as it stands. */
export function entryLine(entry: Draft): string {
  const { id, kind, time, writer, idem } = entry;
  return `${JSON.stringify({ format: 0, id, kind, time, writer, idem, body: bodyOf(entry) })}\n`;
}

/**
 * Reader order: by instant, then by id. What two different lines with one id say is ordered too, by idem and text,
 * so that the order of lines in files never means anything.
 */
export function compareEntries(a: Entry, b: Entry): number {
  if (a.instant !== b.instant) return a.instant - b.instant;
  if (a.id !== b.id) return a.id < b.id ? -1 : 1;
  if (a.idem !== b.idem) return a.idem < b.idem ? -1 : 1;
  const [left, right] = [textOf(a), textOf(b)];
  return left === right ? 0 : left < right ? -1 : 1;
}

/** Of every idem the entry that comes first in reader order; the kept ones stay in the order given. */
export function dedupe(entries: readonly Entry[]): Entry[] {
  const first = new Map<Uuid, Entry>();
  for (const entry of entries) {
    const other = first.get(entry.idem);
    if (other === undefined || compareEntries(entry, other) < 0) first.set(entry.idem, entry);
  }
  return entries.filter((entry) => first.get(entry.idem) === entry);
}

function parseRecord(line: string): Json | string {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return 'not JSON';
  }
  if (!isJson(value)) return 'not a JSON object';
  // Most lines cannot be nested too deep, because they do not open so many objects and lists at all.
  if (opens(line, '{') + opens(line, '[') > nestingCap && isDeeper(value, nestingCap)) return 'nested too deep';
  return value;
}

function opens(line: string, bracket: '{' | '['): number {
  let count = 0;
  for (let at = line.indexOf(bracket); at >= 0 && count <= nestingCap; at = line.indexOf(bracket, at + 1)) count++;
  return count;
}

function isDeeper(value: unknown, cap: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return cap === 0 || Object.values(value).some((part) => isDeeper(part, cap - 1));
}

function bodyOf(entry: Draft): unknown {
  const kind = String(entry.kind);
  return isKnownKind(kind) ? writeBody(kind, entry.body as Bodies[typeof kind]) : entry.body;
}

function textOf(entry: Entry): string {
  return JSON.stringify([entry.kind, entry.time, entry.writer, entry.raw]);
}

function malformed(reason: string): LineOutcome {
  return { kind: 'malformed', reason };
}
