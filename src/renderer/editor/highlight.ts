import { HighlightStyle, languageDataProp, syntaxTree } from '@codemirror/language';
import { type EditorState, type Extension, Prec, type Range } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { Tree } from '@lezer/common';
import { type Highlighter, highlightTree, tags } from '@lezer/highlight';
import { attentionOf } from './live/attention.ts';
import { changedParts, type Part, redrawn } from './live/parts.ts';
import { grammar } from './syntax.ts';

const heading = (size: string) => ({ fontSize: size, fontWeight: '650', letterSpacing: '-.01em', lineHeight: '1.3' });

/** How Markdown looks: text as it is meant, marks in faint ink. */
const text = HighlightStyle.define([
  // First, for what stands in a quote keeps its own colour.
  { tag: tags.quote, color: 'var(--quote-ink, var(--ink-2))' },
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
  { tag: tags.special(tags.string), fontFamily: 'var(--font-code)', fontSize: '.86em', color: 'var(--ink-2)' },
  { tag: [tags.processingInstruction, tags.contentSeparator, tags.comment, tags.escape], color: 'var(--ink-3)' },
  { tag: tags.atom, color: 'var(--accent)' },
]);

/** How code looks in a block of its language: few colours, those that the page has. */
const code = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier, tags.controlKeyword], color: 'var(--diverged)' },
  { tag: [tags.string, tags.special(tags.string), tags.regexp, tags.attributeValue], color: 'var(--fine)' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom, tags.literal], color: 'var(--changed)' },
  { tag: [tags.function(tags.variableName), tags.function(tags.propertyName), tags.tagName, tags.heading], color: 'var(--accent)' },
  { tag: [tags.typeName, tags.className, tags.namespace, tags.attributeName], color: 'var(--accent)' },
  { tag: [tags.definition(tags.variableName), tags.definition(tags.propertyName)], color: 'var(--ink)' },
  { tag: [tags.meta, tags.documentMeta, tags.processingInstruction], color: 'var(--ink-3)' },
  { tag: tags.comment, color: 'var(--ink-3)', fontStyle: 'italic' },
  { tag: [tags.punctuation, tags.bracket, tags.operator, tags.separator], color: 'var(--ink-2)' },
  { tag: [tags.deleted, tags.invalid], color: 'var(--lost)' },
  { tag: tags.inserted, color: 'var(--fine)' },
]);

const isOurs = (type: Parameters<NonNullable<Highlighter['scope']>>[0]) => type.prop(languageDataProp) === grammar.language.data;
const highlighters: readonly Highlighter[] = [
  { style: text.style, scope: isOurs },
  { style: code.style, scope: (type) => !isOurs(type) },
];
const known = new Map<string, Decoration>();

function markOf(name: string): Decoration {
  const before = known.get(name);
  if (before !== undefined) return before;
  const made = Decoration.mark({ class: name });
  known.set(name, made);
  return made;
}

function lookOf(state: EditorState, ranges: readonly Part[]): Range<Decoration>[] {
  const found: Range<Decoration>[] = [];
  const { type, children, positions } = syntaxTree(state);
  // Piece by piece: from the top it would go through all blocks that stand before.
  for (const [at, piece] of children.entries()) {
    const start = positions[at]!;
    for (const { from, to } of ranges) {
      if (start >= to || start + piece.length <= from) continue;
      const tree = new Tree(type, [piece], [0], piece.length);
      const [first, last] = [Math.max(0, from - start), Math.min(piece.length, to - start)];
      highlightTree(tree, highlighters, (a, b, name) => void found.push(markOf(name).range(start + a, start + b)), first, last);
    }
  }
  return found;
}

// Not CodeMirror's own: that one changes the marks around a word while an input method composes it.
const look = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;
    constructor(view: EditorView) {
      this.decorations = Decoration.set(lookOf(view.state, view.visibleRanges));
    }
    update({ startState, state, changes, docChanged, viewportChanged, view }: ViewUpdate) {
      const isComposing = attentionOf(state).held === 'composition';
      const isOther =
        viewportChanged ||
        attentionOf(startState).held !== attentionOf(state).held ||
        (!docChanged && syntaxTree(startState) !== syntaxTree(state));
      if (isOther && !isComposing) this.decorations = Decoration.set(lookOf(state, view.visibleRanges));
      else if (docChanged) {
        const parts = isComposing ? [] : changedParts(startState, state, changes, view.visibleRanges);
        this.decorations = redrawn(this.decorations.map(changes), parts, view.visibleRanges, (seen) => lookOf(state, seen));
      }
    }
  },
  { decorations: (plugin) => plugin.decorations },
);

const styles = [text, code].flatMap(({ module }) => (module === null ? [] : [EditorView.styleModule.of(module)]));

/** The look of Markdown and of the code in it. */
export const markdownLook: Extension = [Prec.high(look), styles];
