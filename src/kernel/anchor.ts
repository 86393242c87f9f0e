import { type Declaration, familyOf, type Language } from '#kernel/declaration';

/** What a code anchor is in; `fresh` asks nothing (code-anchors §2). */
export const anchorStates = ['fresh', 'stale', 'moved-renamed', 'lost'] as const;

/** One of `anchorStates`. */
export type AnchorState = (typeof anchorStates)[number];

/** Why an anchor could not be checked; it keeps the state it had. */
export const uncheckedReasons = ['parse_error', 'unreadable', 'too_large', 'budget'] as const;

/** One of `uncheckedReasons`. */
export type UncheckedReason = (typeof uncheckedReasons)[number];

/** Why a linked repository as a whole could not be read: what is gone, or what a person has still to do. */
export const repositoryProblems = ['unlinked', 'folder-missing', 'ref-missing', 'unconfirmed', 'unfetched'] as const;

/** One of `repositoryProblems`. */
export type RepositoryProblem = (typeof repositoryProblems)[number];

/** Why an anchor is in its state (code-anchors §5). */
export const anchorReasons = [
  'identity_matched',
  'body_changed',
  'signature_changed',
  'visibility_changed',
  'moved',
  'renamed',
  'moved_and_renamed',
  'kind_changed',
  'reverted',
  'file_missing',
  'declaration_missing',
  'ambiguous',
  'range_changed',
  'range_missing',
  'range_relocated',
  ...uncheckedReasons,
] as const;

/** One of `anchorReasons`. */
export type AnchorReason = (typeof anchorReasons)[number];

/** The kind of an anchor on lines. */
export const rangeKind = 'lines';

/** How sure a body must be to be a successor that was changed too: this like, and the next this far behind. */
export const likeness = { least: 0.8, ahead: 0.15 } as const;

/** Less like than this is suggested to nobody; a changed body of the same name elsewhere that is less like is another thing. */
export const suggestedLikeness = 0.5;

/** Below this a declaration of the same name in another file is not the one that left. */
export const unrelatedLikeness = 0.3;

/** The hashes of a declaration as one recipe gives them. */
export interface Hashes {
  readonly token: string;
  readonly body: string;
  readonly signature: string;
  /** The signature without visibility. */
  readonly shape: string;
}

/**
 * A declaration that stood elsewhere when the baseline was made, and so is nobody's successor: of the same identity, of
 * the same body, or so like it that an edit could make it seem one.
 */
export interface Twin {
  readonly file: string;
  readonly kind: string;
  /** Its plain name: what tells overloads apart changes with them. */
  readonly name: string;
  readonly match: 'identity' | 'body' | 'near';
  readonly token_hash: string;
  /** How like its body was, from 0 to 1. */
  readonly similarity: number;
}

/** A declaration as it was when a person last said that the text describes it. */
export interface Baseline {
  readonly language: Language;
  readonly kind: string;
  readonly qualifiedName: string;
  readonly baseName: string;
  readonly plainName: string;
  readonly container: string;
  readonly file: string;
  readonly bodyTokens: number;
  /** The hashes by the recipe of each language of the family that the code is in now; null where they cannot be made. */
  readonly hashes: (language: Language) => Hashes | null;
  /** Sorted trigrams of the body, where they can be made. */
  readonly trigrams: Uint32Array | null;
  /** `kind plainName` of all that had the base name in the same container. */
  readonly names: readonly string[];
  readonly twins: readonly Twin[];
  /** Whether the hashes of the twins are by the present recipe. */
  readonly comparable: boolean;
}

/** A declaration, and the file it is in. */
export interface Found {
  readonly file: string;
  readonly declaration: Declaration;
}

/** A declaration that a person may look at. */
export interface Candidate {
  readonly file: string;
  readonly kind: string;
  readonly qualified_name: string;
  readonly line_start: number;
  readonly line_end: number;
  /** How like its body is, from 0 to 1, where that was looked at. */
  readonly similarity?: number;
}

/** What the ladder found. `target` is the declaration that is meant now; nothing but `lost` is without. */
export type Verdict =
  | {
      readonly state: 'fresh' | 'stale' | 'moved-renamed';
      readonly reason: AnchorReason;
      readonly target: Found;
      readonly bodyChanged: boolean;
      readonly signatureChanged: boolean;
      /** The hashes that were compared with. */
      readonly expected: Hashes;
    }
  | {
      readonly state: 'lost';
      readonly reason: 'file_missing' | 'declaration_missing' | 'ambiguous';
      readonly candidates: readonly Candidate[];
    }
  | { readonly state: 'unchecked'; readonly reason: UncheckedReason };

/** The key of an identity: language family, kind and plain name. */
export const identityKey = (language: Language, kind: string, plainName: string): string => `${familyOf(language)}\n${kind}\n${plainName}`;

/** The hashes of a declaration that was just read. */
export function hashesOf({ tokenHash, bodyHash, signatureHash, shapeHash }: Declaration): Hashes {
  return { token: tokenHash, body: bodyHash, signature: signatureHash, shape: shapeHash };
}

/** A found declaration for people. */
export function candidateOf({ file, declaration }: Found, similarity?: number): Candidate {
  const { kind, qualifiedName, lineStart, lineEnd } = declaration;
  const about = { file, kind, qualified_name: qualifiedName, line_start: lineStart, line_end: lineEnd };
  return similarity === undefined ? about : { ...about, similarity: Math.round(similarity * 100) / 100 };
}
