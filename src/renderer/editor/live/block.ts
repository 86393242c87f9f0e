import { syntaxTree } from '@codemirror/language';
import {
  type ChangeDesc,
  type EditorState,
  type Extension,
  Facet,
  type Range,
  RangeSet,
  RangeValue,
  StateEffect,
  StateField,
  type Text,
  type Transaction,
} from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, type WidgetType } from '@codemirror/view';
import type { SyntaxNode, SyntaxNodeRef, Tree } from '@lezer/common';
import { frontOf } from '../front.ts';
import { attentionOf, isOpened, isRevealed, opened } from './attention.ts';

/** A block that is drawn instead of its lines. `opens`: its source comes up while the cursor is in it, with the drawing below. */
export interface DrawnBlock {
  readonly widget: WidgetType;
  readonly opens: boolean;
  /** Its source comes up without the drawing. */
  readonly isAlone?: boolean;
}

/** Says how a block is drawn; null: as its lines. */
export type DrawBlock = (state: EditorState, node: SyntaxNode) => DrawnBlock | null;

class Found extends RangeValue {
  readonly block: DrawnBlock;
  constructor(block: DrawnBlock) {
    super();
    this.block = block;
    this.point = true;
    this.startSide = -1;
    this.endSide = 1;
  }
  override eq(other: RangeValue): boolean {
    return other instanceof Found && other.block.opens === this.block.opens && other.block.widget.eq(this.block.widget);
  }
}

/** The blocks of a document as far as its tree was read. `sound`: up to where they are those of the tree. */
interface Blocks {
  readonly tree: Tree;
  readonly sound: number;
  readonly found: RangeSet<Found>;
  readonly shown: DecorationSet;
}

/** What may hold a block that is drawn. */
const holders = new Set(['Document', 'Blockquote', 'BulletList', 'OrderedList', 'ListItem']);

/** How much of a tree was looked at anew; for tests of what is not looked at. */
export interface Scan {
  readonly from: number;
  readonly to: number;
}

function scan(state: EditorState, tree: Tree, { from, to }: Scan, drawings: Drawings): Range<Found>[] {
  const front = frontOf(state.doc)?.all.to ?? -1;
  const found: Range<Found>[] = [];
  tree.iterate({
    from,
    to,
    enter(node: SyntaxNodeRef) {
      if (node.name === 'Document') return true;
      if (node.to <= front) return false;
      const block = drawings[node.name]?.(state, node.node) ?? null;
      if (block !== null) {
        const [first, last] = [state.doc.lineAt(node.from), state.doc.lineAt(node.to)];
        found.push(new Found(block).range(first.from, last.to));
      }
      return block === null && holders.has(node.name);
    },
  });
  return found;
}

/** Where a tree has to be looked at after a change: from the block before it to the first one that was taken over as it was. */
export function staleRange(before: Tree, after: Tree, changes: ChangeDesc, sound: number, doc: Text): Scan {
  const changed = extentOf(changes);
  const [changedFrom, changedTo] = changed ?? [after.length, after.length];
  const start = Math.min(changedFrom, sound);
  const first = after.topNode.childBefore(start + 1);
  let node = first?.prevSibling ?? first ?? after.topNode.firstChild;
  const from = Math.min(node?.from ?? 0, start);
  const back = changes.invertedDesc;
  const oldTop = before.topNode;
  for (; node !== null; node = node.nextSibling) {
    // What is drawn begins where its line does.
    const line = doc.lineAt(node.from).from;
    if (line <= Math.max(changedTo, start)) continue;
    const place = back.mapPos(node.from);
    if (place > sound) break;
    const same = oldTop.childAfter(place);
    if (same !== null && same.from === place && same.tree !== null && same.tree === node.tree) return { from, to: line - 1 };
  }
  return { from, to: after.length };
}

function extentOf(changes: ChangeDesc): readonly [number, number] | null {
  let extent: [number, number] | null = null;
  changes.iterChangedRanges((_fromA, _toA, fromB, toB) => {
    extent = extent === null ? [fromB, toB] : [extent[0], toB];
  });
  return extent;
}

type Drawings = Readonly<Record<string, DrawBlock>>;

const replacing = ({ widget }: DrawnBlock) => Decoration.replace({ widget, block: true });
const below = ({ widget }: DrawnBlock) => Decoration.widget({ widget, block: true, side: 1 });

/** What is seen of a block: its drawing instead of its lines, or behind them; nothing where only its lines are to be seen. */
function shownOf(state: EditorState, from: number, to: number, block: DrawnBlock): readonly Range<Decoration>[] {
  if (block.opens && isRevealed(state, from, to)) return block.isAlone === true ? [] : [below(block).range(to)];
  return isOpened(state, from, to) ? [] : [replacing(block).range(from, to)];
}

function show(state: EditorState, found: RangeSet<Found>): DecorationSet {
  const ranges: Range<Decoration>[] = [];
  for (const cursor = found.iter(); cursor.value !== null; cursor.next()) {
    ranges.push(...shownOf(state, cursor.from, cursor.to, cursor.value.block));
  }
  return Decoration.set(ranges, true);
}

