/** A stretch of a text in UTF-16 units, and what shall stand there instead. */
export interface LinkEdit {
  readonly start: number;
  readonly end: number;
  readonly insert: string;
}

/** `text` with `edits` made; they are in order and do not touch. */
export function withEdits(text: string, edits: readonly LinkEdit[]): string {
  let made = '';
  let at = 0;
  for (const { start, end, insert } of edits) {
    made += text.slice(at, start) + insert;
    at = end;
  }
  return made + text.slice(at);
}
