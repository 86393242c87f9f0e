import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { tags } from '@lezer/highlight';

const heading = (size: string) => ({ fontSize: size, fontWeight: '650', letterSpacing: '-.01em', lineHeight: '1.3' });

/** How Markdown looks while its marks are visible: text as it is meant, marks in faint ink. */
const style = HighlightStyle.define([
  // First, for what stands in a quote keeps its own colour.
  { tag: tags.quote, color: 'var(--ink-2)' },
  { tag: tags.heading1, ...heading('1.75em') },
  { tag: tags.heading2, ...heading('1.4em') },
  { tag: tags.heading3, ...heading('1.18em') },
  { tag: [tags.heading4, tags.heading5, tags.heading6], ...heading('1.05em') },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.strong, fontWeight: '650' },
  { tag: tags.strikethrough, textDecoration: 'line-through', color: 'var(--ink-2)' },
  { tag: tags.monospace, fontFamily: 'var(--font-code)', fontSize: '.86em' },
  { tag: tags.link, color: 'var(--accent)' },
  { tag: [tags.url, tags.labelName], color: 'var(--ink-2)', overflowWrap: 'anywhere' },
  { tag: [tags.processingInstruction, tags.contentSeparator, tags.comment, tags.escape], color: 'var(--ink-3)' },
  { tag: tags.atom, color: 'var(--accent)' },
  {
    tag: [tags.tagName, tags.angleBracket, tags.attributeName, tags.attributeValue],
    color: 'var(--ink-2)',
    fontFamily: 'var(--font-code)',
    fontSize: '.86em',
  },
]);

/** The look of Markdown. */
export const markdownLook: Extension = syntaxHighlighting(style);
