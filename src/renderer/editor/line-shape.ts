import { syntaxTree } from '@codemirror/language';
import type { Extension, Range } from '@codemirror/state';
import { Decoration, type DecorationSet, type EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { frontOf } from './front.ts';

const shapes: Readonly<Record<string, string>> = {
  Blockquote: 'cm-quote',
  FencedCode: 'cm-code-block',
  CodeBlock: 'cm-code-block',
  HTMLBlock: 'cm-code-block',
  Table: 'cm-table-line',
  ATXHeading1: 'cm-heading',
  ATXHeading2: 'cm-heading',
  ATXHeading3: 'cm-heading',
  SetextHeading1: 'cm-heading',
  SetextHeading2: 'cm-heading',
};

const decorationOf = Object.fromEntries([...Object.values(shapes), 'cm-front'].map((name) => [name, Decoration.line({ class: name })]));

function shapesIn(view: EditorView): DecorationSet {
  const { doc } = view.state;
  const lines = new Map<string, Range<Decoration>>();
  const mark = (name: string, from: number, to: number, seen: { from: number; to: number }) => {
    const last = doc.lineAt(Math.min(to, seen.to)).number;
    for (let number = doc.lineAt(Math.max(from, seen.from)).number; number <= last; number++) {
      const at = doc.line(number).from;
      lines.set(`${at} ${name}`, decorationOf[name]!.range(at));
    }
  };
  const front = frontOf(doc);
  for (const seen of view.visibleRanges) {
    if (front !== null && front.all.to >= seen.from) mark('cm-front', 0, front.all.to, seen);
    syntaxTree(view.state).iterate({
      ...seen,
      enter({ name, from, to }) {
        const shape = shapes[name];
        if (shape !== undefined && from >= (front?.all.to ?? 0)) mark(shape, from, to, seen);
      },
    });
  }
  return Decoration.set([...lines.values()], true);
}

/** Gives the lines that are seen the shape of what they are: quote, code, table, heading, frontmatter. */
export const lineShape: Extension = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;
    constructor(view: EditorView) {
      this.decorations = shapesIn(view);
    }
    update(update: ViewUpdate) {
      const isParsed = syntaxTree(update.startState) !== syntaxTree(update.state);
      if (update.docChanged || update.viewportChanged || isParsed) this.decorations = shapesIn(update.view);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);
