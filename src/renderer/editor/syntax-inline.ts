import { tags } from '@lezer/highlight';
import type { DelimiterType, InlineContext, MarkdownConfig } from '@lezer/markdown';
import { tagAtStart } from '#kernel/tag';
import { wikilinkAt } from '#kernel/wikilink';

/** The longest formula inside a line of text, in characters: beyond it a stray mark is a stray mark. */
const longest = 2000;

const sign = { hash: 35, dollar: 36, equals: 61, bracket: 91, bang: 33, caret: 94 } as const;
const isSpace = (code: number) => code === 32 || code === 9 || code === 10 || code < 0;
const isDigit = (code: number) => code >= 48 && code <= 57;
const isWord = (code: number) => code >= 0 && /[\p{L}\p{N}_]/u.test(String.fromCharCode(code));

const highlight: DelimiterType = { resolve: 'Highlight', mark: 'HighlightMark' };

/** `==marked==`: the marks stand against the text, as those of `~~` do. */
export const Highlight: MarkdownConfig = {
  defineNodes: [{ name: 'Highlight' }, { name: 'HighlightMark', style: tags.processingInstruction }],
  parseInline: [
    {
      name: 'Highlight',
      after: 'Emphasis',
      parse(cx, next, at) {
        if (next !== sign.equals || cx.char(at + 1) !== sign.equals || cx.char(at + 2) === sign.equals) return -1;
        if (cx.char(at - 1) === sign.equals) return -1;
        return cx.addDelimiter(highlight, at, at + 2, !isSpace(cx.char(at + 2)), !isSpace(cx.char(at - 1)));
      },
    },
  ],
};

/**
 * `$x$` and `$$x$$` in a line. As Pandoc has it: the marks of the first stand against the formula, and no digit follows
 * the closing one, so that prices stay prices.
 */
export const InlineMath: MarkdownConfig = {
  defineNodes: [
    { name: 'InlineMath', style: tags.special(tags.string) },
    { name: 'MathMark', style: tags.processingInstruction },
  ],
  parseInline: [
    {
      name: 'InlineMath',
      before: 'Emphasis',
      parse(cx, next, at) {
        if (next !== sign.dollar || cx.char(at - 1) === sign.dollar) return -1;
        const width = cx.char(at + 1) === sign.dollar ? 2 : 1;
        const end = width === 2 ? closingPair(cx, at + 2) : closingSign(cx, at + 1);
        if (end < 0) return -1;
        const marks = [cx.elt('MathMark', at, at + width), cx.elt('MathMark', end, end + width)];
        return cx.addElement(cx.elt('InlineMath', at, end + width, marks));
      },
    },
  ],
};

function closingSign(cx: InlineContext, from: number): number {
  if (isSpace(cx.char(from))) return -1;
  const limit = Math.min(cx.end, from + longest);
  for (let at = from; at < limit; at++) {
    const code = cx.char(at);
    if (code === 92) at++;
    // Behind a blank it begins another one, or is a price: then the first was none either.
    else if (code === sign.dollar) return at > from && !isSpace(cx.char(at - 1)) && !isDigit(cx.char(at + 1)) ? at : -1;
  }
  return -1;
}

function closingPair(cx: InlineContext, from: number): number {
  const limit = Math.min(cx.end, from + longest);
  for (let at = from; at < limit - 1; at++) {
    const code = cx.char(at);
    if (code === 92) at++;
    else if (code === sign.dollar && cx.char(at + 1) === sign.dollar) return at > from ? at : -1;
  }
  return -1;
}

/** `[[document#heading|words]]`, and `![[image]]` as an embedded one. In a table the bar is escaped. */
export const Wikilink: MarkdownConfig = {
  defineNodes: [
    { name: 'Wikilink', style: tags.link },
    { name: 'WikilinkMark', style: tags.processingInstruction },
    { name: 'WikilinkTarget', style: tags.link },
    { name: 'WikilinkWords', style: tags.link },
    { name: 'Embed', style: tags.link },
  ],
  parseInline: [
    {
      name: 'Wikilink',
      before: 'Link',
      parse(cx, next, at) {
        const isEmbed = next === sign.bang;
        const open = isEmbed ? at + 1 : at;
        if (cx.char(open) !== sign.bracket || cx.char(open + 1) !== sign.bracket) return -1;
        const link = wikilinkAt(cx.slice(at, cx.end));
        if (link === null) return -1;
        const { length, target, words } = link;
        const end = at + length;
        const parts = [cx.elt('WikilinkMark', at, at + target.from), cx.elt('WikilinkTarget', at + target.from, at + target.to)];
        if (words !== null) {
          parts.push(cx.elt('WikilinkMark', at + target.to, at + words.from));
          if (words.from < words.to) parts.push(cx.elt('WikilinkWords', at + words.from, at + words.to));
        }
        parts.push(cx.elt('WikilinkMark', end - 2, end));
        return cx.addElement(cx.elt(isEmbed ? 'Embed' : 'Wikilink', at, end, parts));
      },
    },
  ],
};

/** `[^name]`, the mark of a footnote in a text. */
export const FootnoteMark: MarkdownConfig = {
  defineNodes: [{ name: 'FootnoteReference', style: tags.link }],
  parseInline: [
    {
      name: 'FootnoteReference',
      before: 'Link',
      parse(cx, next, at) {
        if (next !== sign.bracket || cx.char(at + 1) !== sign.caret) return -1;
        const match = /^\[\^[^\s[\]]{1,200}\]/u.exec(cx.slice(at, Math.min(cx.end, at + 204)));
        return match === null ? -1 : cx.addElement(cx.elt('FootnoteReference', at, at + match[0].length));
      },
    },
  ],
};

/** `[!note]` at the start of a paragraph; it makes the quote around it a callout. A sign behind it says that it folds. */
export const CalloutKind: MarkdownConfig = {
  defineNodes: [{ name: 'CalloutKind', style: tags.labelName }],
  parseInline: [
    {
      name: 'CalloutKind',
      before: 'Link',
      parse(cx, next, at) {
        if (next !== sign.bracket || at !== cx.offset || cx.char(at + 1) !== sign.bang) return -1;
        const match = /^\[!([\p{L}\p{N}_-]{1,40})\][+-]?/u.exec(cx.slice(at, Math.min(cx.end, at + 60)));
        if (match === null || isWord(cx.char(at + match[0].length))) return -1;
        return cx.addElement(cx.elt('CalloutKind', at, at + match[0].length));
      },
    },
  ],
};

/** `#word` behind a blank, as tags are found in all documents. */
export const Tag: MarkdownConfig = {
  defineNodes: [{ name: 'Tag', style: tags.meta }],
  parseInline: [
    {
      name: 'Tag',
      parse(cx, next, at) {
        if (next !== sign.hash || (at > cx.offset && !isSpace(cx.char(at - 1)))) return -1;
        const tag = tagAtStart(cx.slice(at, Math.min(cx.end, at + 101)));
        return tag === null ? -1 : cx.addElement(cx.elt('Tag', at, at + tag.length));
      },
    },
  ],
};
