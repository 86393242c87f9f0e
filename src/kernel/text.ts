/** Below U+0300 no character composes, decomposes or moves under NFC. */
const mayNotBeNfc = /[\u0300-\uffff]/;

/** Text as it is hashed: Unicode NFC, then CR LF and lone CR as LF, and nothing else (format.md §3). The same string when nothing changes. */
export function canonicalText(text: string): string {
  const composed = mayNotBeNfc.test(text) ? text.normalize('NFC') : text;
  return foldLineEndings(composed);
}

/** CR LF and lone CR as LF; the same string when there is no CR. */
export function foldLineEndings(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}

/** Whether a UTF-16 code unit is in Unicode's White_Space set: with U+0085, without U+FEFF and U+001C to U+001F. */
export function isWhiteSpace(code: number): boolean {
  if (code < 0x80) return code === 0x20 || (code >= 0x09 && code <= 0x0d);
  if (code < 0x2000) return code === 0x85 || code === 0xa0 || code === 0x1680;
  return code <= 0x200a || code === 0x2028 || code === 0x2029 || code === 0x202f || code === 0x205f || code === 0x3000;
}

/** `text` without the White_Space at its end. */
export function trimWhiteEnd(text: string): string {
  let end = text.length;
  while (end > 0 && isWhiteSpace(text.charCodeAt(end - 1))) end--;
  return text.slice(0, end);
}

/** `text` without the White_Space at its start. */
export function trimWhiteStart(text: string): string {
  let start = 0;
  while (start < text.length && isWhiteSpace(text.charCodeAt(start))) start++;
  return text.slice(start);
}

/** `text` without the White_Space at either end. */
export function trimWhite(text: string): string {
  return trimWhiteStart(trimWhiteEnd(text));
}
