import { GFM, type InlineContext, type MarkdownConfig, parser } from '@lezer/markdown';
import { findFrontmatter } from '#kernel/frontmatter';
import { wikilinkAt } from '#kernel/wikilink';

/** An address in a text: `[words](address)`, `[label]: address`, `src` and `href` of HTML, or the name in a `[[wikilink]]`. */
export interface Link {
  readonly kind: 'address' | 'wiki';
  /** Where the address stands, in UTF-16 units, end exclusive. */
  readonly start: number;
  readonly end: number;
  readonly address: string;
  /** The whole of a wikilink, from its first bracket; its end is exclusive. */
  readonly whole: { readonly start: number; readonly end: number } | null;
}

const [opening, exclamation] = [0x5b, 0x21];

/** `[[name#heading|words]]` at `at`; its node `WikiName` covers the name only. */
function wikiLink(context: InlineContext, at: number): number {
  if (context.char(at) !== opening || context.char(at + 1) !== opening) return -1;
  const link = wikilinkAt(context.slice(at, context.end));
  if (link === null) return -1;
  const name = context.elt('WikiName', at + link.target.from, at + link.nameTo);
  return context.addElement(context.elt('WikiLink', at, at + link.length, [name]));
}

const wikilinks: MarkdownConfig = {
  defineNodes: ['WikiLink', 'WikiName'],
  parseInline: [
    { name: 'WikiLink', before: 'Link', parse: (context, _, at) => wikiLink(context, at) },
    { name: 'WikiEmbed', before: 'Image', parse: (context, next, at) => (next === exclamation ? wikiLink(context, at + 1) : -1) },
  ],
};

const markdown = parser.configure([GFM, wikilinks]);
/** What has an address that its writer chose; a bare web address has none but itself. */
const written = new Set(['Link', 'Image', 'LinkReference']);
const attributes = /\b(?:src|href)\s*=\s*(?:"([^"]*)"|'([^']*)')/giu;

/** The addresses of a Markdown text in order; none in code, in comments or in the frontmatter. */
export function findLinks(text: string): Link[] {
  const offset = findFrontmatter(text)?.rest ?? 0;
  const body = text.slice(offset);
  const found: Link[] = [];
  const add = (start: number, end: number, whole: { from: number; to: number } | null = null) =>
    found.push({
      kind: whole === null ? 'address' : 'wiki',
      start: start + offset,
      end: end + offset,
      address: body.slice(start, end),
      whole: whole === null ? null : { start: whole.from + offset, end: whole.to + offset },
    });
  markdown.parse(body).iterate({
    enter({ name, from, to, node }) {
      if (name === 'URL' && written.has(node.parent?.name ?? '')) add(from, to);
      if (name === 'WikiName' && from < to) add(from, to, node.parent);
      if (name !== 'HTMLTag' && name !== 'HTMLBlock') return true;
      for (const match of body.slice(from, to).matchAll(attributes)) {
        const value = match[1] ?? match[2] ?? '';
        const start = from + match.index + match[0].length - 1 - value.length;
        if (value !== '') add(start, start + value.length);
      }
      return true;
    },
  });
  return found;
}
