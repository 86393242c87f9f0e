// The readers of `src/kernel/byte-reader.ts`, sixteen bytes at a time. Addresses stand for places. Each reads something at a place
// and answers the place after it, or -1 where it does not stand there; -1 in gives -1 out. They may look at up to 36 bytes
// behind the last, which are there.

const quote: u8 = 0x22;

/** Passes over exactly this text, which is ASCII. */
export function skip(at: i32, text: string): i32 {
  if (at < 0) return -1;
  const length = text.length;
  const key = changetype<i32>(text);
  let i = 0;
  for (; i + 8 <= length; i += 8) if (!isSame(at + i, key + i * 2)) return -1;
  if (length >= 8) return i === length || isSame(at + length - 8, key + (length - 8) * 2) ? at + length : -1;
  for (; i < length; i++) if (<u16>load<u8>(at + i) !== load<u16>(key + i * 2)) return -1;
  return at + length;
}

/** Whether eight bytes are those eight characters. */
function isSame(at: i32, key: i32): bool {
  return !v128.any_true(v128.xor(v128.load8x8_u(at), v128.load(key)));
}

/** Which of `words` stands at `at`, closed by a quote; -1 for none. */
export function word(at: i32, words: StaticArray<string>): i32 {
  for (let i = 0; i < words.length; i++) {
    const after = skip(at, unchecked(words[i]));
    if (after >= 0 && load<u8>(after) === quote) return i;
  }
  return -1;
}

/** Reads a UUID in its written form as four words. */
export function uuid(at: i32, to: i32): i32 {
  if (at < 0 || load<u8>(at + 8) !== 0x2d || load<u8>(at + 13) !== 0x2d || load<u8>(at + 18) !== 0x2d || load<u8>(at + 23) !== 0x2d)
    return -1;
  const middle = v128.load(at + 16);
  const first = i8x16.shuffle(v128.load(at), middle, 0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 14, 15, 16, 17);
  const second = i8x16.shuffle(middle, v128.load(at + 20), 3, 4, 5, 6, 8, 9, 10, 11, 24, 25, 26, 27, 28, 29, 30, 31);
  return putDigits(first, second, to) ? at + 36 : -1;
}

/** Passes over a UUID without keeping it. */
export function anyUuid(at: i32): i32 {
  return uuid(at, unused);
}

/** Reads 64 lowercase hex digits as eight words. */
export function hash(at: i32, to: i32): i32 {
  if (at < 0) return -1;
  const isWhole = putDigits(v128.load(at), v128.load(at + 16), to) && putDigits(v128.load(at + 32), v128.load(at + 48), to + 16);
  return isWhole ? at + 64 : -1;
}

/** Passes over a hash without keeping it. */
export function anyHash(at: i32): i32 {
  return hash(at, unused);
}

/** Where words go that are looked at and not kept. */
const unused = <i32>memory.data(32);

/** Reads 32 lowercase hex digits as four words; false where one of them is none. */
function putDigits(first: v128, second: v128, to: i32): bool {
  if (!i8x16.all_true(v128.and(areDigits(first), areDigits(second)))) return false;
  const bytes = i8x16.narrow_i16x8_u(pairs(first), pairs(second));
  v128.store(to, i8x16.shuffle(bytes, bytes, 3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12));
  return true;
}

/** Of each byte whether it is a lowercase hex digit. */
function areDigits(text: v128): v128 {
  const areDecimal = i8x16.lt_u(i8x16.sub(text, i8x16.splat(0x30)), i8x16.splat(10));
  return v128.or(areDecimal, i8x16.lt_u(i8x16.sub(text, i8x16.splat(0x61)), i8x16.splat(6)));
}

/** Of each two digits the byte that they write, in a lane of two bytes. A digit's own low half is its value, a letter's that and nine. */
function pairs(text: v128): v128 {
  const letter = v128.and(i8x16.shr_u(text, 6), i8x16.splat(1));
  const value = i8x16.add(v128.and(text, i8x16.splat(15)), i8x16.add(i8x16.shl(letter, 3), letter));
  return v128.and(v128.or(i16x8.shl(value, 4), i16x8.shr_u(value, 8)), i16x8.splat(0xff));
}

/** Passes to the quote that ends a string of plain ASCII; an escape, a control or another byte is none. */
export function text(from: i32, end: i32): i32 {
  if (from < 0) return -1;
  for (let at = from; at < end; at += 16) {
    const bytes = v128.load(at);
    const special = v128.or(i8x16.eq(bytes, i8x16.splat(quote)), i8x16.eq(bytes, i8x16.splat(0x5c)));
    const stops = i8x16.bitmask(v128.or(special, i8x16.gt_u(i8x16.sub(bytes, i8x16.splat(0x20)), i8x16.splat(0x5e))));
    if (stops === 0) continue;
    const stop = at + ctz(stops);
    return stop < end && load<u8>(stop) === quote ? stop : -1;
  }
  return -1;
}

/** Where the next newline stands, or -1. */
export function newline(from: i32, end: i32): i32 {
  for (let at = from; at < end; at += 16) {
    const found = i8x16.bitmask(i8x16.eq(v128.load(at), i8x16.splat(0x0a)));
    if (found === 0) continue;
    const stop = at + ctz(found);
    return stop < end ? stop : -1;
  }
  return -1;
}

/** `2026-01-31T10:00:00.000Z` as ms; NaN where it is written otherwise or names no instant. */
export function instant(at: i32): f64 {
  const year = number(at, 4);
  const month = number(at + 5, 2);
  const day = number(at + 8, 2);
  const hour = number(at + 11, 2);
  const minute = number(at + 14, 2);
  const second = number(at + 17, 2);
  const milli = number(at + 20, 3);
  if (load<u8>(at + 4) !== 0x2d || load<u8>(at + 7) !== 0x2d || load<u8>(at + 10) !== 0x54 || load<u8>(at + 13) !== 0x3a) return NaN;
  if (load<u8>(at + 16) !== 0x3a || load<u8>(at + 19) !== 0x2e || load<u8>(at + 23) !== 0x5a) return NaN;
  // What is no number is -1.
  if (year < 1970 || month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return NaN;
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59 || milli < 0) return NaN;
  const time = ((hour * 60 + minute) * 60 + second) * 1000 + milli;
  return <f64>daysSince1970(year, month, day) * 86_400_000 + <f64>time;
}

/** So many decimal digits as a number; -1 where one of them is none. */
function number(at: i32, digits: i32): i32 {
  let value = 0;
  for (let i = 0; i < digits; i++) {
    const digit = <i32>load<u8>(at + i) - 0x30;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value;
}

function daysIn(year: i32, month: i32): i32 {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Years begin in March here, so that the day that some have more is their last. */
function daysSince1970(year: i32, month: i32, day: i32): i32 {
  const years = month > 2 ? year : year - 1;
  const months = month > 2 ? month - 3 : month + 9;
  return years * 365 + years / 4 - years / 100 + years / 400 + (months * 153 + 2) / 5 + day - 1 - 719_468;
}
