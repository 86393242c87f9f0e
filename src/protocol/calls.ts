import { z } from 'zod';
import { type AgentOutputs, agentInputs } from '#protocol/agent-calls';
import { type AiOutputs, aiInputs } from '#protocol/ai-calls';
import { type AnchorOutputs, anchorInputs } from '#protocol/anchor-calls';
import { type AppDataOutputs, appDataInputs } from '#protocol/app-data-calls';
import { type BreakdownOutputs, breakdownInputs } from '#protocol/breakdown-calls';
import { type ConfirmationOutputs, confirmationInputs } from '#protocol/confirmation-calls';
import { type ContextOutputs, contextInputs } from '#protocol/context-calls';
import { type DocumentOutputs, documentInputs, type SettledDocument } from '#protocol/document-calls';
import { type ExportOutputs, exportInputs } from '#protocol/export-calls';
import { type FileOutputs, fileInputs, type Move } from '#protocol/file-calls';
import { type HistoryOutputs, historyInputs } from '#protocol/history-calls';
import { type JournalOutputs, journalInputs } from '#protocol/journal-calls';
import { type PairOutputs, pairInputs } from '#protocol/pair-calls';
import { type RepositoryOutputs, type RepositoryProgress, repositoryInputs } from '#protocol/repository-calls';
import { type SearchOutputs, searchInputs } from '#protocol/search-calls';

/**
 * What a face may ask, each with the schema that its input is checked against at the border. Names are `noun/verb`.
 */
export const callInputs = {
  'workspace/info': z.strictObject({}),
  'workspace/files': z.strictObject({}),
  /** Is HEAD a merge, and what did it bring together? */
  'workspace/merge': z.strictObject({}),
  'workspace/set-provenance': z.strictObject({ on: z.boolean() }),
  'settings/read': z.strictObject({}),
  /** Null takes a setting back to what it is at first. */
  'settings/write': z.strictObject({
    key: z.string().min(1).max(100),
    value: z.union([z.string().max(1000), z.number(), z.boolean()]).nullable(),
  }),
  ...documentInputs,
  ...breakdownInputs,
  ...contextInputs,
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

/** The writer's settings; a face shows the defaults where a key is missing. */
export type Settings = Readonly<Record<string, string | number | boolean>>;

/** What each call answers. */
export interface CallOutputs
  extends DocumentOutputs,
    BreakdownOutputs,
    ContextOutputs,
    AgentOutputs,
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
