import { findFrontmatter } from '#kernel/frontmatter';

/** `#word` behind a blank: it begins with a letter, and may hold `/` for a tag in a tag. */
const written = /(?<=^|\s)#(\p{L}[\p{L}\p{M}\p{N}_/-]{0,99})/gu;
const fence = /^ {0,3}(?:>[ \t]?)*[ \t]*(`{3,}|~{3,})/u;

/** The tag that begins with the `#` at the start of a text, whatever stands before it, with that sign; null where there is none. */
export const tagAtStart = (text: string): string | null =>
  /^#\p{L}[\p{L}\p{M}\p{N}_/-]{0,99}/u.exec(text)?.[0].replace(/[/-]+$/u, '') ?? null;

/** A tag as it is compared: letter case, Unicode form and what is behind its last word do not count. */
export const foldedTag = (tag: string): string => tag.normalize('NFC').toLowerCase();

/** The tags of a document, each once, as it is first written and without `#`: those in its text, outside of code, and those of its frontmatter. */
export function tagsIn(text: string): string[] {
  const found = new Map<string, string>();
  const add = (tag: string) => {
    const bare = tag.replace(/[/-]+$/u, '');
    if (bare !== '' && !found.has(foldedTag(bare))) found.set(foldedTag(bare), bare);
  };
  const front = findFrontmatter(text);
  if (front !== null) for (const tag of tagsOfFront(text.slice(front.start, front.end))) add(tag);
  const body = front === null ? text : text.slice(front.rest);
  if (body.includes('#')) for (const tag of tagsOfBody(body)) add(tag);
  return [...found.values()];
}

function* tagsOfBody(body: string): Generator<string> {
  let open: string | null = null;
  for (const line of body.split(/\r\n?|\n/u)) {
    const mark = fence.exec(line)?.[1];
    if (open !== null) {
      if (mark?.startsWith(open) === true) open = null;
    } else if (mark !== undefined) open = mark;
    else if (line.includes('#')) for (const [, tag = ''] of line.replaceAll(/`+[^`]*`+/gu, ' ').matchAll(written)) yield tag;
  }
}

/** `tags: [a, b]`, `tags: a, b`, or a list below it; what is more than that in YAML is not read. */
function* tagsOfFront(front: string): Generator<string> {
  const lines = front.split(/\r\n?|\n/u);
  const at = lines.findIndex((line) => /^tags:(?:[ \t]|$)/iu.test(line));
  if (at < 0) return;
  const value = lines[at]!.slice(5)
    .replace(/[ \t]#.*$/u, '')
    .trim();
  if (value !== '')
    yield* value
      .replaceAll(/^\[|\]$/gu, '')
      .split(',')
      .map(plain)
      .filter(isTag);
  else
    for (const line of lines.slice(at + 1)) {
      const item = /^[ \t]*-[ \t]+(.*)$/u.exec(line)?.[1];
      if (item === undefined) return;
      if (isTag(plain(item))) yield plain(item);
    }
}

const plain = (text: string) =>
  text
    .trim()
    .replace(/^(["'])(.*)\1$/u, '$2')
    .replace(/^#/u, '');
const isTag = (text: string) => /^[\p{L}\p{N}][\p{L}\p{M}\p{N} _/-]{0,99}$/u.test(text);
