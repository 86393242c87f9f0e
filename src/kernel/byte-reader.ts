import { wordFromBytes } from '#kernel/key-table';

/** The bytes of an ASCII text. */
export const ascii = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

const quote = 0x22;

/** Where words go that are looked at and not kept. */
export const unused = new Uint32Array(8);

// Each of these reads something at a place and answers the place after it, or -1 where it does not stand there; -1 in gives -1 out.

/** Passes over exactly this text. */
export function skip(source: Uint8Array, at: number, text: Uint8Array): number {
  if (at < 0) return -1;
  const length = text.length;
  for (let i = 0; i < length; i++) if (source[at + i] !== text[i]) return -1;
  return at + length;
}

/** Reads a UUID in its written form as four words. */
export function uuid(source: Uint8Array, at: number, out: Uint32Array, to: number): number {
  if (at < 0 || source[at + 8] !== 0x2d || source[at + 13] !== 0x2d || source[at + 18] !== 0x2d || source[at + 23] !== 0x2d) return -1;
  const whole =
    wordFromBytes(source, at, at + 4, out, to) &&
    wordFromBytes(source, at + 9, at + 14, out, to + 1) &&
    wordFromBytes(source, at + 19, at + 24, out, to + 2) &&
    wordFromBytes(source, at + 28, at + 32, out, to + 3);
  return whole ? at + 36 : -1;
}

/** Reads 64 lowercase hex digits as eight words. */
export function hash(source: Uint8Array, from: number, out: Uint32Array, to: number): number {
  if (from < 0) return -1;
  let at = from;
  for (let word = 0; word < 8; word++, at += 8) if (!wordFromBytes(source, at, at + 4, out, to + word)) return -1;
  return at;
}

/** Passes to the quote that ends a string of plain ASCII; an escape, a control or another byte is none. */
export function text(source: Uint8Array, from: number, end: number): number {
  if (from < 0) return -1;
  for (let at = from; at < end; at++) {
    const byte = source[at]!;
    if (byte === quote) return at;
    if (byte < 0x20 || byte > 0x7e || byte === 0x5c) return -1;
  }
  return -1;
}

/** Which of `words` stands at `at`, closed by a quote; -1 for none. */
export function word(source: Uint8Array, at: number, words: readonly Uint8Array[]): number {
  for (let i = 0; i < words.length; i++) {
    const after = skip(source, at, words[i]!);
    if (after >= 0 && source[after] === quote) return i;
  }
  return -1;
}

/** `2026-01-31T10:00:00.000Z` as ms; NaN where it is written otherwise or names no instant. */
export function instant(source: Uint8Array, at: number): number {
  const year = number(source, at, 4);
  const month = number(source, at + 5, 2);
  const day = number(source, at + 8, 2);
  const hour = number(source, at + 11, 2);
  const minute = number(source, at + 14, 2);
  const second = number(source, at + 17, 2);
  const milli = number(source, at + 20, 3);
  const marks = source[at + 4] === 0x2d && source[at + 7] === 0x2d && source[at + 10] === 0x54 && source[at + 13] === 0x3a;
  if (!marks || source[at + 16] !== 0x3a || source[at + 19] !== 0x2e || source[at + 23] !== 0x5a) return Number.NaN;
  if (!(year >= 1970 && month >= 1 && month <= 12 && day >= 1 && day <= 28 && hour < 24 && minute < 60 && second < 60)) {
    return lateInMonth(year, month, day, hour, minute, second) ? Date.UTC(year, month - 1, day, hour, minute, second, milli) : Number.NaN;
  }
  return Date.UTC(year, month - 1, day, hour, minute, second, milli);
}

function lateInMonth(year: number, month: number, day: number, hour: number, minute: number, second: number): boolean {
  if (!(year >= 1970 && month >= 1 && month <= 12 && day >= 29 && hour < 24 && minute < 60 && second < 60)) return false;
  return day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/** So many decimal digits as a number; NaN where one of them is none. */
export function number(source: Uint8Array, at: number, digits: number): number {
  let value = 0;
  for (let i = 0; i < digits; i++) {
    const digit = source[at + i]! - 0x30;
    if (!(digit >= 0 && digit <= 9)) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
}
