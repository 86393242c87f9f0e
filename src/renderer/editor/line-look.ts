import type { EditorState, Extension, Range } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, keymap, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { changedLines, type Part, redrawn } from './live/parts.ts';

/** Of a line longer than this many characters only so many are looked at. */
const longest = 2000;

const heads = [1, 2, 3, 4, 5, 6].map((level) => Decoration.line({ class: `cm-plain-head cm-plain-head-${level}` }));
const marks = {
  mark: Decoration.mark({ class: 'cm-plain-mark' }),
  strong: Decoration.mark({ class: 'cm-plain-strong' }),
  emphasis: Decoration.mark({ class: 'cm-plain-emphasis' }),
  code: Decoration.mark({ class: 'cm-plain-code' }),
  link: Decoration.mark({ class: 'cm-plain-link' }),
};
const quote = Decoration.line({ class: 'cm-plain-quote' });

const inline: readonly (readonly [pattern: RegExp, look: Decoration])[] = [
  [/`[^`\n]+`/g, marks.code],
  [/\*\*(?=\S)[^*\n]+\*\*|__(?=\S)[^_\n]+__/g, marks.strong],
  [/(?<![\w*])\*(?=[^\s*])[^*\n]+\*(?![\w*])|(?<![\w_])_(?=[^\s_])[^_\n]+_(?![\w_])/g, marks.emphasis],
  [/!?\[[^\]\n]*\]\([^)\n]*\)|\[\[[^\]\n]+\]\]|<https?:[^>\s]+>|https?:\/\/[^\s<>)]+/g, marks.link],
];

function lookOf(text: string, from: number): Range<Decoration>[] {
  const ranges: Range<Decoration>[] = [];
  const heading = /^ {0,3}(#{1,6})[ \t]/.exec(text);
  if (heading !== null) ranges.push(heads[heading[1]!.length - 1]!.range(from));
  const start =
    /^(?:[ \t]*(?:>[ \t]?|[-*+][ \t]+(?:\[[ xX]\][ \t])?|\d{1,9}[.)][ \t]+|#{1,6}[ \t]|`{3,}|~{3,}))+/.exec(text)?.[0].length ?? 0;
  if (/^ {0,3}>/.test(text)) ranges.push(quote.range(from));
  if (start > 0) ranges.push(marks.mark.range(from, from + start));
  for (const [pattern, look] of inline)
    for (const { index, 0: met } of text.matchAll(pattern)) ranges.push(look.range(from + index, from + index + met.length));
  return ranges;
}

function looksIn({ doc }: EditorState, ranges: readonly Part[]): Range<Decoration>[] {
  const found: Range<Decoration>[] = [];
  for (const { from, to } of ranges) {
    for (let at = from; at <= to; ) {
      const line = doc.lineAt(at);
      const start = Math.max(line.from, from - longest);
      if (line.length <= longest) found.push(...lookOf(line.text, line.from));
      else if (start === line.from) found.push(...lookOf(line.text.slice(0, longest), line.from));
      at = line.to + 1;
    }
  }
  return found;
}

const drawn = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;
    constructor({ state, visibleRanges }: EditorView) {
      this.decorations = Decoration.set(looksIn(state, visibleRanges), true);
    }
    update({ state, changes, docChanged, viewportChanged, view: { visibleRanges, composing } }: ViewUpdate) {
      if (viewportChanged && !composing) this.decorations = Decoration.set(looksIn(state, visibleRanges), true);
      else if (docChanged) {
        // What is being composed must not be touched.
        const lines = composing ? [] : changedLines(changes, state.doc);
        this.decorations = redrawn(this.decorations.map(changes), lines, visibleRanges, (seen) => looksIn(state, seen));
      }
    }
  },
  { decorations: (plugin) => plugin.decorations },
);

const theme = EditorView.theme({
  '.cm-plain-head': { fontWeight: '650', lineHeight: '1.3' },
  '.cm-plain-head-1': { fontSize: '1.5em' },
  '.cm-plain-head-2': { fontSize: '1.3em' },
  '.cm-plain-head-3': { fontSize: '1.15em' },
  '.cm-plain-mark': { color: 'var(--ink-3)' },
  '.cm-plain-strong': { fontWeight: '650' },
  '.cm-plain-emphasis': { fontStyle: 'italic' },
  '.cm-plain-code': { fontFamily: 'var(--font-code)', fontSize: '.86em' },
  '.cm-plain-link': { color: 'var(--accent)' },
  '.cm-plain-quote': { color: 'var(--ink-2)' },
});

/** Goes on with a list or quote on the next line; an item without words ends it. */
function goOn({ state, dispatch }: EditorView): boolean {
  const { main, ranges } = state.selection;
  const line = state.doc.lineAt(main.head);
  if (ranges.length > 1 || !main.empty || line.length > longest) return false;
  const met = /^((?:[ \t]|>[ \t]?)*)((?:[-*+]|(\d{1,9})([.)]))[ \t]+)?(\[[ xX]\][ \t]+)?/.exec(line.text)!;
  const [start, indent = '', bullet = '', number, sign = '', box] = met;
  if ((bullet === '' && !indent.includes('>')) || main.head < line.from + start.length) return false;
  if (line.text.length === start.length) {
    dispatch(state.update({ changes: { from: line.from, to: line.to }, userEvent: 'delete' }));
    return true;
  }
  const next = number === undefined ? bullet : bullet.replace(`${number}${sign}`, `${Number(number) + 1}${sign}`);
  const insert = `${state.lineBreak}${indent}${next}${box === undefined ? '' : '[ ] '}`;
  dispatch(insertAt(state, insert));
  return true;
}

function insertAt(state: EditorState, insert: string) {
  return state.update(state.replaceSelection(insert), { scrollIntoView: true, userEvent: 'input' });
}

/** The look of a long document: each line that is seen for itself, so that nothing depends on how long it is. Lists go on as elsewhere. */
export const lineLook: Extension = [drawn, theme, keymap.of([{ key: 'Enter', run: goOn }])];
