import { Decoration } from '@codemirror/view';
import type { SyntaxNode } from '@lezer/common';
import { calloutOf, drawCallout } from './callout.ts';
import { drawCode } from './code.ts';
import { foldMarkAt } from './fold.ts';
import { FootnoteLabel } from './footnote.ts';
import { endOfIndent, type ItemMark, ItemMarkWidget, indentItem, indentNote, indentQuote, type LineShape } from './line.ts';
import { RuleWidget } from './rule.ts';
import { type Draw, hide, mark, replace, type Scene } from './scene.ts';
import { TaskBox } from './task.ts';

const isSpace = (sign: string | undefined) => sign === ' ' || sign === '\t';

/** The end of the space behind a place, in its line. */
function pastSpace(scene: Scene, at: number): number {
  const line = scene.state.doc.lineAt(at);
  let end = at;
  while (end < line.to && isSpace(line.text[end - line.from])) end++;
  return end;
}

const heading =
  (level: number): Draw =>
  (scene, { node, from, to }) => {
    for (const shape of scene.shapes.over(from, to, scene.seen)) shape.classes.add('cm-heading').add(`cm-heading-${level}`);
    if (node.parent?.parent === null) foldMark(scene, from);
    const isRevealed = scene.isRevealed(from, to);
    for (const sign of node.getChildren('HeaderMark')) headingMark(scene, sign, from, to, isRevealed);
    return undefined;
  };

/** Only sections of the document itself fold, not those inside of a quote. */
function foldMark({ state, ranges }: Scene, from: number): void {
  const at = state.doc.lineAt(from).from;
  ranges.push(Decoration.widget({ widget: foldMarkAt(state, at), side: -2 }).range(at));
}

function headingMark(scene: Scene, sign: SyntaxNode, from: number, to: number, isRevealed: boolean): void {
  const isUnderline = sign.from > scene.state.doc.lineAt(from).to;
  if (isUnderline) scene.shapes.at(sign.from).classes.add('cm-underline');
  if (sign.from === from) {
    const end = Math.min(pastSpace(scene, sign.to), to);
    if (isRevealed) mark(scene, 'cm-hanging', from, end);
    else hide(scene, from, end);
  } else if (!isRevealed) {
    const line = scene.state.doc.lineAt(sign.from);
    const space = isUnderline ? '' : (/[ \t]+$/u.exec(line.text.slice(0, sign.from - line.from))?.[0] ?? '');
    hide(scene, sign.from - space.length, sign.to);
  }
}

const quote: Draw = (scene, { node, from, to }) => {
  const callout = calloutOf(scene.state, node);
  for (const shape of scene.shapes.over(from, to, scene.seen)) {
    if (callout === null) indentQuote(shape);
    shape.classes.add(callout === null ? 'cm-quote-line' : 'cm-callout');
  }
  if (callout !== null) drawCallout(scene, node, callout);
  return undefined;
};

const quoteMark: Draw = (scene, { to }) => {
  const shape = scene.shapes.at(to);
  const next = scene.state.sliceDoc(to, to + 1);
  if (scene.state.sliceDoc(shape.markEnd, to - 1).trim() === '') shape.markEnd = next === ' ' ? to + 1 : to;
  return false;
};

const item: Draw = (scene, { node, from, to }) => {
  const sign = node.getChild('ListMark');
  if (sign === null) return undefined;
  const start = scene.state.doc.lineAt(from).from;
  const textStart = textOfItem(scene, sign);
  for (const shape of scene.shapes.over(from, to, scene.seen)) {
    indentItem(shape);
    shape.column = columnOf(scene, textStart);
    if (shape.line.from === start) beginItem(scene, shape, node, sign, textStart);
  }
  return undefined;
};

/** Where an item's text starts: behind its mark and one space, or behind all its spaces up to four. */
function textOfItem(scene: Scene, sign: SyntaxNode): number {
  const end = pastSpace(scene, sign.to);
  return end - sign.to > 4 ? sign.to + 1 : end;
}

function columnOf(scene: Scene, at: number): number {
  const line = scene.state.doc.lineAt(at);
  let width = 0;
  for (const sign of line.text.slice(0, at - line.from)) width += sign === '\t' ? 4 - (width % 4) : 1;
  return width;
}

