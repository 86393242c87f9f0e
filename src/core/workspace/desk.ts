import { basename, join } from 'node:path';
import { readIfThere } from '#core/storage/disk';
import { watchSettings } from '#core/watch/settings-watcher';
import { listFiles } from '#core/workspace/files';
import { trackedDocument } from '#core/workspace/history';
import { earlierInputs } from '#core/workspace/inputs';
import { neighbourhood, rowNow } from '#core/workspace/neighbourhood';
import { creationOf, openDocument, trackingOf } from '#core/workspace/opening';
import { confine, hasLedger } from '#core/workspace/place';
import type { SaveOutcome, SaveRequest } from '#core/workspace/save';
import type { ScanReport } from '#core/workspace/scan';
import { edgeChange } from '#core/workspace/version';
import { policyOf, type Workspace } from '#core/workspace/workspace';
import type { EdgeRef } from '#kernel/body-field';
import { Fault, faultFromSystem } from '#protocol';
import type {
  BreakdownRow,
  DocumentCoherence,
  EarlierInputs,
  EdgeChange,
  FileEntry,
  OpenedDocument,
  Settings,
  Tracking,
  WorkspaceInfo,
} from '#protocol/calls';

/** What a person at a window asks of a workspace. Paths are workspace-relative, wherever the program was started. */
export interface Desk {
  info(): Promise<WorkspaceInfo>;
  /** Turns *Insert identity block on save* on or off for this workspace; writes only to the app data. */
  setProvenance(on: boolean): Promise<WorkspaceInfo>;
  files(): Promise<readonly FileEntry[]>;
  openDocument(path: string): Promise<OpenedDocument>;
  /** Makes a new file and its folders; `already-exists` where there is one. */
  createDocument(path: string, text: string): Promise<OpenedDocument>;
  tracking(path: string): Promise<Tracking>;
  edgeChange(edge: EdgeRef): Promise<EdgeChange>;
  /** A row as the ledger has it now, without looking at the files; null where it asks nothing any more. */
  rowNow(edge: EdgeRef): Promise<BreakdownRow | null>;
  earlierInputs(path: string): Promise<EarlierInputs>;
  /** Scans first, where there is a ledger. */
  coherence(path: string): Promise<DocumentCoherence>;
  settings(): Settings;
  writeSetting(key: string, value: Settings[string]): Settings;
  /** Told when the settings become others, by whichever program; the answer stops it. */
  followSettings(listener: (settings: Settings) => void): () => void;
}

/** How a desk reaches what it shares with the other faces of a core. */
export interface DeskParts {
  /** Takes in what the ledger has, where there is one. */
  refresh(): Promise<void>;
  scanned(mode: 'append'): Promise<ScanReport>;
  save(request: SaveRequest): Promise<SaveOutcome>;
}

/** The desk of a workspace. */
export function desk(workspace: Workspace, { refresh, scanned, save }: DeskParts): Desk {
  const { disk, root, home, git } = workspace;
  const inside = (path: string) => confine(disk, root, path);
  const open = async (path: string) => {
    await refresh();
    return openDocument(workspace, inside(path));
  };
  const tracking = async (path: string): Promise<Tracking> => {
    await refresh();
    return trackingOf(workspace, inside(path), bytesAt(workspace, inside(path)));
  };
  const info = async (): Promise<WorkspaceInfo> => {
    const ref = (await git?.position())?.ref ?? null;
    const branch = ref?.replace(/^refs\/heads\//u, '') ?? null;
    return { name: basename(root), root, setting: home.isOn(root) ? 'on' : 'off', initialized: hasLedger(disk, root), branch };
  };
  return {
    info,
    tracking,
    openDocument: open,
    async setProvenance(on) {
      if (home.isOn(root) !== on) home.setOn(root, on);
      return info();
    },
    files: () => listFiles(disk, root),
    async createDocument(path, text) {
      const outcome = await save(creationOf(workspace, path, text));
      if (outcome.kind === 'conflict') throw new Fault('already-exists', { path });
      return open(path);
    },
    async edgeChange(edge) {
      await refresh();
      return edgeChange(workspace, edge);
    },
    async rowNow(edge) {
      await refresh();
      return rowNow(workspace, edge);
    },
    async earlierInputs(path) {
      await refresh();
      return earlierInputs(workspace, inside(path));
    },
    async coherence(path) {
      const report = hasLedger(disk, root) ? await scanned('append') : null;
      const how = await tracking(path);
      const about = how.by === null ? null : trackedDocument(workspace, inside(path)).object;
      const rows = about === null || policyOf(workspace) === 'nothing' ? noRows : neighbourhood(workspace, about, report);
      return { asOf: workspace.chance.now(), tracking: how, ...rows };
    },
    settings: () => home.app(),
    writeSetting: (key, value) => home.setApp(key, value),
    followSettings: (listener) => watchSettings(home, listener),
  };
}

const noRows = { restsOn: [], restedBy: [], silenced: [] };

function bytesAt({ disk, root }: Workspace, path: string): Buffer {
  try {
    return readIfThere(disk, join(root, path)) ?? Buffer.alloc(0);
  } catch (error) {
    throw faultFromSystem(error, path);
  }
}
