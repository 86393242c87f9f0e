import type { Element, Root } from 'hast';
import { visit } from 'unist-util-visit';
import { parse } from 'yaml';
import { findFrontmatter } from '#kernel/frontmatter';
import { targetOf, wikiPath } from '#renderer/editor/link-target.ts';
import { slugOf } from '#renderer/editor/slug.ts';
import { blocksOf, type ReadingWords, toHtmlTree } from '#renderer/reading/markdown.ts';
import { keepValid } from './valid-html.ts';

/** A document that becomes part of an export: its path in the workspace and its text, as it is in the editor. */
export interface Chapter {
  readonly path: string;
  readonly text: string;
}

/** A chapter as it is drawn. `id` is the anchor that leads to it; `blocks` are trees of its blocks (JSON), frontmatter apart. */
export interface DrawnChapter {
  readonly path: string;
  readonly id: string;
  readonly blocks: readonly string[];
}

/** Chapters as one document. `title` and `language` are what the first one that has them says in its frontmatter, `title` else its first heading. */
export interface Manuscript {
  readonly title: string | null;
  readonly language: string | null;
  readonly chapters: readonly DrawnChapter[];
}

/** The prefix that sanitising puts before every id of a document. */
const clobber = 'user-content-';

interface Read {
  readonly path: string;
  readonly id: string;
  readonly tree: Root;
  /** New ids by what they were called, and by the slugs of headings. */
  readonly ids: ReadonlyMap<string, string>;
  readonly headings: ReadonlyMap<string, string>;
}

/**
 * Makes one document of chapters in their order. Ids of one chapter never meet those of another; links from chapter to chapter lead to
 * their places in it, links to documents that are not in it become plain words, and links outside stay.
 */
export function manuscriptOf(chapters: readonly Chapter[], words: ReadingWords): Manuscript {
  const isOne = chapters.length === 1;
  const read = chapters.map(({ path, text }, at) => readChapter(path, toHtmlTree(text, words), isOne ? '' : `c${at + 1}-`, at));
  const paths = chapters.map(({ path }) => path);
  for (const chapter of read) {
    leadLinks(chapter, read, paths);
    keepValid(chapter.tree);
  }
  const fronts = chapters.map(({ text }) => frontValues(text));
  return {
    title: fronts.find(({ title }) => title !== null)?.title ?? firstHeading(read),
    language: fronts.find(({ language }) => language !== null)?.language ?? null,
    chapters: read.map(({ path, id, tree }) => ({ path, id, blocks: blocksOf(tree).map((block) => block.tree) })),
  };
}

function readChapter(path: string, tree: Root, prefix: string, at: number): Read {
  const ids = new Map<string, string>();
  const headings = new Map<string, string>();
  visit(tree, 'element', (node) => {
    const { id } = node.properties;
    if (typeof id !== 'string') return;
    const bare = id.startsWith(clobber) ? id.slice(clobber.length) : id;
    // An id that stands twice leads to the first; the second would be no valid document.
    const isUsable = !ids.has(bare) && /^\S+$/u.test(bare);
    if (isUsable) ids.set(bare, prefix + bare);
    node.properties.id = isUsable ? prefix + bare : undefined;
  });
  const taken = new Set(ids.values());
  visit(tree, 'element', (node) => {
    if (!/^h[1-6]$/u.test(node.tagName)) return;
    const slug = slugOf(textOf(node));
    const own = typeof node.properties.id === 'string' ? node.properties.id : free(prefix + (slug || 'section'), taken);
    node.properties.id = own;
    taken.add(own);
    if (!headings.has(slug)) headings.set(slug, own);
    else headings.set(`${slug}-${[...headings.keys()].filter((known) => known.startsWith(`${slug}-`)).length + 1}`, own);
  });
  visit(tree, 'element', ({ properties }) => {
    for (const name of ['ariaDescribedBy', 'ariaLabelledBy'] as const) {
      const named = [properties[name] ?? []].flat().map((id) => ids.get(String(id).replace(clobber, '')) ?? '');
      if (properties[name] !== undefined) properties[name] = named.filter(Boolean);
    }
  });
  return { path, id: free(`chapter-${at + 1}`, taken), tree, ids, headings };
}

function free(wanted: string, taken: ReadonlySet<string>): string {
  if (!taken.has(wanted)) return wanted;
  for (let number = 1; ; number++) if (!taken.has(`${wanted}-${number}`)) return `${wanted}-${number}`;
}

function leadLinks(chapter: Read, all: readonly Read[], paths: readonly string[]): void {
  visit(chapter.tree, 'element', (node) => {
    if (node.tagName !== 'a' || typeof node.properties.href !== 'string') return;
    const isName = [node.properties.className ?? []].flat().includes('wikilink');
    const href = leadOf(node.properties.href, isName, chapter, all, paths);
    if (href === null) delete node.properties.href;
    else node.properties.href = href;
    if (isName) delete node.properties.className;
  });
}

/** The address that a link has in the whole; null where it leads to nothing that is in it. */
function leadOf(address: string, isName: boolean, chapter: Read, all: readonly Read[], paths: readonly string[]): string | null {
  if (!isName && address.startsWith('#')) return placeIn(chapter, address.slice(1));
  const target = isName ? nameTarget(address, chapter.path, paths) : targetOf(address, chapter.path);
  if (target === null || target.kind === 'refused') return null;
  if (target.kind === 'outside') return target.url;
  const other = all.find(({ path }) => path === target.path || path === `${target.path}.md`);
  if (other === undefined) return null;
  return target.heading === null ? `#${other.id}` : (placeIn(other, target.heading) ?? `#${other.id}`);
}

function nameTarget(address: string, from: string, paths: readonly string[]) {
  const [name = '', ...rest] = decoded(address).split('#');
  const path = wikiPath(name.trim(), from, paths);
  return path === null ? null : { kind: 'document' as const, path, heading: rest.at(-1)?.trim() ?? null };
}

function placeIn({ ids, headings }: Read, wanted: string): string | null {
  const id = ids.get(wanted) ?? ids.get(decoded(wanted)) ?? headings.get(slugOf(decoded(wanted)));
  return id === undefined ? null : `#${id}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function textOf(node: Element): string {
  let text = '';
  visit(node, 'text', ({ value }) => {
    text += value;
  });
  return text;
}

function firstHeading(read: readonly Read[]): string | null {
  for (const { tree } of read) {
    const heading = tree.children.find((node): node is Element => node.type === 'element' && node.tagName === 'h1');
    const text = heading === undefined ? '' : textOf(heading).trim();
    if (text !== '') return text;
  }
  return null;
}

function frontValues(text: string): { readonly title: string | null; readonly language: string | null } {
  const front = findFrontmatter(text);
  const values = front === null ? {} : yamlOf(text.slice(front.start, front.end));
  const language = textValue(values.lang) ?? textValue(values.language);
  return { title: textValue(values.title), language: language !== null && isLanguage(language) ? language : null };
}

function yamlOf(source: string): Readonly<Record<string, unknown>> {
  try {
    const values: unknown = parse(source, { maxAliasCount: 0, logLevel: 'silent' });
    return typeof values === 'object' && values !== null ? (values as Record<string, unknown>) : {};
  } catch {
    // A frontmatter that is no YAML says nothing.
    return {};
  }
}

const textValue = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value.trim() : null);

function isLanguage(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}
