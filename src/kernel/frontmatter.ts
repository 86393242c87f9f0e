import { trimWhite, trimWhiteEnd, trimWhiteStart } from '#kernel/text';

/** One line of a frontmatter: its text, and the CR, LF or CR LF that ends it. */
export interface Line {
  readonly text: string;
  readonly ending: string;
}

/** A recognised frontmatter block. `start` to `end` are its inner lines; `rest` is where the text after the closing fence begins. */
export interface Frontmatter {
  readonly start: number;
  readonly end: number;
  readonly rest: number;
}

/** A `vmark:` header and the indented lines under it: `header` is its line number, `end` the first line that is not a child. */
export interface VmarkBlock {
  readonly header: number;
  readonly end: number;
}

/** What a child line is to us. `nested` stands under a child that is not ours; `quiet` is blank or a comment. */
export type ChildKind = 'id' | 'schema' | 'other' | 'nested' | 'quiet';

/**
 * Finds the frontmatter by VMark's rules (vmark.md §2.2): opened by a first line of exactly `---`, closed by the next such line from the third
 * on, or by one that ends the text. Reads raw and canonical text alike; null when there is none.
 */
export function findFrontmatter(text: string): Frontmatter | null {
  const open = /^---(?:\r\n|\r|\n)/.exec(text);
  if (open === null) return null;
  const start = open[0].length;
  const closer = /(\r\n|\r|\n)---(?:\r\n|\r|\n)/g;
  closer.lastIndex = start;
  const close = closer.exec(text);
  if (close !== null) return { start, end: close.index + close[1]!.length, rest: close.index + close[0].length };
  const end = text.length - 3;
  return end > start && /[\r\n]---$/.test(text.slice(-4)) ? { start, end, rest: text.length } : null;
}

/** The lines of a text in which every line is terminated. */
export function splitLines(text: string): Line[] {
  return Array.from(text.matchAll(/([^\r\n]*)(\r\n|\r|\n)/g), (match) => ({ text: match[1]!, ending: match[2]! }));
}

/** The lines put together again. */
export function joinLines(lines: readonly Line[]): string {
  return lines.map((line) => line.text + line.ending).join('');
}

/** Whether a line is a `vmark:` header: nothing before it, and only white space after the colon. */
export function isHeader(line: string): boolean {
  return line.startsWith('vmark:') && trimWhiteEnd(line) === 'vmark:';
}

/** Every `vmark:` block of a frontmatter, in order. */
export function vmarkBlocks(lines: readonly Line[]): VmarkBlock[] {
  const blocks: VmarkBlock[] = [];
  for (let header = 0; header < lines.length; header++) {
    if (!isHeader(lines[header]!.text)) continue;
    let end = header + 1;
    while (end < lines.length && /^[ \t]/.test(lines[end]!.text)) end++;
    blocks.push({ header, end });
  }
  return blocks;
}

/** Which reserved key a child line carries, at any depth; null when none. */
export function reservedKey(line: string): 'id' | 'schema' | null {
  const text = trimWhiteStart(line);
  if (text.startsWith('id:')) return 'id';
  return text.startsWith('schema:') ? 'schema' : null;
}

/** The trimmed text after the reserved key of a child line. */
export function reservedValue(line: string): string {
  return trimWhite(line.slice(line.indexOf(':') + 1));
}

/** How many spaces and tabs a line begins with. */
export function indentOf(line: string): number {
  return /^[ \t]*/.exec(line)![0].length;
}

/** Whether a line says nothing in YAML: blank, or a comment. */
export function isQuiet(line: string): boolean {
  const text = trimWhiteStart(line);
  return text === '' || text.startsWith('#');
}

/** What each child line of a block is, in order. */
export function childKinds(lines: readonly Line[], block: VmarkBlock): ChildKind[] {
  let parent: number | null = null;
  return lines.slice(block.header + 1, block.end).map(({ text }) => {
    if (isQuiet(text)) return 'quiet';
    const indent = indentOf(text);
    if (parent !== null && indent > parent) return 'nested';
    const key = reservedKey(text);
    parent = key === null ? indent : null;
    return key ?? 'other';
  });
}
