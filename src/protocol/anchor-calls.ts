import { z } from 'zod';
import { path, uuid } from '#protocol/input-part';
import type { Outputs } from '#protocol/outputs';

const section = z.array(z.string().max(512)).max(16);
const repository = z.string().min(1).max(200).nullable();
const note = z.string().max(4096);

/** What an anchor is tied to: a declaration by its name (and its kind, where names are not enough), or lines from 1, both included. */
export const anchorTarget = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('declaration'), name: z.string().min(1).max(4096), declared: z.string().min(1).max(200).nullable() }),
  z.strictObject({
    kind: z.literal('lines'),
    lines: z.strictObject({ start: z.int().positive(), end: z.int().positive() }),
  }),
]);

/** What an anchor is tied to. */
export type AnchorTarget = z.infer<typeof anchorTarget>;

/** What a face may do with code anchors, each with the schema of its input. `repository` null: the workspace itself. */
export const anchorInputs = {
  /** Anchors as the breakdown that was computed last saw them: those that ask something, those as they were, those given up. */
  'anchor/page': z.strictObject({
    group: z.enum(['waiting', 'fresh', 'retired']),
    offset: z.int().min(0),
    limit: z.int().min(1).max(200),
    search: z.string().max(200),
  }),
  /** Looks at the code of one anchor: as it was at the baseline, as it is, and the text that describes it. */
  'anchor/look': z.strictObject({ id: uuid }),
  /** The anchors of a document as the ledger has them; no code is looked at. */
  'anchor/of-document': z.strictObject({ path }),
  'anchor/add': z.strictObject({ path, section, repository, file: path, target: anchorTarget }),
  'anchor/confirm': z.strictObject({ id: uuid, hashSeen: z.string().min(1).max(256), note, idem: uuid }),
  'anchor/rebind': z.strictObject({ id: uuid, repository, file: path, target: anchorTarget }),
  'anchor/remove': z.strictObject({ id: uuid }),
  /** *Describes removed code*, with a reason; null takes it back. */
  'anchor/retire': z.strictObject({ id: uuid, reason: note.trim().min(1).nullable() }),
  /** The files of a repository that could be anchored to. */
  'code/files': z.strictObject({ repository }),
  /** What a file declares, and its text to preview it. */
  'code/declarations': z.strictObject({ repository, file: path }),
} as const;

/** An anchor as a check saw it. */
export type CheckedAnchor = Outputs['anchors-check']['anchors'][number];
/** An anchor whose text is said to describe code that is gone. */
export type RetiredAnchor = Outputs['anchors-check']['retired'][number];
/** An anchor of a document, as the ledger has it. */
export type ListedAnchor = Outputs['anchors-list']['anchors'][number];

/** What of the code a breakdown saw, without its rows. */
export interface CodeSummary {
  /** Every anchor was checked; where not, `limit` says what was spent, or null where files could not be read. */
  readonly complete: boolean;
  readonly limit: Outputs['anchors-check']['budget']['limit'];
  /** How many ask something: changed, moved, gone, or not checked. */
  readonly waiting: number;
  readonly unchecked: number;
  readonly fresh: number;
  readonly retired: number;
  /** How many are ranges of lines, of all. */
  readonly fallback: Outputs['anchors-check']['fallback_share'];
}

/** An anchor in a list of the window; `isUnchecked`: it keeps the state it had. */
export interface AnchorRow {
  readonly anchor: CheckedAnchor;
  readonly isUnchecked: boolean;
}

/** A page of anchors by document, file and name; `retired` holds those given up, `rows` all others. */
export interface AnchorPage {
  readonly asOf: number;
  readonly total: number;
  readonly rows: readonly AnchorRow[];
  readonly retired: readonly RetiredAnchor[];
}

/** Code at a place; `text` null: no copy is left. Lines count from 1. */
export interface CodeText {
  readonly text: string | null;
  readonly file: string;
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** An anchor looked at: then and now, and the text beside. `now` null: it is gone, or was not looked at. */
export interface AnchorLook extends AnchorRow {
  readonly before: CodeText & { readonly at: string; readonly by: string };
  readonly now: CodeText | null;
  /** What a confirmation says it saw; null where there is nothing to confirm. */
  readonly hash: string | null;
  /** The text that describes it: of its section, or of the whole document; null where that is not there. */
  readonly text: string | null;
}

/** A declaration that can be chosen; `damaged`: in a part that could not be read, and so not to be anchored to. */
export interface ChoosableDeclaration {
  readonly kind: string;
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly damaged: boolean;
}

/** A file of code with what it declares, in its order; `language` null: only lines of it can be anchored to. */
export interface CodeOfFile {
  readonly language: string | null;
  readonly text: string;
  readonly declarations: readonly ChoosableDeclaration[];
  readonly parseErrors: number;
}

/** What each call about code anchors answers. */
export interface AnchorOutputs {
  'anchor/page': AnchorPage;
  'anchor/look': AnchorLook;
  'anchor/of-document': { readonly anchors: readonly ListedAnchor[] };
  'anchor/add': { readonly id: string };
  'anchor/confirm': { readonly changed: boolean };
  'anchor/rebind': { readonly id: string };
  'anchor/remove': { readonly id: string };
  'anchor/retire': { readonly id: string };
  /** `more`: there are others that are not listed. */
  'code/files': { readonly files: readonly string[]; readonly more: boolean };
  'code/declarations': CodeOfFile;
}
