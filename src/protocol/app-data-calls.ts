import { z } from 'zod';
import type { appDataParts } from '#protocol/app-data-part';
import { fileHash as base, path } from '#protocol/input-part';
import type { FileOutcome } from '#protocol/search-calls';

/** What a face may ask of what is kept outside the workspace, and of ending what is kept in it, each with the schema of its input. */
export const appDataInputs = {
  'app-data/sizes': z.strictObject({}),
  /** Deletes what is kept of this workspace. Recovery is deleted session by session (`journal/forget`). */
  'app-data/delete': z.strictObject({ part: z.enum(['history', 'search']) }),
  /** Remembers that a window shows this folder, and lists the folders that windows showed. */
  'folders/opened': z.strictObject({}),
  'folders/recent': z.strictObject({}),
  /** Takes a folder off that list; the folder itself is left alone. */
  'folders/forget': z.strictObject({ root: path }),
  /** The documents that carry an id, with the lines that would go. Writes nothing. */
  'tracking/plan-stop': z.strictObject({}),
  /** Turns provenance off here and takes the ids out of these documents, each over the bytes that were planned from. */
  'tracking/stop': z.strictObject({ documents: z.array(z.strictObject({ path, base })).max(50_000) }),
} as const;

/** One part of the app data: where it is, how large it is for this workspace and for all, in bytes. */
export interface AppDataPart {
  readonly part: (typeof appDataParts)[number];
  readonly folder: string;
  readonly here: number;
  readonly all: number;
}

/** A folder that a window showed, by its absolute path. */
export interface RecentFolder {
  readonly root: string;
  readonly isThere: boolean;
}

/** A document that carries an id, by the SHA-256 of its bytes in hex; `lines` are those that would be taken out, none where it is known by its path. */
export interface StampedDocument {
  readonly path: string;
  readonly base: string;
  readonly lines: readonly string[];
}

/** What each of these calls answers. */
export interface AppDataOutputs {
  'app-data/sizes': { readonly parts: readonly AppDataPart[] };
  'app-data/delete': { readonly parts: readonly AppDataPart[] };
  'folders/opened': { readonly folders: readonly RecentFolder[] };
  'folders/recent': { readonly folders: readonly RecentFolder[] };
  'folders/forget': { readonly folders: readonly RecentFolder[] };
  'tracking/plan-stop': { readonly documents: readonly StampedDocument[] };
  'tracking/stop': { readonly documents: readonly FileOutcome[] };
}
