import { z } from 'zod';
import { parseInstant } from '#kernel/instant';
import { acceptance, type pinnedInput, inputRole as role } from '#protocol/acceptance';
import { type AgentOutputs, agentInputs } from '#protocol/agent-calls';
import { type AiOutputs, aiInputs } from '#protocol/ai-calls';
import { type AnchorOutputs, anchorInputs, type CodeSummary } from '#protocol/anchor-calls';
import { type AppDataOutputs, appDataInputs } from '#protocol/app-data-calls';
import { type ConfirmationOutputs, confirmationInputs } from '#protocol/confirmation-calls';
import type { ClaimEntry, ContextEntries, GrantEntry } from '#protocol/context-entry';
import { type Encoding, type EncodingSample, encodings } from '#protocol/encoding';
import { type ExportOutputs, exportInputs } from '#protocol/export-calls';
import { type FileOutputs, fileInputs, type Move } from '#protocol/file-calls';
import { type HistoryOutputs, historyInputs } from '#protocol/history-calls';
import { contentHash, fileHash, path, revision, uuid } from '#protocol/input-part';
import { type JournalOutputs, journalInputs } from '#protocol/journal-calls';
import type { Outputs } from '#protocol/outputs';
import { type PairOutputs, pairInputs } from '#protocol/pair-calls';
import { type RepositoryOutputs, type RepositoryProgress, repositoryInputs } from '#protocol/repository-calls';
import { type SearchOutputs, searchInputs } from '#protocol/search-calls';
import type { DropReason, Silence } from '#protocol/state';

const base = fileHash.nullable();
const edge = z.strictObject({ txf: uuid, input: z.int().min(0) });
/** The longest text that may be saved: 64 MiB of UTF-16. */
const text = z.string().max(64 * 1024 * 1024);
/** A file of at most 48 MiB. */
const base64 = z.base64().max(64 * 1024 * 1024);

const encoding = z.enum(encodings);

const expiry = z
  .string()
  .max(64)
  .refine((said) => parseInstant(said) !== null, 'not RFC 3339');

const decision = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('accept') }),
  z.strictObject({ kind: z.literal('waive'), reason: z.string().max(8192), expires: expiry.nullable() }),
]);

const confirmation = z.strictObject({
  object: uuid,
  head: revision,
  inputs: z.array(z.strictObject({ object: uuid, role })).max(512),
});

/** The context that is looked through, by its name or id; the default one where it is left out. */
const context = z.string().min(1).max(200).optional();

/**
 * What a face may ask, each with the schema that its input is checked against at the border. Names are `noun/verb`.
 * A save carries the client's `idem`: repeated after a lost answer it records nothing twice.
 */
