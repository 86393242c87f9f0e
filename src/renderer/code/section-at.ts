import { headings, resolveSection } from '#kernel/section';

const encoder = new TextEncoder();
const utf8Length = (text: string) => encoder.encode(text).length;

/** A section of a text that an anchor can name, and where its heading stands, in UTF-16 units. */
export interface NamedSection {
  readonly path: readonly string[];
  readonly start: number;
  readonly end: number;
}

/** The sections of a text in its order, each by the headings that lead to it; one that no path leads to alone is left out. */
export function sectionsOf(text: string): NamedSection[] {
  const open: ReturnType<typeof headings> = [];
  return headings(text).flatMap((heading) => {
    while (open.length > 0 && open.at(-1)!.level >= heading.level) open.pop();
    open.push(heading);
    const path = open.map((one) => one.text);
    const found = resolveSection(text, path, utf8Length);
    return found.kind === 'found' && found.start === heading.start ? [{ path, start: heading.start, end: heading.end }] : [];
  });
}

/** The innermost section that a place is in; null where it is in none. */
export function sectionAt(text: string, place: number): NamedSection | null {
  return sectionsOf(text).findLast(({ start, end }) => start <= place && (place < end || end === text.length)) ?? null;
}

/** Where the heading of a section stands; null where no single heading is meant. Of no section: where the text begins. */
export function placeOfSection(text: string, path: readonly string[], bodyStart: number): number | null {
  if (path.length === 0) return headings(text)[0]?.start ?? bodyStart;
  const found = resolveSection(text, path, utf8Length);
  return found.kind === 'found' ? found.start : null;
}
