import { createElement, type ReactNode } from 'react';
import type { Piece } from '#renderer/breakdown/comparison.ts';

type Side = 'before' | 'now' | 'both';

const hiddenOn: Readonly<Record<Side, Piece['kind'] | null>> = { before: 'added', now: 'removed', both: null };

/** One side of a stretch, or both as one text, line by line, with what only one side has marked by `del` or `ins`. */
export function StretchText({ pieces, side }: { readonly pieces: readonly Piece[]; readonly side: Side }) {
  const hidden = hiddenOn[side];
  return <Lines lines={linesOf(pieces.filter(({ kind }) => kind !== hidden))} />;
}

/** A text without marks. */
export function PlainText({ text }: { readonly text: string }) {
  return <Lines lines={linesOf([{ kind: 'same', text }])} />;
}

interface TextLine {
  /** Where it starts in its text, and so what tells it from the others. */
  readonly start: number;
  readonly pieces: readonly Piece[];
}

/** The pieces of each line. A line break belongs to no line, so that a marked one leaves no empty mark. */
function linesOf(pieces: readonly Piece[]): TextLine[] {
  const lines: { start: number; pieces: Piece[] }[] = [{ start: 0, pieces: [] }];
  let at = 0;
  for (const { kind, text } of pieces) {
    text.split('\n').forEach((part, index) => {
      if (index > 0) lines.push({ start: ++at, pieces: [] });
      if (part !== '') lines.at(-1)?.pieces.push({ kind, text: part });
      at += part.length;
    });
  }
  if (lines.length > 1 && lines.at(-1)?.pieces.length === 0) lines.pop();
  return lines;
}

function Lines({ lines }: { readonly lines: readonly TextLine[] }) {
  return lines.map(({ start, pieces }) => <Line key={start} pieces={pieces} />);
}

const headingMarks = /^( {0,3}#{1,6}[ \t]+)(?=\S)/;

function Line({ pieces }: { readonly pieces: readonly Piece[] }) {
  const text = pieces.map((piece) => piece.text).join('');
  if (text.trim() === '') return <div className="bd-gap" />;
  const marks = headingMarks.exec(text)?.[1] ?? '';
  const isMarkApart = marks !== '' && pieces[0]?.kind === 'same' && pieces[0].text.startsWith(marks);
  const parts = pieces.map(({ kind, text: part }, at) => marked(kind, isMarkApart && at === 0 ? part.slice(marks.length) : part));
  const syntax = isMarkApart ? <span className="bd-syntax">{marks}</span> : null;
  const className = marks === '' ? 'bd-line-text' : 'bd-line-text bd-heading';
  // Parts of a line have no name of their own, so they are given one by one.
  return createElement('div', { className, dir: 'auto' }, syntax, ...parts);
}

function marked(kind: Piece['kind'], text: string): ReactNode {
  if (kind === 'removed') return <del>{text}</del>;
  return kind === 'added' ? <ins>{text}</ins> : text;
}
