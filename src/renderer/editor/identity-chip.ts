import { type EditorState, type Extension, type Range, RangeSet, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, WidgetType } from '@codemirror/view';
import { frontOf } from './front.ts';

/** How the chip of a document reads, and whether its identity block is shown as text all the same. */
export interface ChipWords {
  /** Null: the document has no chip. */
  readonly label: string | null;
  readonly title: string;
  readonly showsBlock: boolean;
}

/** Says anew how the chip reads. */
export const setChip = StateEffect.define<ChipWords>();

const noChip: ChipWords = { label: null, title: '', showsBlock: true };
const words = StateField.define<ChipWords>({
  create: () => noChip,
  update: (value, { effects }) => effects.reduce((now, effect) => (effect.is(setChip) ? effect.value : now), value),
});

class Chip extends WidgetType {
  readonly label: string;
  readonly title: string;
  constructor(label: string, title: string) {
    super();
    this.label = label;
    this.title = title;
  }
  override eq(other: Chip): boolean {
    return other.label === this.label && other.title === this.title;
  }
  override toDOM(): HTMLElement {
    const line = document.createElement('div');
    line.className = 'cm-chip-line';
    const chip = line.appendChild(document.createElement('span'));
    chip.className = 'cm-chip';
    chip.textContent = this.label;
    chip.title = this.title;
    return line;
  }
  override get estimatedHeight(): number {
    return 44;
  }
}

function chipDecorations(state: EditorState): DecorationSet {
  const { label, title, showsBlock } = state.field(words);
  const hidden = showsBlock ? [] : (frontOf(state.doc)?.identity ?? []);
  const ranges: Range<Decoration>[] = [];
  if (label !== null) ranges.push(Decoration.widget({ widget: new Chip(label, title), block: true, side: -2 }).range(0));
  for (const { from, to } of hidden) ranges.push(Decoration.replace({ block: true }).range(from, to));
  return RangeSet.of(ranges, true);
}

const decorations = StateField.define<DecorationSet>({
  create: chipDecorations,
  update(value, transaction) {
    const isSaid = transaction.effects.some((effect) => effect.is(setChip));
    // The front is read again only where it may have changed: near the start of the document.
    const isNear = transaction.docChanged && transaction.changes.touchesRange(0, frontReach(transaction.startState)) !== false;
    if (isSaid || isNear) return chipDecorations(transaction.state);
    return transaction.docChanged ? value.map(transaction.changes) : value;
  },
  provide: (field) => [
    EditorView.decorations.from(field),
    EditorView.atomicRanges.of((view) => view.state.field(field).update({ filter: (from, to) => from < to })),
  ],
});

function frontReach(state: EditorState): number {
  return Math.max(4, frontOf(state.doc)?.all.to ?? 4) + 1;
}

/** Shows a chip above the text, and the chip instead of the identity block. */
export const identityChip: Extension = [words, decorations];