export const callInputs = {
  'workspace/info': z.strictObject({}),
  'workspace/files': z.strictObject({}),
  /** Is HEAD a merge, and what did it bring together? */
  'workspace/merge': z.strictObject({}),
  'workspace/set-provenance': z.strictObject({ on: z.boolean() }),
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
  'breakdown/refresh': z.strictObject({ context }),
  'breakdown/page': z.strictObject({
    offset: z.int().min(0),
    limit: z.int().min(1).max(200),
    /**
     * `other`: what none of the three before it lets through. `merged`: what the merge that git stands at has touched. `code`: no row of
     * this list; those come by `anchor/page`.
     */
    state: z.enum(['all', 'changed', 'diverged', 'waived', 'other', 'contradicted', 'merged', 'code']),
    search: z.string().max(200),
    context,
  }),
  /** What asks nothing now: rows that are silenced or whose source is gone, and documents that lost their inputs. */
  'breakdown/quiet': z.strictObject({
    group: z.enum(['silenced', 'source-gone', 'provenance-unknown']),
    offset: z.int().min(0),
    limit: z.int().min(1).max(200),
    context,
  }),
  'edge/change': z.strictObject({ edge, context }),
  'edge/resolve': z.strictObject({ edge, against: revision, decision, idem: uuid, context }),
  /** Was it worth showing? */
  'edge/judge': z.strictObject({ edge, judgment: z.enum(['relevant', 'noise', 'unsure']), note: z.string().max(4096), idem: uuid }),
  /** The sections of the source, as the edge pins it. */
  'edge/sections': z.strictObject({ edge, context }),
  /** Narrows an edge to a section of its source; without headings the whole source counts again. */
  'edge/narrow': z.strictObject({ edge, headings: z.array(z.string().max(512)).max(16), idem: uuid, context }),
  /** Marks a document as finished, or reopens it. */
  'document/finish': z.strictObject({ object: uuid, state: z.enum(['finished', 'live']), reason: z.string().max(2048), idem: uuid }),
  'provenance/inputs': z.strictObject({ path }),
  'provenance/confirm': confirmation,
  /** The same for several documents: each is confirmed or refused by itself. */
  'provenance/confirm-several': z.strictObject({ documents: z.array(confirmation).min(1).max(200) }),
  'coherence/document': z.strictObject({ path, context }),
  /** What rests on a document, directly and through others: what would be touched if it changed. */
  'coherence/touch': z.strictObject({ object: uuid, offset: z.int().min(0), limit: z.int().min(1).max(200), context }),
  'coherence/log': z.strictObject({ offset: z.int().min(0), limit: z.int().min(1).max(200) }),
  'context/list': z.strictObject({}),
  'context/make': z.strictObject({
    name: z.string().max(200),
    parent: z.string().min(1).max(200).nullable(),
    branch: z.string().min(1).max(1000).nullable(),
  }),
  /** What is left out stays. A pin of null takes the selection out, so that the parents decide. */
  'context/change': z.strictObject({
    context: z.string().min(1).max(200),
    parent: z.string().min(1).max(200).nullable().optional(),
    enforcement: z.enum(['greenhouse', 'enforcing']).optional(),
    branch: z.string().min(1).max(1000).nullable().optional(),
    pins: z
      .array(z.strictObject({ object: uuid, chosen: z.union([z.literal('live'), revision]).nullable() }))
      .max(10_000)
      .optional(),
    claims: z.array(uuid).max(10_000).optional(),
  }),
  'context/remove': z.strictObject({ context: z.string().min(1).max(200) }),
  'claim/list': z.strictObject({ context }),
  'grant/list': z.strictObject({}),
  'grant/give': z.strictObject({
    agent: z.string().min(1).max(1000),
    scope: z.array(z.enum(['resolve.accept-newer', 'resolve.waive'])).max(2),
    expires: z.string().max(64),
    idem: uuid,
  }),
  'grant/revoke': z.strictObject({ grant: uuid, idem: uuid }),
  'settings/read': z.strictObject({}),
  /** Null takes a setting back to what it is at first. */
  'settings/write': z.strictObject({
    key: z.string().min(1).max(100),
    value: z.union([z.string().max(1000), z.number(), z.boolean()]).nullable(),
  }),
  ...searchInputs,
  ...fileInputs,
  ...agentInputs,
  ...aiInputs,
  ...anchorInputs,
  ...pairInputs,
  ...confirmationInputs,
  ...exportInputs,
  ...appDataInputs,
  ...historyInputs,
  ...journalInputs,
  ...repositoryInputs,
} as const;

/** The name of a call. */
export type CallName = keyof typeof callInputs;
/** The input of each call. */
export type CallInput<Name extends CallName> = z.infer<(typeof callInputs)[Name]>;

/** An open workspace as a face shows it. */
export interface WorkspaceInfo {
  readonly name: string;
  readonly root: string;
  readonly setting: 'on' | 'off';
  readonly initialized: boolean;
  /** Whether the ledger stands where it cannot be locked, as on a network drive. */
  readonly shared: boolean;
  /** Why changes outside may go unseen, or are seen late: a code of the system, `network` or `late`. */
  readonly unwatched?: string | null;
  readonly branch: string | null;
}

/** A file of the workspace: its path, and whether it is a document of ours. Folders are told by paths, and those without files beside them. */
export interface FileEntry {
  readonly path: string;
  readonly document: boolean;
}

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

/** A row of the breakdown with its artifact, as one list over all groups. */
export type BreakdownRow = Outputs['breakdown']['artifacts'][number]['rows'][number];
/** One group of a page: an artifact, or the part of its rows that the page holds. */
export interface BreakdownGroup {
  readonly object: string;
  readonly path: string | null;
  readonly lifecycle: 'live' | 'finished';
  /** Null where the document has several current versions, or none. */
  readonly origin: DocumentOrigin | null;
  readonly rows: readonly BreakdownRow[];
}

/** How the current version of a document came to be. */
export interface DocumentOrigin {
  readonly agent: 'human' | 'model' | 'external' | 'git';
  readonly by: string | null;
  /** RFC 3339. */
  readonly at: string;
  /** How many documents it rests on. */
  readonly sources: number;
}

