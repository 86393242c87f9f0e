import { z } from 'zod';
import type { Match, SearchQuery } from '#kernel/search-pattern';
import type { FaultDetail } from '#protocol/fault';
import { fileHash as base, path } from '#protocol/input-part';

const globs = z.array(z.string().max(1000)).max(100);
const query = {
  text: z.string().max(10_000),
  isExpression: z.boolean(),
  matchesCase: z.boolean(),
  wholeWords: z.boolean(),
};

/** The most documents that one replacement may name. */
const replaceLimit = 5000;

/** What a face may ask of the search, each with the schema of its input. */
export const searchInputs = {
  'search/find': z.strictObject({ ...query, include: globs, exclude: globs, after: path.nullable() }),
  'search/replace': z.strictObject({
    query: z.strictObject(query),
    replacement: z.string().max(100_000),
    files: z
      .array(z.strictObject({ path, base, starts: z.array(z.int().min(0)).max(100_000).nullable() }))
      .min(1)
      .max(replaceLimit),
  }),
} as const;

/** A query over the documents of a workspace. Globs are those of `.gitignore`; without any in `include`, every document is looked into. */
export interface SearchRequest extends SearchQuery {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** Goes on behind this document; null begins. */
  readonly after: string | null;
}

/** A match with the line it begins in: `line` counts from 1, `start` and `end` are places in the file's text, in UTF-16 units. */
export interface FoundMatch extends Match {
  readonly line: number;
  readonly before: string;
  readonly text: string;
  readonly behind: string;
}

/** The matches in one document; `base` is the SHA-256 of its bytes, in hex. `more`: there are others that are not listed. */
export interface FoundFile {
  readonly path: string;
  readonly base: string;
  readonly matches: readonly FoundMatch[];
  readonly more: boolean;
}

/**
 * A part of the answer, in order of paths. `after` is where the next part begins; null: this was the last one. `invalid`:
 * the expression cannot be read; `too-slow`: it takes so long on a document that it was given up.
 */
export type SearchPart =
  | {
      readonly kind: 'found';
      readonly files: readonly FoundFile[];
      readonly after: string | null;
      /** How many documents were looked for so far, and in all. */
      readonly searched: number;
      readonly of: number;
      /** In the first part and in the last: documents that are too large to be looked into, cannot be read, or are not in UTF-8. */
      readonly skipped: readonly string[];
    }
  | { readonly kind: 'invalid' | 'too-slow' };

/** Matches that are to be replaced in one document as it was found; `starts` null: all of them, also those that were not listed. */
export interface WantedReplacement {
  readonly path: string;
  readonly base: string;
  readonly starts: number[] | null;
}

/** What became of one document. `conflict`: it is not as it was found any more, and was left alone. */
export type FileOutcome =
  | { readonly path: string; readonly kind: 'done'; readonly count: number }
  | { readonly path: string; readonly kind: 'conflict' }
  | { readonly path: string; readonly kind: 'failed'; readonly code: string; readonly detail: FaultDetail };

/** What became of a replacement; `undo` takes it back (`files/undo`), null where nothing was written. */
export interface Replaced {
  readonly undo: string | null;
  readonly files: readonly FileOutcome[];
}

/** What each call of the search answers. */
export interface SearchOutputs {
  'search/find': SearchPart;
  'search/replace': Replaced;
}
