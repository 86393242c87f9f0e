import { z } from 'zod';
import { acceptance, type pinnedInput, inputRole as role } from '#protocol/acceptance';
import { type Encoding, type EncodingSample, encodings } from '#protocol/encoding';
import { contentHash, fileHash, path, revision, uuid } from '#protocol/input-part';
import type { DropReason } from '#protocol/state';

const base = fileHash.nullable();
/** The longest text that may be saved: 64 MiB of UTF-16. */
const text = z.string().max(64 * 1024 * 1024);
/** A file of at most 48 MiB. */
const base64 = z.base64().max(64 * 1024 * 1024);

const encoding = z.enum(encodings);

/**
 * What a face may ask of documents and of what is put beside them, each with the schema of its input.
 * A save carries the client's `idem`: repeated after a lost answer it records nothing twice.
 */
export const documentInputs = {
  /** Read as UTF-8 unless an `encoding` is named; `chosen`: even where the file is UTF-8. */
  'document/open': z.strictObject({ path, encoding: encoding.optional(), chosen: z.boolean().optional() }),
  /** How a file reads in each encoding. */
  'document/encodings': z.strictObject({ path }),
  /**
   * `auto`: the file is written now and recorded later. `descends`: the content that the buffer descends from, where the
   * writer settled what somebody else wrote. `accepted`: text of models since the last save that still stands, `undone`
   * what of earlier saves was taken back.
   */
  'document/save': z.strictObject({
    path,
    text,
    base,
    idem: uuid,
    encoding: encoding.optional(),
    auto: z.boolean().optional(),
    descends: contentHash.nullable().optional(),
    accepted: z.array(acceptance).max(512).optional(),
    undone: z.array(uuid).max(512).optional(),
  }),
  /** Records what autosave left due, in one document or in all. */
  'document/settle': z.strictObject({ path: path.nullable() }),
  /** Puts an earlier version back, as the file is written; `revision` as it is named or shown (`v3`). */
  'document/restore': z.strictObject({ path, revision: z.string().min(1).max(100), base, idem: uuid }),
  /** Ids that stand in several files: duplicates that hold a document, and conflicted copies of sync clients. */
  'document/copies': z.strictObject({}),
  /** *This copy is a new document*: gives a file of those an id of its own. */
  'document/make-new': z.strictObject({ path, base: base.unwrap() }),
  /** How the current versions of a document, and a conflicted copy of it if one is named, would become one. */
  'document/propose-join': z.strictObject({ path, copy: path.nullable() }),
  /** Records a join: a text, or one side as it is, with all current versions as parents; `moved` if any is not as it was proposed. */
  'document/join': z.strictObject({
    path,
    copy: path.nullable(),
    heads: z.array(revision).max(1000),
    base,
    content: contentHash.nullable(),
    result: z.union([z.strictObject({ text }), z.strictObject({ take: contentHash })]),
    idem: uuid,
  }),
  /** Pins documents that are about to be read for a write of `path` (null: for none yet), as they are now. */
  'document/pin': z.strictObject({ path: path.nullable(), inputs: z.array(z.strictObject({ path, role })).max(512) }),
  'document/create': z.strictObject({ path, text }),
  'document/put-asset': z.strictObject({ path, folder: z.string().min(1).max(200), name: z.string().min(1).max(200), bytes: base64 }),
  'picture/fetch': z.strictObject({ url: z.url({ protocol: /^https?$/ }).max(4096) }),
} as const;

/** Whether and how a document is tracked: by the id in its frontmatter, by its path (and why), or not. */
export interface Tracking {
  readonly by: 'id' | 'path' | null;
  readonly reason: string | null;
}

/**
 * A document as it was read. `text` is the file as it is on disk, BOM and line breaks included; `base` names its
 * bytes for the next save. Without `encoding` it is UTF-8. `readOnly`: it could not be written again as it is, because it is not in that
 * encoding; what is no text at all is only said.
 */
export type OpenedDocument =
  | {
      readonly kind: 'text';
      readonly text: string;
      readonly base: string;
      /** Names the text for the ledger, whatever its line endings and block; null where there is none to record it. */
      readonly content: string | null;
      readonly tracking: Tracking;
      readonly encoding?: Encoding;
      readonly readOnly?: 'not-utf-8' | 'inexact';
    }
  | { readonly kind: 'not-text'; readonly bytes: number };

