import { basename, join } from 'node:path';
import type { LandedMerge } from '#core/git/merged';
import { readIfThere } from '#core/storage/disk';
import type { WantedEncoding } from '#core/text-encoding';
import { watchSettings } from '#core/watch/settings-watcher';
import { type AssetRequest, putAsset } from '#core/workspace/asset';
import { creationOf } from '#core/workspace/creation';
import { listFiles } from '#core/workspace/files';
import { trackedDocument } from '#core/workspace/history';
import { earlierInputs } from '#core/workspace/inputs';
import { makeFolders } from '#core/workspace/made-folders';
import { neighbourhood, rowNow } from '#core/workspace/neighbourhood';
import { confine, hasLedger } from '#core/workspace/place';
import type { SaveOutcome, SaveRequest } from '#core/workspace/save';
import type { ScanReport } from '#core/workspace/scan';
import { trackingOf, untracked } from '#core/workspace/tracking';
import { edgeChange } from '#core/workspace/version';
import { policyOf, type Workspace } from '#core/workspace/workspace';
import { folderOf } from '#kernel/address';
import type { EdgeRef } from '#kernel/body-field';
import { Fault, faultFromSystem } from '#protocol';
import type { BreakdownRow, DocumentCoherence, EarlierInputs, EdgeChange } from '#protocol/breakdown-calls';
import type { FileEntry, Settings, WorkspaceInfo } from '#protocol/calls';
import type { OpenedDocument, PutAsset, Tracking } from '#protocol/document-calls';
import type { EncodingSample } from '#protocol/encoding';

/** What a person at a window asks of a workspace. Paths are workspace-relative, wherever the program was started. */
export interface Desk {
  info(): Promise<WorkspaceInfo>;
  /** Turns *Insert identity block on save* on or off for this workspace; writes only to the app data. */
  setProvenance(on: boolean): Promise<WorkspaceInfo>;
  /** The merge that git stands at, if it is one: what it brought together wants a look. Null outside git. */
  landedMerge(): Promise<LandedMerge | null>;
  /** The commit that git stands at; null outside git and before the first one. */
  headCommit(): Promise<string | null>;
  /** How many documents the ledger knows. */
  tracked(): Promise<number>;
  files(): Promise<readonly FileEntry[]>;
  /** Every file, and the folders that have nothing in them. */
  tree(): Promise<{ files: readonly FileEntry[]; emptyFolders: readonly string[] }>;
  openDocument(path: string, wanted?: WantedEncoding): Promise<OpenedDocument>;
  /** How a file reads in each encoding. */
  encodings(path: string): Promise<readonly EncodingSample[]>;
  /** Makes a new file and its folders; `already-exists` where there is one. */
  createDocument(path: string, text: string): Promise<OpenedDocument>;
  /** Puts a picture beside a document. */
  putAsset(request: AssetRequest): Promise<PutAsset>;
  tracking(path: string): Promise<Tracking>;
  edgeChange(edge: EdgeRef, context?: string): Promise<EdgeChange>;
  /** A row as the ledger has it now, without looking at the files; null where it asks nothing any more. */
  rowNow(edge: EdgeRef, context?: string): Promise<BreakdownRow | null>;
  earlierInputs(path: string): Promise<EarlierInputs>;
  /** Scans first, where there is a ledger. */
  coherence(path: string, context?: string): Promise<Omit<DocumentCoherence, 'left'>>;
  settings(): Settings;
  writeSetting(key: string, value: Settings[string] | null): Settings;
  /** Told when the settings become others, by whichever program; the answer stops it. */
  followSettings(listener: (settings: Settings) => void): () => void;
}

/** How a desk reaches what it shares with the other faces of a core. */
export interface DeskParts {
  /** Takes in what the ledger has, where there is one. */
  refresh(): Promise<void>;
  scanned(): Promise<ScanReport>;
  save(request: SaveRequest): Promise<SaveOutcome>;
  isShared(): boolean;
}

/** Loaded when a text is first opened, with the tables of all encodings. */
const opening = () => import('#core/workspace/opening');

