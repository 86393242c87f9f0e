import { syntaxTree } from '@codemirror/language';
import { type EditorState, type Extension, Facet, type Range } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { frontOf } from './front.ts';
import { attentionOf } from './live/attention.ts';
import { changedParts, type Part, redrawn } from './live/parts.ts';

/** Whether the platform looks for wrong words, and the language that it is told; null: its own. */
export interface Spelling {
  readonly isOn: boolean;
  readonly language: string | null;
}

const wanted = Facet.define<Spelling, Spelling>({ combine: ([first]) => first ?? { isOn: true, language: null } });

/** How an editor looks for wrong words. */
export const spellingOf = (state: EditorState): Spelling => state.facet(wanted);

/** The attributes by which the platform is told. */
export function spellingAttributes({ isOn, language }: Spelling): Record<string, string> {
  return { spellcheck: String(isOn), ...(language === null ? {} : { lang: language }) };
}

const inLines = new Set(['InlineCode', 'URL', 'Autolink', 'InlineMath', 'HTMLTag', 'WikilinkTarget']);
const blocks = new Set(['FencedCode', 'CodeBlock', 'MathBlock', 'HTMLBlock']);
const unlooked = { attributes: { spellcheck: 'false' } };
const [mark, line] = [Decoration.mark(unlooked), Decoration.line(unlooked)];

/** What of some ranges holds no words: code, formulas, addresses, HTML, the frontmatter. */
function wordless(state: EditorState, ranges: readonly Part[]): Range<Decoration>[] {
  const { doc } = state;
  const found: Range<Decoration>[] = [];
  const lines = new Set<number>();
  const cover = (from: number, to: number) => {
    for (let at = doc.lineAt(from); ; at = doc.line(at.number + 1)) {
      if (!lines.has(at.from)) found.push(line.range(at.from));
      lines.add(at.from);
      if (at.to >= to || at.number === doc.lines) return;
    }
  };
  const front = frontOf(doc);
  for (const seen of ranges) {
    if (front !== null && seen.from <= front.all.to) cover(seen.from, Math.min(seen.to, front.all.to));
    syntaxTree(state).iterate({
      ...seen,
      enter({ name, from, to }) {
        if (blocks.has(name)) cover(Math.max(from, seen.from), Math.min(to, seen.to));
        else if (inLines.has(name) && from < to) found.push(mark.range(from, to));
        return !blocks.has(name);
      },
    });
  }
  return found;
}

const unlookedParts = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;
    constructor(view: EditorView) {
      this.decorations = Decoration.set(wordless(view.state, view.visibleRanges), true);
    }
    update({ startState, state, changes, docChanged, viewportChanged, view }: ViewUpdate) {
      // The line that is composed is the input method's.
      const isHeld = view.composing || attentionOf(state).held !== null;
      const isParsed = !docChanged && syntaxTree(startState) !== syntaxTree(state);
      const [before, now] = [frontOf(startState.doc)?.all.to ?? -1, frontOf(state.doc)?.all.to ?? -1];
      const isOther = viewportChanged || isParsed || changes.mapPos(before, -1) !== now;
      if (!isHeld && isOther) this.decorations = Decoration.set(wordless(state, view.visibleRanges), true);
      else if (docChanged) {
        const parts = isHeld ? [] : changedParts(startState, state, changes, view.visibleRanges);
        this.decorations = redrawn(this.decorations.map(changes), parts, view.visibleRanges, (seen) => wordless(state, seen));
      }
    }
  },
  { decorations: (plugin) => plugin.decorations },
);

/** Has the platform look for wrong words, in the language that is named, and never in what holds no words. */
export const spelling = (how: Spelling): Extension => [
  wanted.of(how),
  EditorView.contentAttributes.of(spellingAttributes(how)),
  how.isOn ? unlookedParts : [],
];
