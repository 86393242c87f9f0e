import { commonmarkLanguage, deleteMarkupBackward } from '@codemirror/lang-markdown';
import { Language, LanguageDescription, LanguageSupport, ParseContext, StreamLanguage } from '@codemirror/language';
import { type Extension, Prec } from '@codemirror/state';
import { keymap } from '@codemirror/view';
import { type Input, Parser, type PartialParse, type TreeFragment } from '@lezer/common';
import { GFM, type MarkdownExtension, type MarkdownParser, parseCode } from '@lezer/markdown';
import { continueMarkup } from './new-line.ts';
import { PiecewiseParser } from './piecewise-parser.ts';
import { sectionFold } from './section-fold.ts';
import { FootnoteDefinition, MathBlock, TableWithBlanks } from './syntax-block.ts';
import { CalloutKind, FootnoteMark, Highlight, InlineMath, Tag, Wikilink } from './syntax-inline.ts';

/**
 * What our Markdown has beyond CommonMark: GFM, footnotes, formulas, callouts, wikilinks, highlights, tags. The frontmatter is
 * not part of it: `frontOf` says where that is, and whoever reads the tree looks behind it only.
 */
export const dialect: MarkdownExtension = [
  GFM,
  TableWithBlanks,
  InlineMath,
  MathBlock,
  FootnoteMark,
  FootnoteDefinition,
  CalloutKind,
  Wikilink,
  Highlight,
  Tag,
];

/** The languages of code, once some code block asks for one. */
let known: readonly LanguageDescription[] | null = null;
/** What stands for a language until the list is there, by the name that was asked for. */
const awaited = new Map<string, LanguageDescription>();
const plain = StreamLanguage.define({
  token(stream) {
    stream.skipToEnd();
    return null;
  },
});

function codeLanguage(info: string): LanguageDescription | null {
  if (info === '' || info.length > 40) return null;
  if (known !== null) return LanguageDescription.matchLanguageName(known, info, true);
  const before = awaited.get(info);
  if (before !== undefined) return before;
  const description = LanguageDescription.of({ name: info, load: () => loadLanguage(info) });
  awaited.set(info, description);
  return description;
}

async function loadLanguage(info: string): Promise<LanguageSupport> {
  known ??= (await import('@codemirror/language-data')).languages;
  const found = LanguageDescription.matchLanguageName(known, info, true);
  return found === null ? new LanguageSupport(plain) : found.load();
}

/** Reads the code in a block by its language, which may have to be loaded first. */
function codeParser(info: string): Parser | null {
  const found = codeLanguage(/^\S*/u.exec(info)?.[0] ?? '');
  if (found === null) return null;
  return found.support?.language.parser ?? ParseContext.getSkippingParser(found.load());
}

/** HTML in a text is left as it is until its grammar, with those of scripts and styles, is loaded: most texts have none. */
class HtmlParser extends Parser {
  private loaded: Parser | null = null;
  private waiting: Parser | null = null;
  createParse(input: Input, fragments: readonly TreeFragment[], ranges: readonly { from: number; to: number }[]): PartialParse {
    this.waiting ??= ParseContext.getSkippingParser(this.load());
    return (this.loaded ?? this.waiting).createParse(input, fragments, ranges);
  }
  private async load(): Promise<void> {
    const { html } = await import('@codemirror/lang-html');
    this.loaded = html({ matchClosingTags: false }).language.parser;
  }
}

// Not `markdown()` of the package: that one brings the grammars of HTML, scripts and styles into the first bundle.
function supportOf(parser: Parser, support: Extension): LanguageSupport {
  return new LanguageSupport(new Language(commonmarkLanguage.data, parser, [], 'markdown'), support);
}

const commonmark = commonmarkLanguage.parser as MarkdownParser;
const htmlParser = new HtmlParser();

/** The one grammar of everybody who reads Markdown in the window: source, live preview, outline. */
export const grammar: LanguageSupport = supportOf(
  new PiecewiseParser(commonmark.configure([dialect, parseCode({ codeParser, htmlParser })])),
  [
    sectionFold,
    Prec.high(
      keymap.of([
        { key: 'Enter', run: continueMarkup },
        { key: 'Backspace', run: deleteMarkupBackward },
      ]),
    ),
  ],
);

/** The blocks that a cell of a table cannot hold. */
const blocks = [
  'IndentedCode FencedCode Blockquote HorizontalRule BulletList OrderedList ATXHeading HTMLBlock SetextHeading LinkReference',
  'Table TaskList MathBlock FootnoteDefinition',
].flatMap((names) => names.split(' '));

/** The grammar of a text that stands in a line, as in a cell of a table: no blocks. */
export const lineGrammar: LanguageSupport = supportOf(
  commonmark.configure([dialect, { remove: blocks }, parseCode({ htmlParser })]),
  sectionFold,
);
