import type { Code } from '#core/grammars/code';
import type { NormalForm, Writer } from '#core/grammars/normal-form';
import type { Language } from '#kernel/declaration';

/** A piece of a signature: a node, or something that is written. */
export type ShapePart = number | ((writer: Writer) => void);

/** A declaration as a table finds it, before it is hashed. */
export interface Found {
  readonly kind: string;
  readonly name: string;
  /** The name with what tells overloads apart (`move(to:)`); the name itself if that is all. */
  readonly label?: string;
  /** The label with types too, used only where the label is not enough. */
  readonly typedLabel?: string;
  /** The statement that it stands in, from and to the last node of it. */
  readonly from: number;
  readonly to: number;
  /** The node that says its lines, where its statement declares more than it. */
  readonly lines?: number;
  /** Parameters, types, modifiers, decorators. */
  readonly shape: readonly ShapePart[];
  /** What it does; [] if it has no body. */
  readonly body: readonly number[];
  readonly visibility: string;
  /** A container that the name stands in besides the scope, as the receiver of a Go method. */
  readonly container?: string;
  /** Nodes whose children are its members. */
  readonly members?: readonly number[];
  /** One signature of several: those that follow each other with the same name are one declaration with the last. */
  readonly isOverload?: boolean;
}

/** Where a declaration may stand. */
export interface Scope {
  /** Qualified name of the container; '' at the top. */
  readonly container: string;
  /** The container's own name; '' at the top. */
  readonly owner: string;
  /** Kind of the container; '' at the top. */
  readonly kind: string;
  /** What was seen before it among its siblings that belongs to it: decorators, attributes. */
  readonly prefix: readonly number[];
  /** What else makes a name visible: for a name of the top level its exports elsewhere in the file. */
  exported(name: string): string;
}

/** Nodes whose children are looked at as if they stood here, or in a container that is no declaration. */
export interface Through {
  readonly through: readonly number[];
  readonly container?: string;
}

/** What a node is to the walk: declarations, something to look through, or nothing. */
export type Finding = readonly Found[] | Through | null;

/** All that is particular to a language. */
export interface Table {
  readonly language: Language;
  /** Package and version of the grammar. */
  readonly grammar: string;
  readonly comments: readonly string[];
  readonly form: NormalForm;
  /** Kinds that stand before a declaration as siblings and belong to it. */
  readonly prefixes: readonly string[];
  /** What a node declares. */
  find(code: Code, node: number, scope: Scope): Finding;
  /** Names of the top level that other statements of the file make visible, with the words for it. */
  exports?(code: Code): ReadonlyMap<string, string>;
  /** Whether a place where the parser stumbled is a known mistake of the grammar that spoils nothing around it. */
  isHarmless?(code: Code, node: number): boolean;
  /** Whether what belongs to a declaration may have been read as something before it, as it happens where the parser stumbled elsewhere. */
  mayBeCutOff?(code: Code, node: number): boolean;
  /** Whether a declaration's text begins with the indentation of its first line, which its next lines count on. */
  readonly isIndented?: boolean;
  /** Texts around a member so that it parses alone, in the order in which they are tried: before and after. */
  readonly frames: readonly (readonly [before: string, after: string])[];
}

/** The children of the modifiers of a declaration that say no visibility, as they count one by one. */
export function modifiersOf(code: Code, node: number, visibility: (word: string) => boolean): ShapePart[] {
  const modifiers = code.child(node, 'modifiers');
  return modifiers < 0 ? [] : code.children(modifiers).filter((child) => !visibility(code.text(child)));
}

/** Children of a declaration without its modifiers and the words that say its kind. */
export const withoutWords = (code: Code, children: readonly number[], words: RegExp): number[] =>
  children.filter((child) => code.kind(child) !== 'modifiers' && !words.test(code.kind(child)));

/** How a language whose modifiers stand before its declarations makes a finding: they come first in its shape, those of visibility apart. */
export function makerWith(visible: (word: string) => boolean, visibilityIn: (code: Code, node: number) => string) {
  return (
    code: Code,
    node: number,
    kind: string,
    name: string,
    own: readonly ShapePart[],
    body: readonly number[],
    extra: Partial<Found> = {},
  ): Found => {
    const shape = [...modifiersOf(code, node, visible), ...own];
    return { kind, name, from: node, to: node, shape, body, visibility: visibilityIn(code, node), ...extra };
  };
}
