import { z } from 'zod';
import { fileHash as base, path, uuid } from '#protocol/input-part';
import type { FileOutcome } from '#protocol/search-calls';

const moves = z
  .array(z.strictObject({ from: path, to: path }))
  .min(1)
  .max(1000);

/** What a face may do with files and folders as such, each with the schema of its input. */
export const fileInputs = {
  'files/create-folder': z.strictObject({ path }),
  'files/plan-move': z.strictObject({ moves }),
  'files/move': z.strictObject({ moves, links: z.array(z.strictObject({ path, base })).max(50_000) }),
  'files/duplicate': z.strictObject({ path }),
  'files/trash': z.strictObject({ paths: z.array(path).min(1).max(1000), forever: z.boolean() }),
  'files/reveal': z.strictObject({ path }),
  'files/undo': z.strictObject({ undo: uuid }),
  /** Which documents link to a file. */
  'files/links-to': z.strictObject({ path }),
  /** The tags of all documents. */
  'files/tags': z.strictObject({}),
} as const;

/** A file or a folder that changes its path; what is in a folder goes with it. */
export interface Move {
  readonly from: string;
  readonly to: string;
}

/** One link that must change, with the line it stands in as it is and as it would be; `line` counts from 1, `start` is its place in UTF-16 units. */
export interface LinkChange {
  readonly start: number;
  readonly line: number;
  readonly before: string;
  readonly after: string;
}

/** The links of one document that a move would break; `path` is where it is now, `base` the SHA-256 of its bytes in hex. */
export interface LinkPlan {
  readonly path: string;
  readonly base: string;
  readonly changes: readonly LinkChange[];
}

/** What became of a move: which paths are others now, and of each document whose links were to be kept. */
export interface Moved {
  readonly undo: string;
  readonly moves: readonly Move[];
  readonly links: readonly FileOutcome[];
}

/** What became of a deletion. `no-trash`: this system has none that could be reached, and nothing was deleted. `undo` null: it cannot be taken back here. */
export type Trashed =
  | { readonly kind: 'trashed' | 'deleted'; readonly undo: string | null }
  | { readonly kind: 'no-trash'; readonly reason: string };

/** What became of taking something back. `gone`: it was taken back already, or is too long ago. */
export interface Undone {
  readonly kind: 'undone' | 'gone';
  readonly moves: readonly Move[];
  readonly files: readonly FileOutcome[];
}

/** A link that leads to a file: the document that it stands in, its line (counted from 1), and what is written around it. */
export interface LinkSource {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

/** A tag, without its `#`, and the documents that have it: how many, and the first of them by their paths. */
export interface TagUse {
  readonly tag: string;
  readonly count: number;
  readonly paths: readonly string[];
}

/** What each call about files answers. */
export interface FileOutputs {
  'files/create-folder': { readonly undo: string };
  'files/plan-move': { readonly links: readonly LinkPlan[] };
  'files/move': Moved;
  'files/duplicate': { readonly path: string; readonly undo: string };
  'files/trash': Trashed;
  'files/reveal': { readonly kind: 'shown' };
  'files/undo': Undone;
  /** `more`: there are others that are not listed. */
  'files/links-to': { readonly links: readonly LinkSource[]; readonly more: boolean };
  /** The most used first. */
  'files/tags': { readonly tags: readonly TagUse[] };
}