/** The breakdown as of a moment, without its rows: they come in pages of at most 200. */
export interface BreakdownSummary {
  /** ms since 1970. */
  readonly asOf: number;
  readonly initialized: boolean;
  readonly setting: 'on' | 'off';
  readonly tracked: number;
  readonly context: Outputs['breakdown']['context'];
  readonly scan: Outputs['breakdown']['scan'];
  readonly counts: Outputs['breakdown']['counts'];
  readonly contradicted: number;
  readonly rows: number;
  /** How many rows ask nothing, by their reasons; they come in pages too, like those below. */
  readonly silenced: Readonly<Record<Silence, number>>;
  /** How many finished documents stand in no row; they come behind the rows that ask nothing. */
  readonly finished: number;
  readonly sourceGone: number;
  readonly provenanceUnknown: number;
  /** What of the code that texts describe was seen; its rows come by `anchor/page`. */
  readonly code: CodeSummary;
  /** How many pairs of documents there are, and how many ask something; they come by `pair/page`. */
  readonly pairs: { readonly waiting: number; readonly fresh: number };
  /** The merge that git stands at, and how many rows it touched. */
  readonly merge: { readonly commit: string; readonly rows: number } | null;
  /** The commit that git stands at: what was dismissed there stays dismissed. */
  readonly commit: string | null;
}

/** A part of what asks nothing: rows, and documents that are finished or whose inputs are unknown. */
export interface QuietPage {
  readonly total: number;
  readonly rows: readonly (SilencedRow | Outputs['breakdown']['sourceGone'][number])[];
  readonly documents: Outputs['breakdown']['provenanceUnknown'];
}

/** A document that rests on another: `distance` 1 directly, else `through` the one before it. */
export interface TouchedDocument {
  readonly object: string;
  readonly path: string | null;
  readonly distance: number;
  readonly through: { readonly object: string; readonly path: string | null } | null;
  /** The section that it rests on, where it is narrowed to one. */
  readonly section: readonly string[] | null;
  readonly lifecycle: 'live' | 'finished';
}

/** What would be touched, near ones first; `total` and `direct` count all. */
export interface TouchedDocuments {
  readonly total: number;
  readonly direct: number;
  readonly documents: readonly TouchedDocument[];
}

/** A page of rows, whole groups in order; `total` counts the rows that the filter lets through. */
export interface BreakdownPage {
  readonly asOf: number;
  readonly total: number;
  readonly groups: readonly BreakdownGroup[];
}

/** One version of a source beside another; `text` null: its content is in no snapshot. */
export interface VersionText {
  readonly revision: string;
  readonly label: string | null;
  readonly time: string | null;
  /** Who made it: `human`, `model`, `external` or `git`. */
  readonly agent: string | null;
  /** The name of who made it, where the ledger has one. */
  readonly by: string | null;
  readonly text: string | null;
}

/** What changed behind a row: the source as it was read and as it is, the artifact as it is. */
export interface EdgeChange {
  readonly before: VersionText;
  readonly now: VersionText | null;
  /** The current versions where the source has several, in the order of their heads; else none. */
  readonly versions: readonly VersionText[];
  readonly artifact: { readonly path: string | null; readonly text: string | null };
  readonly section: readonly string[] | null;
}

/** What became of a decision about a row. */
export type ResolvedEdge =
  | { readonly kind: 'resolved'; readonly entry: string }
  | { readonly kind: 'moved'; readonly current: string }
  | { readonly kind: 'undecidable' | 'gone' | 'blank-reason' | 'no-end' };

/** The heading paths of a source, as an edge pins it, to choose from (null: its text is in no snapshot), and the one that the edge is narrowed to. */
export interface EdgeSections {
  readonly sections: readonly (readonly string[])[] | null;
  readonly section: readonly string[] | null;
}

/** What an act has recorded: an entry, or nothing and why. */
export type Acted<Refusal extends string> = { readonly kind: 'done'; readonly entry: string } | { readonly kind: Refusal };

/** The inputs that the version before the present one had, for *Still rests on these*; `head` is the present version. */
export interface EarlierInputs {
  readonly object: string;
  readonly head: string | null;
  readonly inputs: readonly { readonly object: string; readonly path: string | null; readonly role: 'direct' | 'contextual' }[];
}

/** A row that asks nothing of the writer, with its reason and its artifact. */
export type SilencedRow = Outputs['breakdown']['silenced'][number];