/** What is shown, where only the blocks in some ranges may be others now. */
function showAnew(state: EditorState, { found, shown }: Pick<Blocks, 'found' | 'shown'>, ranges: readonly Scan[]): DecorationSet {
  let next = shown;
  for (const { from, to } of ranges) {
    const add: Range<Decoration>[] = [];
    let [low, high] = [from, to];
    found.between(from, to, (start, end, { block }) => {
      add.push(...shownOf(state, start, end, block));
      low = Math.min(low, start);
      high = Math.max(high, end);
    });
    next = next.update({ filterFrom: low, filterTo: high, filter: () => false, add, sort: true });
  }
  return next;
}

function begin(state: EditorState, drawings: Drawings): Blocks {
  const tree = syntaxTree(state);
  const found = RangeSet.of(scan(state, tree, { from: 0, to: tree.length }, drawings), true);
  return { tree, sound: tree.length, found, shown: show(state, found) };
}

/** Has the blocks of a range looked at anew: what they are drawn by, beside their text, is another. */
export const redrawBlocks = StateEffect.define<Scan>({
  map: ({ from, to }, changes) => ({ from: changes.mapPos(from, -1), to: changes.mapPos(to, 1) }),
});

function follow(value: Blocks, transaction: Transaction, drawings: Drawings): Blocks {
  const { state, startState, changes, docChanged } = transaction;
  const tree = syntaxTree(state);
  const { held } = attentionOf(state);
  let { found, shown, sound } = value;
  if (docChanged) {
    found = found.map(changes);
    shown = shown.map(changes);
  }
  if (held === 'composition') {
    const first = extentOf(changes)?.[0] ?? sound;
    return { ...value, found, shown, sound: Math.min(docChanged ? changes.mapPos(sound) : sound, first) };
  }
  const stale: Scan[] = [];
  const lookAnew = (range: Scan) => {
    found = found.update({
      filterFrom: range.from,
      filterTo: range.to,
      filter: (from, to) => to < range.from || from > range.to,
      add: scan(state, tree, range, drawings),
      sort: true,
    });
    stale.push(range);
  };
  for (const effect of transaction.effects) if (effect.is(redrawBlocks)) lookAnew(effect.value);
  if (tree !== value.tree) {
    const range = staleRange(value.tree, tree, changes, sound, state.doc);
    lookAnew(range);
    sound = range.to === tree.length ? tree.length : Math.max(range.to, Math.min(tree.length, changes.mapPos(sound)));
  }
  if (held === null) stale.push(...selected(startState, changes), ...selected(state));
  if (startState.facet(opened) !== state.facet(opened)) stale.push(...placesOf(startState, changes), ...placesOf(state));
  if (stale.length > 0) shown = showAnew(state, { found, shown }, stale);
  return { tree, sound, found, shown };
}

/** Where the cursor is, or was, as ranges of the document as it is. */
const selected = ({ selection }: EditorState, changes?: ChangeDesc): Scan[] => selection.ranges.map((range) => scanOf(range, changes));

/** What is to be seen as it is written, or was. */
const placesOf = (state: EditorState, changes?: ChangeDesc): Scan[] => state.facet(opened).map((place) => scanOf(place, changes));

const scanOf = ({ from, to }: Scan, changes: ChangeDesc | undefined): Scan =>
  changes === undefined ? { from, to } : { from: changes.mapPos(from, -1), to: changes.mapPos(to, 1) };

const drawings = Facet.define<Drawings, Drawings>({ combine: (all) => Object.assign({}, ...all) });

const field = StateField.define<Blocks>({
  create: (state) => begin(state, state.facet(drawings)),
  update(value, transaction) {
    const isOther =
      transaction.docChanged ||
      transaction.selection !== undefined ||
      transaction.effects.some((effect) => effect.is(redrawBlocks)) ||
      syntaxTree(transaction.state) !== value.tree ||
      transaction.startState.facet(opened) !== transaction.state.facet(opened) ||
      attentionOf(transaction.startState) !== attentionOf(transaction.state);
    return isOther ? follow(value, transaction, transaction.state.facet(drawings)) : value;
  },
  provide: (self) => [
    EditorView.decorations.from(self, ({ shown }) => shown),
    EditorView.atomicRanges.of((view) => replacedOf(view.state.field(self).shown)),
  ],
});

/** Draws the blocks of a document, each kind by its name in the grammar. */
export const drawnBlocks = (kinds: Drawings): Extension => [drawings.of(kinds), field];

/** The drawn block whose lines hold a place; null where there is none. */
export function blockAt(state: EditorState, at: number): { readonly from: number; readonly to: number; readonly opens: boolean } | null {
  let result: { from: number; to: number; opens: boolean } | null = null;
  state.field(field, false)?.found.between(at, at, (from, to, { block }) => {
    result = { from, to, opens: block.opens };
  });
  return result;
}

const replaced = new WeakMap<DecorationSet, DecorationSet>();

/** Only what stands instead of lines is stepped over. */
function replacedOf(shown: DecorationSet): DecorationSet {
  let known = replaced.get(shown);
  if (known === undefined) {
    known = shown.update({ filter: (from, to) => from < to });
    replaced.set(shown, known);
  }
  return known;
}
