import { childKinds, findFrontmatter, joinLines, type Line, reservedValue, splitLines, vmarkBlocks } from '#kernel/frontmatter';
import { readIdentity } from '#kernel/identity';
import { canonicalText, trimWhiteEnd } from '#kernel/text';
import { parseUuid, type Uuid } from '#kernel/uuid';

/**
 * The text with another id in its block: only the characters of the id change (`spec/format.md` §2). Null where the
 * text carries no id, or the other one would not read back.
 */
export function replaceId(raw: string, id: Uuid): string | null {
  const front = findFrontmatter(raw);
  const lines = front === null ? [] : splitLines(raw.slice(front.start, front.end));
  const block = vmarkBlocks(lines)[0];
  if (front === null || block === undefined) return null;
  const kinds = childKinds(lines, block);
  const changed = lines.map((line, index) => (kinds[index - block.header - 1] === 'id' ? withId(line, id) : line));
  const text = raw.slice(0, front.start) + joinLines(changed) + raw.slice(front.end);
  return readIdentity(canonicalText(text))?.id === id ? text : null;
}

/** What stands before and behind the value stays. */
function withId(line: Line, id: Uuid): Line {
  const value = reservedValue(line.text);
  if (parseUuid(value) === null) return line;
  const end = trimWhiteEnd(line.text).length;
  return { ...line, text: line.text.slice(0, end - value.length) + id + line.text.slice(end) };
}

/** The lines of a text's own block that carry its identity, as they are written there. */
export function ownLines(raw: string): readonly string[] {
  const front = findFrontmatter(raw);
  const lines = front === null ? [] : splitLines(raw.slice(front.start, front.end));
  const block = vmarkBlocks(lines)[0];
  if (block === undefined) return [];
  const kinds = childKinds(lines, block);
  return lines.slice(block.header + 1, block.end).flatMap(({ text }, at) => (kinds[at] === 'id' || kinds[at] === 'schema' ? [text] : []));
}

/** A text whose block holds nothing but an identity, with that written as `own` has it; any other text as it is. */
export function withOwnLines(raw: string, own: readonly string[]): string {
  const front = findFrontmatter(raw);
  const lines = front === null ? [] : splitLines(raw.slice(front.start, front.end));
  const block = vmarkBlocks(lines)[0];
  if (front === null || block === undefined || own.length === 0) return raw;
  const kinds = childKinds(lines, block);
  const { ending } = lines[block.header]!;
  if (!kinds.every((kind) => kind === 'id' || kind === 'schema')) return raw;
  const put = [...lines.slice(0, block.header + 1), ...own.map((text) => ({ text, ending })), ...lines.slice(block.end)];
  const text = raw.slice(0, front.start) + joinLines(put) + raw.slice(front.end);
  const [before, after] = [readIdentity(canonicalText(raw)), readIdentity(canonicalText(text))];
  return before?.id === after?.id && before?.schema === after?.schema ? text : raw;
}