/** What a document rests on and what rests on it, as of a moment; fresh edges too. Rows that ask nothing stand apart. */
export interface DocumentCoherence {
  readonly asOf: number;
  readonly tracking: Tracking;
  readonly restsOn: readonly BreakdownRow[];
  readonly restedBy: readonly { readonly object: string; readonly path: string | null; readonly row: BreakdownRow }[];
  readonly silenced: readonly SilencedRow[];
  /** How many rows are left out: an answer holds at most 200. */
  readonly left: number;
}

/** The writer's settings; a face shows the defaults where a key is missing. */
export type Settings = Readonly<Record<string, string | number | boolean>>;

/** What became of a confirmation; nothing was recorded but where it is `confirmed`. */
export interface ConfirmedProvenance {
  readonly kind: 'confirmed' | 'moved' | 'undecidable' | 'no-inputs';
}

/** What each call answers. */
export interface CallOutputs
  extends AgentOutputs,
    AiOutputs,
    AnchorOutputs,
    PairOutputs,
    ConfirmationOutputs,
    SearchOutputs,
    FileOutputs,
    ExportOutputs,
    RepositoryOutputs,
    AppDataOutputs,
    HistoryOutputs,
    JournalOutputs {
  'workspace/info': WorkspaceInfo;
  'workspace/merge': { readonly merge: { readonly commit: string; readonly paths: readonly string[] } | null };
  'workspace/files': { readonly files: readonly FileEntry[]; readonly emptyFolders?: readonly string[] };
  'workspace/set-provenance': WorkspaceInfo;
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
  'breakdown/refresh': BreakdownSummary;
  'breakdown/page': BreakdownPage;
  'breakdown/quiet': QuietPage;
  'edge/change': EdgeChange;
  'edge/resolve': ResolvedEdge;
  'provenance/inputs': EarlierInputs;
  'provenance/confirm': ConfirmedProvenance;
  'provenance/confirm-several': { readonly documents: readonly (ConfirmedProvenance & { readonly object: string })[] };
  'coherence/document': DocumentCoherence;
  'coherence/touch': TouchedDocuments;
  'coherence/log': Outputs['coherence-log'];
  'edge/judge': Acted<'gone' | 'note-too-long'>;
  'edge/sections': EdgeSections;
  'edge/narrow': Acted<'gone' | 'not-found' | 'ambiguous' | 'invalid' | 'content-unavailable'>;
  'document/finish': Acted<'unchanged' | 'not-tracked' | 'reason-too-long'>;
  'context/list': ContextEntries;
  'context/make':
    | { readonly kind: 'made'; readonly context: string }
    | { readonly kind: 'name-invalid' | 'name-taken' | 'parent-unusable' | 'no-ledger' };
  'context/change': { readonly kind: 'changed' | 'default-enforced' | 'parent-unusable' | 'revision-unknown' | 'no-ledger' };
  'context/remove': { readonly kind: 'removed' | 'default-kept' | 'is-parent' };
  'claim/list': { readonly claims: readonly ClaimEntry[] };
  'grant/list': { readonly grants: readonly GrantEntry[] };
  'grant/give': Acted<'nobody' | 'nothing' | 'no-end' | 'no-ledger'>;
  'grant/revoke': Acted<'unknown' | 'unchanged'>;
  'settings/read': Settings;
  'settings/write': Settings;
}

/** What core says unasked. */
export interface CoreEvents {
  /** Files changed on disk, by whomever; an empty list: anything may have. */
  'files-changed': { readonly paths: readonly string[] };
  /** Files have other paths now, because somebody at a window moved them; said before `files-changed`. */
  'files-moved': { readonly moves: readonly Move[] };
  /** Changes may go unseen from now on. */
  'watch-troubled': { readonly reason: string };
  'settings-changed': { readonly settings: Settings };
  /** The ledger cannot be locked, or can again. */
  'workspace-shared': { readonly shared: boolean };
  /** How far fetching a linked repository is. */
  'repository-progress': RepositoryProgress;
  /** A text that autosave had left due is recorded now, or why it is not. */
  'document-settled': SettledDocument;
}

/** The name of an event. */
export type EventName = keyof CoreEvents;
/** Who asks over a port. `onGone` tells, once, that it can be answered no more; at once where it is gone already. */
export interface Caller {
  onGone(listener: () => void): void;
}
/** One handler per call; leaving one out does not compile. Without `caller` nobody asks over a port. */
export type Handlers = { readonly [Name in CallName]: (input: CallInput<Name>, caller?: Caller) => Promise<CallOutputs[Name]> };
/** How a face asks. */
export type Client = <Name extends CallName>(name: Name, input: CallInput<Name>) => Promise<CallOutputs[Name]>;
