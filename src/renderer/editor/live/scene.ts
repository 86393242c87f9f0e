import type { EditorState, Range } from '@codemirror/state';
import { Decoration, type WidgetType } from '@codemirror/view';
import type { SyntaxNodeRef } from '@lezer/common';
import type { LineShapes } from './line.ts';

/** What is drawn of the part of a document that is seen, while it is gathered. */
export interface Scene {
  readonly state: EditorState;
  readonly shapes: LineShapes;
  readonly seen: { readonly from: number; readonly to: number };
  readonly ranges: Range<Decoration>[];
  /** Whether an element shows its marks. */
  isRevealed(from: number, to: number): boolean;
}

/** Draws one kind of element; answers false where nothing inside it is to be looked at. */
export type Draw = (scene: Scene, node: SyntaxNodeRef) => boolean | undefined;

const hidden = Decoration.replace({});
const classes = new Map<string, Decoration>();

/** Hides a range that holds no line break. */
export function hide({ ranges }: Scene, from: number, to: number): void {
  if (from < to) ranges.push(hidden.range(from, to));
}

/** Gives a range a class. */
export function mark({ ranges }: Scene, name: string, from: number, to: number): void {
  if (from >= to) return;
  let known = classes.get(name);
  if (known === undefined) {
    known = Decoration.mark({ class: name });
    classes.set(name, known);
  }
  ranges.push(known.range(from, to));
}

/** Gives a range attributes. */
export function dress({ ranges }: Scene, attributes: Record<string, string>, from: number, to: number): void {
  if (from < to) ranges.push(Decoration.mark({ attributes }).range(from, to));
}

/** Draws a widget instead of a range that holds no line break. */
export function replace({ ranges }: Scene, widget: WidgetType, from: number, to: number): void {
  if (from < to) ranges.push(Decoration.replace({ widget }).range(from, to));
}

/** Draws a widget behind a place. */
export function append({ ranges }: Scene, widget: WidgetType, at: number): void {
  ranges.push(Decoration.widget({ widget, side: 1 }).range(at));
}