/** What the ledger has of a save: an entry, nothing because provenance is off here, nothing yet (`due`), or why it could not be recorded. */
export type RecordedAs =
  | { readonly kind: 'recorded' | 'unchanged' | 'off' | 'due' }
  | { readonly kind: 'failed'; readonly code: string; readonly detail: Readonly<Record<string, string | number>> };

/** What became of a save. `saved.text` is what is on disk now: with an identity block, where one was put in. */
export type SavedDocument =
  | {
      readonly kind: 'saved';
      readonly text: string;
      readonly base: string;
      readonly content: string | null;
      readonly recorded: RecordedAs;
      readonly tracking: Tracking;
    }
  | {
      readonly kind: 'conflict';
      readonly text: string | null;
      readonly base: string | null;
      readonly content: string | null;
      readonly encoding?: Encoding;
      readonly readOnly?: 'not-utf-8' | 'inexact';
    };

/** A text that autosave had left due, and what became of recording it. */
export interface SettledDocument {
  readonly path: string;
  readonly recorded: RecordedAs;
}

/** Documents as they were read, each pinned at a revision, and those that cannot be. */
export interface PinnedDocuments {
  readonly inputs: readonly z.infer<typeof pinnedInput>[];
  readonly dropped: readonly { readonly path: string; readonly reason: DropReason }[];
}

/** Files that share an id: a held document in all its files, and conflicted copies with the document that they are of. */
export interface DocumentCopies {
  readonly held: readonly { readonly object: string; readonly paths: readonly string[] }[];
  readonly copies: readonly { readonly object: string; readonly path: string; readonly of: string }[];
}

/** A copy that became a document of its own; `text` is what is on disk now. */
export interface NewDocument {
  readonly object: string;
  readonly derivedFrom: string;
  readonly text: string;
  readonly base: string;
}

/** A part of a join: agreed text, or what each side has where several changed it. Line breaks are LF, blocks are left out. */
export type JoinPart =
  | { readonly kind: 'same'; readonly text: string }
  | { readonly kind: 'conflict'; readonly base: string; readonly sides: readonly string[] };

/** One of the versions that are to be one again; `copy` names the file of a conflicted copy, `text` is null where there is none. */
export interface JoinSide {
  readonly revision: string | null;
  readonly label: string | null;
  readonly copy: string | null;
  readonly content: string;
  readonly text: string | null;
  /** When it was made and by whom, as of a `VersionText`; null for a copy that no entry records. */
  readonly time: string | null;
  readonly agent: string | null;
  readonly by: string | null;
}

/** What a join would be; `parts` is null where a side is no text, so that one of them can be taken. */
export interface JoinProposal {
  readonly object: string;
  readonly path: string;
  readonly base: string | null;
  readonly heads: readonly string[];
  readonly ancestor: { readonly revision: string; readonly label: string } | null;
  readonly sides: readonly JoinSide[];
  readonly parts: readonly JoinPart[] | null;
}

/** What became of a join; `text` is null where the joined document is no text. */
export type JoinedDocument =
  | { readonly kind: 'joined'; readonly revision: string; readonly text: string | null; readonly base: string }
  | { readonly kind: 'moved' };

/** Where a file was put, as a path of the workspace and as a link from the document sees it (not encoded). */
export interface PutAsset {
  readonly path: string;
  readonly link: string;
}

/** A picture of another computer that the writer asked to see. */
export interface FetchedPicture {
  readonly type: string;
  /** Base64. */
  readonly bytes: string;
}

/** What each call of them answers. */
export interface DocumentOutputs {
  'document/open': OpenedDocument;
  'document/encodings': { readonly samples: readonly EncodingSample[] };
  'document/save': SavedDocument;
  'document/settle': { readonly settled: readonly SettledDocument[] };
  'document/restore': SavedDocument;
  'document/copies': DocumentCopies;
  'document/make-new': NewDocument;
  'document/propose-join': JoinProposal;
  'document/join': JoinedDocument;
  'document/pin': PinnedDocuments;
  'document/create': OpenedDocument;
  'document/put-asset': PutAsset;
  'picture/fetch': FetchedPicture;
}
