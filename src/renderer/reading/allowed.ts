import { defaultSchema, type Options } from 'rehype-sanitize';

const attributes = defaultSchema.attributes ?? {};
const tagNames = defaultSchema.tagNames ?? [];

/**
 * What of HTML is left: the set that GitHub lets through, and what our own constructs are drawn with. No scripts, no styles, no forms, no
 * frames, no events; addresses of the web, of mail and relative ones only, pictures also from `data:`. Ids get a prefix.
 */
export const allowed: Options = {
  ...defaultSchema,
  tagNames: [...tagNames, 'mark', 'u', 'small', 'abbr', 'figure', 'figcaption', 'caption', 'cite', 'center'],
  attributes: {
    ...attributes,
    a: [...(attributes.a ?? []).filter((rule) => rule[0] !== 'className'), ['className', 'wikilink', 'data-footnote-backref']],
    blockquote: [...(attributes.blockquote ?? []), ['className', /^callout(-[\p{L}\p{N}_-]+)?$/u]],
    code: [['className', /^language-./u, 'math-inline', 'math-display']],
    details: ['open', ['className', /^callout(-[\p{L}\p{N}_-]+)?$/u]],
    p: [['className', 'callout-title']],
    span: [['className', 'tag']],
    summary: [['className', 'callout-title']],
    abbr: ['title'],
  },
  protocols: { ...defaultSchema.protocols, src: ['http', 'https', 'data'], href: ['http', 'https', 'mailto'] },
};
