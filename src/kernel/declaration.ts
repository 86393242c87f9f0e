/** The languages whose declarations can be anchored to, one grammar each. */
export type Language = 'typescript' | 'tsx' | 'javascript' | 'swift' | 'kotlin' | 'python' | 'go' | 'rust' | 'java';

/** Languages that call the same things by the same names: a declaration may move within its family, never out of it. */
export type LanguageFamily = 'ecmascript' | 'swift' | 'kotlin' | 'python' | 'go' | 'rust' | 'java';

/** The family of a language. */
export function familyOf(language: Language): LanguageFamily {
  return language === 'typescript' || language === 'tsx' || language === 'javascript' ? 'ecmascript' : language;
}

/** The version of what is hashed and how. Another recipe means other hashes for the same code: re-hash, do not compare. */
export const HASH_RECIPE = 1;

/** Bodies with fewer leaf tokens (before normalising, brackets included) are everywhere and never recognised again. */
export const MIN_BODY_TOKENS = 8;

/** One thing that code declares. Two declarations are the same thing if language family, kind and qualified name agree. */
export interface Declaration {
  readonly language: Language;
  /** The language's own word: `function`, `fun`, `struct`, `getter`. */
  readonly kind: string;
  /** Containers and name joined by '.', with what tells overloads apart: `Bed.water(plants)`, `Arm.move(to:)`. */
  readonly qualifiedName: string;
  /** The name alone: no container, no labels, parameters or ordinal. */
  readonly baseName: string;
  /**
   * The qualified name before types or an ordinal told overloads of one name apart: of `demand(rows: Int)` it is
   * `demand(rows)`, of `Box#2` it is `Box`. Usually equal to `qualifiedName`. Adding or removing another overload changes
   * `qualifiedName` and leaves this alone, so identity is: the same kind and plain name; among several, the one with the
   * same qualified name, unless only another has the same content.
   */
  readonly plainName: string;
  /** The qualified name of what it stands in, '' at the top of a file. */
  readonly container: string;
  /** First and last line, from 1, both included; decorators and modifiers belong to it, comments before it do not. */
  readonly lineStart: number;
  readonly lineEnd: number;
  /** Where its text stands, in UTF-16 units of the decoded file: a whole statement, so that it can be parsed again alone. */
  readonly start: number;
  readonly end: number;
  /** SHA-256 in hex, of what it does, its own name apart. */
  readonly bodyHash: string;
  /** SHA-256 in hex, of how it is called: parameters, types, modifiers, decorators and visibility; not the name. */
  readonly signatureHash: string;
  /** The signature without its visibility: equal while `signatureHash` differs means that only visibility changed. */
  readonly shapeHash: string;
  /** Words of visibility: 'export', 'export default', 'public', … ; '' if none. */
  readonly visibility: string;
  /** SHA-256 in hex, over body and signature. */
  readonly tokenHash: string;
  /** Leaf tokens of the body before normalising, brackets included; see MIN_BODY_TOKENS. */
  readonly bodyTokens: number;
  /** Sorted 32-bit hashes of the body's token trigrams, its own name apart; only if asked for. See `similarity`. */
  readonly trigrams?: Uint32Array;
  /** Inside a damaged part of the parse: nothing that is said of it can be trusted. */
  readonly damaged: boolean;
  /** Damaged, or right beside a damaged part, which may have cut it off: that it is as it was can be trusted, that it changed cannot. */
  readonly besideDamage: boolean;
}

/** What one file declares. */
export interface ParsedFile {
  readonly language: Language;
  /** `recipe:grammar@version`. Hashes are comparable where this is equal. */
  readonly recipe: string;
  /** In the order of the file; of one container, members follow it. */
  readonly declarations: readonly Declaration[];
  /** Places where the parser did not understand the file. */
  readonly parseErrors: number;
  /** Says of itself that it was generated. */
  readonly generated: boolean;
}

/** How like two bodies are, from 0 to 1: shared trigrams against all (Dice, with multiplicity). */
export function similarity(left: Uint32Array, right: Uint32Array): number {
  if (left.length + right.length === 0) return 0;
  let shared = 0;
  for (let i = 0, j = 0; i < left.length && j < right.length; ) {
    const a = left[i] as number;
    const b = right[j] as number;
    if (a === b) shared++;
    if (a <= b) i++;
    if (b <= a) j++;
  }
  return (2 * shared) / (left.length + right.length);
}