function beginItem(scene: Scene, shape: LineShape, node: SyntaxNode, sign: SyntaxNode, textStart: number): void {
  const text = scene.state.sliceDoc(sign.from, sign.to);
  const task = node.getChild('Task')?.getChild('TaskMarker');
  shape.markEnd = textStart;
  shape.mark = /^\d/u.test(text) ? { kind: 'number', text } : { kind: 'bullet', depth: shape.items - 1 };
  if (task == null) return;
  const isDone = scene.state.sliceDoc(task.from + 1, task.to - 1) !== ' ';
  shape.mark = { kind: 'task', isDone, at: task.from };
  shape.markEnd = scene.state.sliceDoc(task.to, task.to + 1) === ' ' ? task.to + 1 : task.to;
  if (isDone) shape.classes.add('cm-task-done');
}

const rule: Draw = (scene, { from, to }) => {
  scene.shapes.at(from).classes.add('cm-rule');
  if (!scene.isRevealed(from, to)) replace(scene, new RuleWidget(), from, to);
  return false;
};

const definition: Draw = (scene, { node, from, to }) => {
  const start = scene.state.doc.lineAt(from).from;
  const column = columnOf(scene, from) + 4;
  for (const shape of scene.shapes.over(from, to, scene.seen)) {
    shape.classes.add('cm-footnote');
    if (shape.line.from !== start) indentNote(shape, column);
  }
  const label = node.getChild('FootnoteLabel');
  if (label === null || scene.isRevealed(label.from, label.to - 1)) return undefined;
  const end = Math.min(pastSpace(scene, label.to), to);
  replace(scene, new FootnoteLabel(scene.state.sliceDoc(label.from + 2, label.to - 2)), label.from, end);
  return undefined;
};

const lines =
  (name: string): Draw =>
  (scene, { from, to }) => {
    for (const shape of scene.shapes.over(from, to, scene.seen)) shape.classes.add(name);
    return undefined;
  };

/** How each block is drawn, by its name in the grammar. */
export const blockDrawings: Readonly<Record<string, Draw>> = {
  ATXHeading1: heading(1),
  ATXHeading2: heading(2),
  ATXHeading3: heading(3),
  ATXHeading4: heading(4),
  ATXHeading5: heading(5),
  ATXHeading6: heading(6),
  SetextHeading1: heading(1),
  SetextHeading2: heading(2),
  Blockquote: quote,
  QuoteMark: quoteMark,
  ListItem: item,
  HorizontalRule: rule,
  FencedCode: drawCode,
  CodeBlock: lines('cm-code'),
  HTMLBlock: lines('cm-code-like'),
  CommentBlock: lines('cm-code-like'),
  Table: lines('cm-table-source'),
  MathBlock: lines('cm-math-source'),
  LinkReference: lines('cm-reference'),
  FootnoteDefinition: definition,
};

/** Whether a line's height is that of the block it is in. */
const isOwn = ({ classes }: LineShape) => ['cm-code', 'cm-code-like', 'cm-front', 'cm-math-source'].some((name) => classes.has(name));

/** Draws what stands at the starts of lines, once all that they stand in is known. */
export function drawLineStarts(scene: Scene): void {
  for (const shape of scene.shapes.all()) {
    const { line } = shape;
    if (line.length === 0 && !isOwn(shape)) shape.classes.add('cm-blank');
    if (shape.mark === null && shape.items > 0) shape.markEnd = endOfIndent(shape);
    if (shape.markEnd <= line.from) continue;
    // The cursor behind the marks is in the text, and not in them.
    if (scene.isRevealed(line.from, shape.markEnd - 1)) mark(scene, 'cm-line-marks', line.from, shape.markEnd);
    else drawMark(scene, shape, shape.mark);
  }
}

function drawMark(scene: Scene, { line, markEnd }: LineShape, itemMark: ItemMark | null): void {
  if (itemMark === null) hide(scene, line.from, markEnd);
  else if (itemMark.kind === 'task') {
    const name = line.text.slice(markEnd - line.from).slice(0, 200);
    replace(scene, new TaskBox(itemMark.isDone, name), line.from, markEnd);
  } else replace(scene, new ItemMarkWidget(itemMark), line.from, markEnd);
}
