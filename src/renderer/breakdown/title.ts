import { headings } from '#kernel/section';

/** What a document calls itself: the title of its frontmatter, else its first heading; null without either. */
export function titleOf(text: string): string | null {
  const source = text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  const frontmatter = /^---\n([\s\S]*?)\n---\s*?\n/.exec(source);
  const named = frontmatter === null ? null : /^title:[ \t]*(?:"([^"\n]+)"|'([^'\n]+)'|([^"'\s#][^\n]*))$/m.exec(frontmatter[1]!);
  const title = named?.[1] ?? named?.[2] ?? named?.[3]?.trim();
  if (title !== undefined && title !== '') return title;
  const body = frontmatter === null ? source : source.slice(frontmatter[0].length);
  return headings(body)[0]?.text || null;
}

/** A text without the frontmatter at its top, for reading. */
export function bodyOf(text: string): string {
  const source = text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  return source.replace(/^---\n[\s\S]*?\n---[^\S\n]*\n/, '').replace(/^\n+/, '');
}

/** A path as its last part. */
export function fileName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
