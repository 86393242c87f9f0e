import { findFrontmatter, joinLines, splitLines, vmarkBlocks } from '#kernel/frontmatter';

/** What a template may ask for, by the name that stands in it: `{{title}}`. */
export interface TemplateValues {
  readonly title: string;
  readonly date: string;
  readonly time: string;
}

/** A new document of a template: what it asks for is filled in, and it has no identity, for that is the template's own. */
export function fillTemplate(template: string, values: TemplateValues): string {
  const filled = template.replaceAll(/\{\{\s*(title|date|time)\s*\}\}/gu, (_, name: keyof TemplateValues) => values[name]);
  return withoutIdentity(filled.replace(/^\uFEFF/u, ''));
}

function withoutIdentity(text: string): string {
  const front = findFrontmatter(text);
  if (front === null) return text;
  const lines = splitLines(text.slice(front.start, front.end));
  const blocks = vmarkBlocks(lines);
  if (blocks.length === 0) return text;
  const left = lines.filter((_, at) => !blocks.some(({ header, end }) => at >= header && at < end));
  if (left.some((line) => line.text.trim() !== '')) return text.slice(0, front.start) + joinLines(left) + text.slice(front.end);
  return text.slice(front.rest).replace(/^\r?\n/u, '');
}

/** The documents of the folder of templates, at the top of the workspace or at its path. */
export const templatesIn = (documents: readonly string[], folder: string): readonly string[] => {
  const prefix = `${folder.replaceAll(/^\/+|\/+$/gu, '')}/`;
  return documents.filter((path) => path.startsWith(prefix));
};
