import type { Match } from '#kernel/search-pattern';

/** A stretch of a document as its editor counts, where every line break is one unit; `line` counts from 1. */
export interface Place {
  readonly line: number;
  readonly from: number;
  readonly to: number;
}

/** Where a match of a file's text stands in its editor; null where the text is another than the one that was searched. */
export function selectionAt(text: string, { start, end, text: found }: Match & { readonly text: string }): Place | null {
  if (!text.startsWith(found, start)) return null;
  const bom = text.startsWith('\ufeff') ? 1 : 0;
  const at = (offset: number) => offset - bom - (text.slice(0, offset).match(/\r\n/g)?.length ?? 0);
  const line = (text.slice(0, start).match(/\r\n|\r|\n/g)?.length ?? 0) + 1;
  return { line, from: at(start), to: at(end) };
}
