import { anyHash, hash, instant, skip, text, uuid } from './byte-reader';
import {
  resolutionAgainst,
  resolutionExpires,
  resolutionInput,
  resolutionNode,
  resolutionSize,
  resolutionSource,
  resolutionTxf,
} from './line-batch';

const quote: u8 = 0x22;
const letterA: u8 = 0x61;

/** Reads the body of a person's ratification or waiver, from its first key, into the packed line; how many bytes that has then, 0 where it is left to the parser. */
export function scanResolution(from: i32, end: i32, line: i32): i32 {
  store<u32>(line + resolutionNode, 0);
  const at = load<u8>(from + 1) === letterA ? sortedBody(from, end, line) : ourBody(from, end, line);
  return at === end ? resolutionSize : 0;
}

function ourBody(from: i32, end: i32, line: i32): i32 {
  let at = skip(from, '"edge":{"txf":"');
  at = skip(uuid(at, line + resolutionTxf), '","input":');
  at = skip(inputNumber(at, line), '},"upstream_object":"');
  at = skip(uuid(at, line + resolutionSource), '","pinned":"rev1:');
  at = skip(anyHash(at), '","resolved_against":"rev1:');
  at = skip(hash(at, line + resolutionAgainst), '","actor":{"type":"human","id":"');
  at = skip(text(at, end), '"},"reason":');
  at = expiry(textOrNull(at, end), line);
  return skip(at, '}}');
}

/** The body as VMark writes it, in the order of the alphabet. */
function sortedBody(from: i32, end: i32, line: i32): i32 {
  let at = text(skip(from, '"actor":{"id":"'), end);
  at = skip(inputNumber(skip(at, '","type":"human"},"edge":{"input":'), line), ',"txf":"');
  at = skip(uuid(at, line + resolutionTxf), '"}');
  at = skip(expiry(at, line), ',"pinned":"rev1:');
  at = skip(anyHash(at), '","reason":');
  at = skip(textOrNull(at, end), ',"resolved_against":"rev1:');
  at = skip(hash(at, line + resolutionAgainst), '","upstream_object":"');
  return skip(uuid(at, line + resolutionSource), '"}}');
}

/** A whole number below 2^32 as JSON has it. */
function inputNumber(at: i32, line: i32): i32 {
  if (at < 0) return -1;
  let input: i64 = 0;
  let digits = 0;
  for (; digits < 11; digits++) {
    const digit = <i32>load<u8>(at + digits) - 0x30;
    if (digit < 0 || digit > 9) break;
    input = input * 10 + digit;
  }
  if (digits === 0 || input > 0xffff_ffff || (digits > 1 && load<u8>(at) === 0x30)) return -1;
  store<u32>(line + resolutionInput, <u32>input);
  return at + digits;
}

/** Over a text with its quotes, or a null. */
function textOrNull(at: i32, end: i32): i32 {
  if (at < 0 || load<u8>(at) !== quote) return skip(at, 'null');
  const to = text(at + 1, end);
  return to < 0 ? -1 : to + 1;
}

/** Over the expiry, where one is given: null, or an instant as we write it. */
function expiry(from: i32, line: i32): i32 {
  const at = skip(from, ',"expires":');
  const isGiven = at >= 0 && load<u8>(at) === quote;
  const time = isGiven ? instant(at + 1) : NaN;
  store<f64>(line + resolutionExpires, time);
  if (!isGiven) return at < 0 ? from : skip(at, 'null');
  return !(time >= 0) || load<u8>(at + 25) !== quote ? -1 : at + 26;
}
