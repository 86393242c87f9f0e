import { commonmarkLanguage, markdown } from '@codemirror/lang-markdown';
import { LanguageDescription, LanguageSupport, StreamLanguage } from '@codemirror/language';
import { GFM, type MarkdownExtension } from '@lezer/markdown';
import { FootnoteDefinition, MathBlock, TableWithBlanks } from './syntax-block.ts';
import { CalloutKind, FootnoteMark, Highlight, InlineMath, Wikilink } from './syntax-inline.ts';

/**
 * What our Markdown has beyond CommonMark: GFM, footnotes, formulas, callouts, wikilinks, highlights. The frontmatter is
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

/** The one grammar of everybody who reads Markdown in the window: source, live preview, outline. */
export const grammar: LanguageSupport = markdown({
  base: commonmarkLanguage,
  extensions: dialect,
  codeLanguages: codeLanguage,
  completeHTMLTags: false,
  pasteURLAsLink: false,
});

/** The blocks that a cell of a table cannot hold. */
const blocks = [
  'IndentedCode FencedCode Blockquote HorizontalRule BulletList OrderedList ATXHeading HTMLBlock SetextHeading LinkReference',
  'Table TaskList MathBlock FootnoteDefinition',
].flatMap((names) => names.split(' '));

/** The grammar of a text that stands in a line, as in a cell of a table: no blocks. */
export const lineGrammar: LanguageSupport = markdown({
  base: commonmarkLanguage,
  extensions: [dialect, { remove: blocks }],
  completeHTMLTags: false,
  pasteURLAsLink: false,
  addKeymap: false,
});
