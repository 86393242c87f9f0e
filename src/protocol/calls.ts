import { z } from 'zod';
import { type AgentOutputs, agentInputs } from '#protocol/agent-calls';
import { type FileOutputs, fileInputs, type Move } from '#protocol/file-calls';
import type { Outputs } from '#protocol/outputs';
import { type SearchOutputs, searchInputs } from '#protocol/search-calls';

const path = z.string().min(1).max(4096);
const base = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .nullable();
const uuid = z.string().regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
const revision = z.string().regex(/^rev1:[0-9a-f]{64}$/);
const edge = z.strictObject({ txf: uuid, input: z.int().min(0) });
/** The longest text that may be saved: 64 MiB of UTF-16. */
const text = z.string().max(64 * 1024 * 1024);

const decision = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('accept') }),
  z.strictObject({ kind: z.literal('waive'), reason: z.string().max(8192), expires: z.string().max(64).nullable() }),
]);

/**
 * What a face may ask, each with the schema that its input is checked against at the border. Names are `noun/verb`.
 * A save carries the client's `idem`: repeated after a lost answer it records nothing twice.
 */
export const callInputs = {
  'workspace/info': z.strictObject({}),
  'workspace/files': z.strictObject({}),
  'workspace/set-provenance': z.strictObject({ on: z.boolean() }),
  'document/open': z.strictObject({ path }),
  'document/save': z.strictObject({ path, text, base, idem: uuid }),
  'document/create': z.strictObject({ path, text }),
  'breakdown/refresh': z.strictObject({}),
  'breakdown/page': z.strictObject({
    offset: z.int().min(0),
    limit: z.int().min(1).max(200),
    state: z.enum(['all', 'changed', 'diverged', 'waived', 'contradicted']),
    search: z.string().max(200),
  }),
  'edge/change': z.strictObject({ edge }),
  'edge/resolve': z.strictObject({ edge, against: revision, decision, idem: uuid }),
  'provenance/inputs': z.strictObject({ path }),
  'provenance/confirm': z.strictObject({
    object: uuid,
    head: revision,
    inputs: z.array(z.strictObject({ object: uuid, role: z.enum(['direct', 'contextual']) })).max(512),
  }),
  'coherence/document': z.strictObject({ path }),
  'settings/read': z.strictObject({}),
  'settings/write': z.strictObject({ key: z.string().min(1).max(100), value: z.union([z.string().max(1000), z.number(), z.boolean()]) }),
  ...searchInputs,
  ...fileInputs,
  ...agentInputs,
} as const;

/** What a page may ask of the shell that shows it; only the browser shell answers, in Electron the platform has its own dialogs. */
export const shellInputs = {
  'shell/folders': z.strictObject({ path: path.nullable() }),
  'shell/open-folder': z.strictObject({ path }),
  'shell/copy-sample': z.strictObject({ into: path }),
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
 * bytes for the next save. What is not UTF-8 text is said, and cannot be saved.
 */
export type OpenedDocument =
  | { readonly kind: 'text'; readonly text: string; readonly base: string; readonly tracking: Tracking }
  | { readonly kind: 'not-text'; readonly bytes: number };

/** What the ledger has of a save: an entry, nothing because provenance is off here, or why it could not be recorded. */
export type RecordedAs =
  | { readonly kind: 'recorded' | 'unchanged' | 'off' }
  | { readonly kind: 'failed'; readonly code: string; readonly detail: Readonly<Record<string, string | number>> };

/** What became of a save. `saved.text` is what is on disk now: with an identity block, where one was put in. */
export type SavedDocument =
  | { readonly kind: 'saved'; readonly text: string; readonly base: string; readonly recorded: RecordedAs; readonly tracking: Tracking }
  | { readonly kind: 'conflict'; readonly text: string | null; readonly base: string | null };

/** A row of the breakdown with its artifact, as one list over all groups. */
export type BreakdownRow = Outputs['breakdown']['artifacts'][number]['rows'][number];
/** One group of a page: an artifact, or the part of its rows that the page holds. */
export interface BreakdownGroup {
  readonly object: string;
  readonly path: string | null;
  readonly lifecycle: 'live' | 'finished';
  readonly rows: readonly BreakdownRow[];
}

/** The breakdown as of a moment, without its rows: they come in pages of at most 200. */
export interface BreakdownSummary {
  /** ms since 1970. */
  readonly asOf: number;
  readonly initialized: boolean;
  readonly setting: 'on' | 'off';
  readonly tracked: number;
  readonly scan: Outputs['breakdown']['scan'];
  readonly counts: Outputs['breakdown']['counts'];
  readonly contradicted: number;
  readonly rows: number;
  readonly silenced: Outputs['breakdown']['silenced'];
  readonly sourceGone: Outputs['breakdown']['sourceGone'];
  readonly provenanceUnknown: Outputs['breakdown']['provenanceUnknown'];
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
  readonly artifact: { readonly path: string | null; readonly text: string | null };
  readonly section: readonly string[] | null;
}

/** What became of a decision about a row. */
export type ResolvedEdge =
  | { readonly kind: 'resolved'; readonly entry: string }
  | { readonly kind: 'moved'; readonly current: string }
  | { readonly kind: 'undecidable' | 'gone' | 'blank-reason' };

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
}

