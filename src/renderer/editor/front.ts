import type { EditorState, Text } from '@codemirror/state';
import { findFrontmatter, splitLines, vmarkBlocks } from '#kernel/frontmatter';

/** A frontmatter further in than this many characters is not looked for. */
const reach = 64 * 1024;

/** A range of a document. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** What stands in front of a text: the frontmatter with its fences, and in it the lines of the identity block; whole lines, to the end of the last. */
export interface Front {
  readonly all: Range;
  readonly identity: readonly Range[];
}

const known = new WeakMap<Text, Front | null>();

/** The frontmatter of a document, null when there is none. `identity` is the whole of it when it holds nothing else. */
export function frontOf(doc: Text): Front | null {
  let front = known.get(doc);
  // With every key several ask for that of the same text.
  if (front === undefined) {
    front = readFront(doc);
    known.set(doc, front);
  }
  return front;
}

function readFront(doc: Text): Front | null {
  if (doc.line(1).text !== '---') return null;
  const head = doc.sliceString(0, Math.min(doc.length, reach));
  const front = findFrontmatter(head);
  if (front === null) return null;
  const lines = splitLines(head.slice(front.start, front.end));
  const starts = lines.map(() => 0);
  for (let at = 1; at < lines.length; at++) starts[at] = starts[at - 1]! + lines[at - 1]!.text.length + 1;
  const place = (line: number) => front.start + (starts[line] ?? front.end - front.start);
  const blocks = vmarkBlocks(lines);
  const all = { from: 0, to: doc.lineAt(front.end).to };
  const isWhole = blocks.reduce((sum, { header, end }) => sum + end - header, 0) === lines.length;
  if (isWhole && blocks.length > 0) return { all, identity: [all] };
  return { all, identity: blocks.map(({ header, end }) => ({ from: place(header), to: place(end) - 1 })) };
}

/** Where the writer's own text begins: behind the frontmatter, else at the start. */
export function bodyStart(state: EditorState): number {
  const front = frontOf(state.doc);
  return front === null ? 0 : Math.min(state.doc.length, front.all.to + 1);
}
