import { type Input, NodeType, Parser, type PartialParse, Tree, TreeFragment } from '@lezer/common';
import type { MarkdownParser } from '@lezer/markdown';

/** How long a piece is at least, in characters, where the text has places to cut it at; one of less than a quarter is read anew together with the next. */
const usual = 4096;
/** How much text is looked through at a time for the next place to cut. */
const glance = 2048;

/** What ends at a blank line, or not at all: a piece that ends in one goes on in the text behind it. */
const unending = new Set(['HTMLBlock', 'CommentBlock', 'ProcessingInstructionBlock']);
/** What no block that ended before a blank line goes on with: neither a mark of a list nor anything set in. */
const opening = /^(?:#{1,6}[ \t\n]|\p{L})/u;
const cut = /\n\n(?=#{1,6}[ \t\n]|\p{L})/gu;

interface Range {
  readonly from: number;
  readonly to: number;
}

/**
 * Reads a text in pieces of some thousand characters, cut where no block of Markdown can go on: at a line behind a blank one that starts
 * with a letter or is a heading. The tree is that of the whole text, and those of its pieces that a change left as they were are
 * taken over as they are, so that what a key costs does not hang on how many blocks the text has.
 */
export class PiecewiseParser extends Parser {
  readonly whole: MarkdownParser;
  private readonly size: number;
  constructor(whole: MarkdownParser, size = usual) {
    super();
    this.whole = whole;
    this.size = size;
  }
  createParse(input: Input, fragments: readonly TreeFragment[], ranges: readonly Range[]): PartialParse {
    const [only] = ranges;
    // In code of another text, and what has gaps, is short.
    if (ranges.length !== 1 || only!.from !== 0 || only!.to !== input.length) return this.whole.startParse(input, fragments, ranges);
    return new PiecewiseParse(this.whole, this.size, input, fragments);
  }
}

/** A piece of an earlier tree, where it is now. */
interface Kept extends Range {
  readonly tree: Tree;
}

class PiecewiseParse implements PartialParse {
  private readonly pieces: Tree[] = [];
  private readonly positions: number[] = [];
  private readonly kept: readonly Kept[];
  private nextKept = 0;
  private at = 0;
  /** What is being read: the text from `at` to there. */
  private inner: { readonly parse: PartialParse; readonly to: number } | null = null;
  stoppedAt: number | null = null;

  private readonly whole: MarkdownParser;
  private readonly size: number;
  private readonly input: Input;
  private readonly fragments: readonly TreeFragment[];
  constructor(whole: MarkdownParser, size: number, input: Input, fragments: readonly TreeFragment[]) {
    this.whole = whole;
    this.size = size;
    this.input = input;
    this.fragments = fragments.map(withoutOpenNote);
    this.kept = fragments.flatMap((fragment) => keptOf(fragment, input)).sort((a, b) => a.from - b.from);
  }

  get parsedPos(): number {
    return this.at;
  }

  stopAt(place: number): void {
    this.stoppedAt = place;
  }

  advance(): Tree | null {
    if (this.inner === null) this.takeOver();
    const isEnd = this.at >= this.input.length;
    if (isEnd || (this.stoppedAt !== null && this.at >= this.stoppedAt)) return this.finish(isEnd);
    if (this.inner !== null) return this.read(this.inner);
    this.begin(this.endOf(this.at + this.size / 4, this.at + this.size));
    return null;
  }

  private takeOver(): void {
    const until = this.stoppedAt ?? Number.POSITIVE_INFINITY;
    for (let next = this.keptFrom(this.at); next?.from === this.at && this.at < until; next = this.keptFrom(this.at)) {
      this.add(next.tree, next.to);
    }
  }

  private begin(to: number): void {
    this.inner = { parse: this.whole.startParse(this.input, this.fragments, [{ from: this.at, to }]), to };
  }

  private read({ parse, to }: { readonly parse: PartialParse; readonly to: number }): null {
    const tree = parse.advance();
    if (tree === null) return null;
    this.inner = null;
    // Twice as much each time, so that a long block is not read for every piece that it holds.
    if (to < this.input.length && goesOn(tree)) this.begin(this.endOf(to + 1, to + (to - this.at)));
    else this.add(new Tree(NodeType.none, tree.children, tree.positions, to - this.at), to);
    return null;
  }

  private add(piece: Tree, to: number): void {
    this.pieces.push(piece);
    this.positions.push(this.at);
    this.at = to;
  }

  private keptFrom(place: number): Kept | undefined {
    while (this.nextKept < this.kept.length && this.kept[this.nextKept]!.from < place) this.nextKept++;
    return this.kept[this.nextKept];
  }

  /** Where the next piece ends: at the first one that is taken over (from `from` on), or the first place to cut at behind `wanted`. */
  private endOf(from: number, wanted: number): number {
    const next = this.keptFrom(from)?.from ?? this.input.length;
    // What is left over must not be cut small.
    return next < wanted + this.size / 4 ? next : Math.min(next, this.cutFrom(wanted));
  }

  private cutFrom(place: number): number {
    const { length } = this.input;
    for (let from = place; from < length; from += glance) {
      const text = this.input.read(from, Math.min(length, from + glance + 10));
      cut.lastIndex = 0;
      const met = cut.exec(text);
      if (met !== null && from + met.index + 2 < length) return from + met.index + 2;
    }
    return length;
  }

  private finish(isEnd: boolean): Tree {
    if (!isEnd) this.stoppedAt = this.at;
    const { types } = this.whole.nodeSet;
    return new Tree(types.find(({ isTop }) => isTop)!, this.pieces, this.positions, this.at);
  }
}

/** The pieces that a fragment of an earlier tree leaves as they were, each with a blank line and a place to cut around it. */
function keptOf({ tree, from, to, offset }: TreeFragment, input: Input): readonly Kept[] {
  const kept: Kept[] = [];
  for (const [index, child] of tree.children.entries()) {
    const start = tree.positions[index]! - offset;
    const end = start + child.length;
    if (end > to) break;
    if (start < from || !(child instanceof Tree) || !child.type.isAnonymous || end === start) continue;
    kept.push({ from: start, to: end, tree: child });
  }
  // Between two of them nothing is other than it was.
  const first = kept[0];
  if (first !== undefined && !isCut(input, first.from)) kept.shift();
  const last = kept.at(-1);
  if (last !== undefined && last.to < input.length && (!isCut(input, last.to) || goesOn(last.tree))) kept.pop();
  return kept;
}

const isCut = (input: Input, place: number) =>
  place === 0 || (input.read(place - 2, place) === '\n\n' && opening.test(input.read(place, Math.min(input.length, place + 8))));

/** Without the footnote before a change: Lezer would take it over, and what is typed behind its blank line may belong to it. */
function withoutOpenNote(fragment: TreeFragment): TreeFragment {
  const { from, to, tree, offset, openStart, openEnd } = fragment;
  const last = openEnd ? tree.topNode.childBefore(to + offset) : null;
  if (last?.name !== 'FootnoteDefinition') return fragment;
  return new TreeFragment(from, Math.max(from, last.from - offset), tree, offset, openStart, true);
}

/** Whether what a piece ends in may go on behind it. In a quote or an item it ends there, and yet elsewhere than at the end of a text. */
function goesOn(piece: Tree): boolean {
  for (let last: unknown = piece; last instanceof Tree; last = last.children.at(-1)) {
    if (unending.has(last.type.name)) return true;
    if (last.type.name === 'FencedCode') return last.topNode.getChildren('CodeMark').length < 2;
  }
  return false;
}