/** The writer's settings; a face shows the defaults where a key is missing. */
export type Settings = Readonly<Record<string, string | number | boolean>>;

/** What each call answers. */
export interface CallOutputs extends AgentOutputs, SearchOutputs, FileOutputs {
  'workspace/info': WorkspaceInfo;
  'workspace/files': { readonly files: readonly FileEntry[]; readonly emptyFolders?: readonly string[] };
  'workspace/set-provenance': WorkspaceInfo;
  'document/open': OpenedDocument;
  'document/save': SavedDocument;
  'document/create': OpenedDocument;
  'breakdown/refresh': BreakdownSummary;
  'breakdown/page': BreakdownPage;
  'edge/change': EdgeChange;
  'edge/resolve': ResolvedEdge;
  'provenance/inputs': EarlierInputs;
  'provenance/confirm': { readonly kind: 'confirmed' | 'moved' | 'undecidable' | 'no-inputs' };
  'coherence/document': DocumentCoherence;
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
}

/** The name of an event. */
export type EventName = keyof CoreEvents;
/** One handler per call; leaving one out does not compile. */
export type Handlers = { readonly [Name in CallName]: (input: CallInput<Name>) => Promise<CallOutputs[Name]> };
/** How a face asks. */
export type Client = <Name extends CallName>(name: Name, input: CallInput<Name>) => Promise<CallOutputs[Name]>;

/** A folder of this machine to choose a workspace from. Names only, sorted; hidden ones are left out. */
export interface FolderListing {
  readonly path: string;
  /** Null at the top. */
  readonly parent: string | null;
  readonly folders: readonly string[];
  /** Whether it has a ledger. */
  readonly isWorkspace: boolean;
}

/**
 * What the shell answers. `path` null lists the home folder; an opened workspace, and a sample that was copied, are shown at
 * `/?folder=ROOT` from then on.
 */
export interface ShellOutputs {
  'shell/folders': FolderListing;
  'shell/open-folder': { readonly root: string };
  'shell/copy-sample': { readonly root: string };
}

/** The name of a call to the shell. */
export type ShellName = keyof typeof shellInputs;
/** The input of each call to the shell. */
export type ShellInput<Name extends ShellName> = z.infer<(typeof shellInputs)[Name]>;
/** One handler per call to the shell. */
export type ShellHandlers = { readonly [Name in ShellName]: (input: ShellInput<Name>) => Promise<ShellOutputs[Name]> };
/** How a page asks its shell. */
export type ShellClient = <Name extends ShellName>(name: Name, input: ShellInput<Name>) => Promise<ShellOutputs[Name]>;
