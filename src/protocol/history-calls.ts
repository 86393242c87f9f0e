import { z } from 'zod';
import type { SavedDocument } from '#protocol/document-calls';
import { fileHash, path, uuid } from '#protocol/input-part';

const base = fileHash.nullable();
const version = z.string().regex(/^(?:rev1:[0-9a-f]{64}|kept:[0-9a-f]{64})$/);

/** What a face may ask of the history of a document, each with the schema of its input. */
export const historyInputs = {
  'history/list': z.strictObject({ path }),
  'history/text': z.strictObject({ path, version }),
  /** Puts a version back, as the file is written; `base` names the file as it was seen, null for one that is gone. */
  'history/restore': z.strictObject({ path, version, base, idem: uuid }),
} as const;

/** Who made a version: the writer, another writer of the workspace, a model in the editor, an agent through its tools, git, or a program that nobody knows. */
export type VersionAuthor = 'you' | 'writer' | 'ai' | 'agent' | 'git' | 'outside';

/** A version of a document that was saved. */
export interface SavedVersion {
  /** By which it is asked for. */
  readonly version: string;
  /** ms since 1970. */
  readonly at: number;
  readonly author: VersionAuthor;
  /** The name of who made it, where there is one. */
  readonly name: string | null;
  /** What was done: the kind that the ledger has (`restore`, `join` …); null where that is not known. */
  readonly act: string | null;
  /** `v3`; null outside the ledger. */
  readonly label: string | null;
  /** Whether the file holds it now. */
  readonly isNow: boolean;
}

/** What each call about history answers. */
export interface HistoryOutputs {
  /** Newest first. `isTracked`: the ledger keeps them for good; else the app data does, fewer as they grow old. */
  'history/list': { readonly versions: readonly SavedVersion[]; readonly isTracked: boolean };
  /** Line breaks and byte order mark as stored; null where it is no text. */
  'history/text': { readonly text: string | null; readonly bytes: number };
  'history/restore': SavedDocument;
}