/** The desk of a workspace. */
export function desk(workspace: Workspace, { refresh, scanned, save, isShared }: DeskParts): Desk {
  const { disk, root, home } = workspace;
  const inside = (path: string) => confine(disk, root, path);
  const tracking = async (path: string, bytes: Buffer): Promise<Tracking> => {
    try {
      await refresh();
      return await trackingOf(workspace, path, bytes);
    } catch {
      // A ledger or settings that cannot be read keep nobody from their text; whoever asks for those is told.
      return untracked;
    }
  };
  const open = async (named: string, wanted?: WantedEncoding): Promise<OpenedDocument> => {
    const path = inside(named);
    const { openDocument } = await opening();
    const opened = openDocument(workspace, path, wanted);
    if (opened.kind !== 'text') return opened;
    // No block is read in another encoding.
    const bytes = opened.encoding === undefined ? Buffer.from(opened.text, 'utf8') : Buffer.alloc(0);
    return { ...opened, tracking: await tracking(path, bytes) };
  };
  const info = async (): Promise<WorkspaceInfo> => {
    const ref = (await workspace.git?.position())?.ref ?? null;
    const branch = ref?.replace(/^refs\/heads\//u, '') ?? null;
    const setting = isOn(workspace) ? 'on' : 'off';
    return { name: basename(root), root, setting, initialized: hasLedger(disk, root), shared: isShared(), branch };
  };
  return {
    info,
    tracking: (path) => tracking(inside(path), bytesAt(workspace, inside(path))),
    openDocument: open,
    encodings: async (path) => (await opening()).encodingSamples(workspace, inside(path)),
    async setProvenance(on) {
      home.setOn(root, on);
      return info();
    },
    landedMerge: async () => (await workspace.git?.landedMerge()) ?? null,
    headCommit: async () => (await workspace.git?.position())?.head ?? null,
    async tracked() {
      await refresh();
      return workspace.replica.reading.facts.registrations.size;
    },
    files: () => listFiles(disk, root),
    async tree() {
      const emptyFolders: string[] = [];
      return { files: await listFiles(disk, root, emptyFolders), emptyFolders };
    },
    async createDocument(path, text) {
      const creation = creationOf(workspace, path, text);
      const unmake = makeFolders(workspace, folderOf(creation.path), path);
      try {
        const outcome = await save(creation);
        if (outcome.kind === 'conflict') throw new Fault('already-exists', { path });
        return open(path);
      } catch (error) {
        unmake();
        throw error;
      }
    },
    putAsset: async (request) => putAsset(workspace, request),
    async edgeChange(edge, context) {
      await refresh();
      return edgeChange(workspace, edge, { context });
    },
    async rowNow(edge, context) {
      await refresh();
      return rowNow(workspace, edge, { context });
    },
    async earlierInputs(path) {
      await refresh();
      return earlierInputs(workspace, inside(path));
    },
    async coherence(path, context) {
      const report = hasLedger(disk, root) ? await scanned() : null;
      const at = inside(path);
      const how = await tracking(at, bytesAt(workspace, at));
      const about = how.by === null ? null : trackedDocument(workspace, at).object;
      const rows =
        about === null || policyOf(workspace) === 'nothing' ? noRows : neighbourhood(workspace, about, { context, scanned: report });
      return { asOf: workspace.chance.now(), tracking: how, ...rows };
    },
    settings: () => home.app(),
    writeSetting: (key, value) => home.setApp(key, value),
    followSettings: (listener) => watchSettings(home, listener),
  };
}

const noRows = { restsOn: [], restedBy: [], silenced: [] };

/** Settings that cannot be read turn nothing on; the first save says why it was not recorded. */
function isOn({ home, root }: Workspace): boolean {
  try {
    return home.isOn(root);
  } catch {
    return false;
  }
}

function bytesAt({ disk, root }: Workspace, path: string): Buffer {
  try {
    return readIfThere(disk, join(root, path)) ?? Buffer.alloc(0);
  } catch (error) {
    throw faultFromSystem(error, path);
  }
}
