// C0 and C1 controls, line separators and bidirectional marks: nothing from a file may move the cursor or reorder a line.
const hostile = /[\p{Cc}\u2028\u2029\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/gu;
const hostileInText = /(?![\n\t])[\p{Cc}\u2028\u2029\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/gu;

const escapeMark = (mark: string) => `\\u{${mark.codePointAt(0)?.toString(16)}}`;

/** A name or a word from the ledger as one line that is safe on a terminal; controls are shown as `\u{1b}`. */
export const visible = (text: string): string => text.replace(hostile, escapeMark);

/** A whole text that is safe on a terminal: newlines and tabs stay. */
export const visibleText = (text: string): string => text.replace(hostileInText, escapeMark);

/** JSON in which no character acts on a terminal; it reads as the same value. */
export const safeJson = (value: unknown): string =>
  JSON.stringify(value, null, 2).replace(hostileInText, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** A text of one line: runs of white space become one blank, and beyond `limit` characters it is cut with `…`. */
export function brief(text: string, limit: number): string {
  const line = text.trim().replace(/\s+/gu, ' ');
  const characters = [...line];
  return characters.length <= limit ? line : `${characters.slice(0, limit - 1).join('')}…`;
}

const wide =
  /^(?:\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6])/u;
let segmenter: Intl.Segmenter | undefined;

/** How many columns a line takes on a terminal: East Asian characters and emoji take two, combining marks none. */
export function widthOf(line: string): number {
  if (/^[ -~]*$/u.test(line)) return line.length;
  segmenter ??= new Intl.Segmenter();
  let width = 0;
  for (const { segment } of segmenter.segment(line)) width += wide.test(segment) ? 2 : 1;
  return width;
}
