import type { Element, ElementContent, Root as Hast, RootContent } from 'hast';
import type { Root as Mdast } from 'mdast';
import { highlightMarkFromMarkdown } from 'mdast-util-highlight-mark';
import { highlightMark } from 'micromark-extension-highlight-mark';
import rehypeRaw from 'rehype-raw';
import rehypeSanitize from 'rehype-sanitize';
import remarkFrontmatter from 'remark-frontmatter';
import remarkGfm from 'remark-gfm';
import remarkMath from 'remark-math';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { type Processor, unified } from 'unified';
import { visit } from 'unist-util-visit';
import { allowed } from './allowed.ts';
import { drawCallouts } from './callout.ts';
import { spanSyntax, spanTree } from './span.ts';

/** The words that a reading view puts in by itself; plain, for they go to a worker. */
export interface ReadingWords {
  readonly footnotes: string;
  readonly back: string;
  /** What callouts without a title are called, by their kinds. */
  readonly callouts: Readonly<Record<string, string>>;
}

/**
 * One block of a document as it is read. `tree` is the JSON of its sanitised HTML tree without places, so that equal blocks are equal texts;
 * `from` and `to` are where it stands (characters; a line break counts as one).
 */
export interface Block {
  readonly tree: string;
  readonly from: number;
  readonly to: number;
}

function spans(this: Processor): void {
  const data = this.data();
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), spanSyntax, highlightMark()];
  data.fromMarkdownExtensions = [...(data.fromMarkdownExtensions ?? []), spanTree, highlightMarkFromMarkdown];
}

const reader = unified()
  .use(remarkParse)
  .use(remarkFrontmatter, ['yaml'])
  .use(remarkGfm, { singleTilde: false })
  .use(remarkMath, { singleDollarTextMath: false })
  .use(spans)
  .freeze();

/** The syntax tree of a Markdown text: CommonMark, GFM, footnotes, frontmatter, formulas, highlights, links by name. */
export const readMarkdown = (text: string): Mdast => reader.parse(text);

/** The sanitised tree of HTML that a Markdown text is drawn as; formulas are still code of the class `math-inline` or `math-display`. */
export function toHtmlTree(text: string, words: ReadingWords): Hast {
  const tree = readMarkdown(text);
  showForbidden(tree);
  drawCallouts(tree, words.callouts);
  const draw = unified().use(remarkRehype, {
    allowDangerousHtml: true,
    clobberPrefix: '',
    footnoteLabel: words.footnotes,
    footnoteBackLabel: words.back,
    handlers: { highlight: markOf } as never,
  });
  // Only where there is HTML in the text need it be parsed again, as a browser would.
  const html = hasHtml(tree) ? draw.use(rehypeRaw) : draw;
  return html.use(rehypeSanitize, allowed).runSync(tree) as unknown as Hast;
}

const forbidden = /<(?=\/?(?:title|textarea|style|xmp|iframe|noembed|noframes|script|template|plaintext)(?:[\s/>]|$))/giu;

/** Tags that would swallow what follows them are text, as in GFM: they are shown, and nothing is lost behind them. */
function showForbidden(tree: Mdast): void {
  visit(tree, 'html', (node) => {
    node.value = node.value.replaceAll(forbidden, '&lt;');
  });
}

function hasHtml(tree: Mdast): boolean {
  let found = false;
  visit(tree, 'html', () => {
    found = true;
  });
  return found;
}

interface HighlightState {
  all(node: never): ElementContent[];
  patch(from: never, to: Element): void;
}

function markOf(state: HighlightState, node: never): Element {
  const mark: Element = { type: 'element', tagName: 'mark', properties: {}, children: state.all(node) };
  state.patch(node, mark);
  return mark;
}

/** The blocks of a tree in their order. One that the text does not name (footnotes) stands where the one before it ends. */
export function blocksOf(tree: Hast): Block[] {
  let last = 0;
  return tree.children.flatMap((node): Block[] => {
    if (node.type === 'text' && node.value.trim() === '') return [];
    const from = Math.max(last, node.position?.start.offset ?? last);
    last = Math.max(from, node.position?.end.offset ?? from);
    return [{ tree: JSON.stringify(bare(node, 0)), from, to: last }];
  });
}

/** Quotes in quotes deeper than this are left out: nobody writes them, and no stack is deep enough for those who do. */
const deepest = 150;

/** A node without its places. */
function bare(node: RootContent, depth: number): unknown {
  if (node.type === 'text') return { type: 'text', value: node.value };
  if (node.type !== 'element') return { type: 'text', value: '' };
  const { tagName, properties, children } = node;
  const inner = depth < deepest ? children.map((child) => bare(child, depth + 1)) : [{ type: 'text', value: '…' }];
  return { type: 'element', tagName, properties, children: inner };
}

/** What of a Markdown text is shown, block by block. */
export const readBlocks = (text: string, words: ReadingWords): Block[] => blocksOf(toHtmlTree(text, words));
