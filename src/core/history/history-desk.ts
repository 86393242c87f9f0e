import { isUtf8 } from 'node:buffer';
import { join } from 'node:path';
import { readDocument, sightDocument } from '#core/document';
import { type Before, type KeptVersion, openKeptVersions } from '#core/history/kept-versions';
import { workspaceKey } from '#core/home';
import { readIfThere } from '#core/storage/disk';
import { byHand } from '#core/workspace/authorship';
import { trackedDocument, versionAt } from '#core/workspace/history';
import { confine, hasLedger } from '#core/workspace/place';
import { asFile, type RestoreRequest } from '#core/workspace/restoring';
import { bytesHash, type SaveOutcome, type SaveRequest } from '#core/workspace/save';
import { objectAt } from '#core/workspace/spelling';
import { takeTurns } from '#core/workspace/turns';
import { entryLine } from '#core/workspace/version';
import type { Workspace } from '#core/workspace/workspace';
import type { Entry } from '#kernel/entry';
import { maskIdentity } from '#kernel/identity';
import { canonicalText } from '#kernel/text';
import type { Uuid } from '#kernel/uuid';
import { Fault } from '#protocol';
import type { CallInput } from '#protocol/calls';
import type { Move } from '#protocol/file-calls';
import type { HistoryOutputs, SavedVersion, VersionAuthor } from '#protocol/history-calls';

/** What a person asks of the saved versions of documents, whether the ledger has them or the app data. */
export interface HistoryDesk {
  list(path: string): Promise<HistoryOutputs['history/list']>;
  text(path: string, version: string): Promise<HistoryOutputs['history/text']>;
  restore(asked: CallInput<'history/restore'>): Promise<SaveOutcome>;
  /** To be asked before a save: what the file holds, where its history has not got that. */
  before(request: SaveRequest): Before | null;
  /** To be told of each save: what no ledger records is kept, and what stood there before the ledger's first version. */
  saved(request: SaveRequest, outcome: SaveOutcome, before: Before | null): void;
  moved(moves: readonly Move[]): void;
}

/** How a history reaches what it shares with the other faces of a core. */
export interface HistoryParts {
  refresh(): Promise<void>;
  save(request: SaveRequest): Promise<SaveOutcome>;
  restore(request: RestoreRequest): Promise<SaveOutcome>;
}

/** The history of the documents of a workspace. */
export function historyDesk(workspace: Workspace, { refresh, save, restore }: HistoryParts): HistoryDesk {
  const { disk, root, home, chance } = workspace;
  const folder = join(home.folder, 'history', workspaceKey(root));
  const kept = openKeptVersions(disk, folder, chance.now, () => chance.newId(chance.now()));
  const inside = (path: string) => confine(disk, root, path);
  const bytesOf = (path: string, version: string): Buffer => {
    if (version.startsWith('rev1:')) return versionAt(workspace, path, version).bytes;
    const bytes = kept.bytes(path, version.slice('kept:'.length));
    if (bytes === null) throw new Fault('content-unavailable', { path, revision: version.slice(0, 17) });
    return bytes;
  };
  return {
    async list(named) {
      const path = inside(named);
      await refresh();
      const now = readIfThere(disk, join(root, path));
      const recorded = await recordedVersions(workspace, path, now);
      const nowHash = now === null ? null : bytesHash(now);
      // Of what the ledger has, only where the app data knows what the file began with here.
      if (now !== null && now.length > 0 && (recorded === null || kept.of(path).length > 0))
        await kept.adopt(path, nowHash!, (other) => disk.existsSync(join(root, other)));
      // Newest first, also of two that were saved in one moment.
      const others = kept
        .of(path)
        .toReversed()
        .map((version) => keptVersion(version, nowHash));
      const versions = [...(recorded ?? []), ...others].sort((a, b) => b.at - a.at);
      return { versions, isTracked: recorded !== null };
    },
    async text(named, version) {
      await refresh();
      const path = inside(named);
      const bytes = bytesOf(path, version);
      return { text: isUtf8(bytes) && !readDocument(bytes, path).binary ? bytes.toString('utf8') : null, bytes: bytes.length };
    },
    async restore({ path: named, version, base, idem }) {
      const path = inside(named);
      if (version.startsWith('rev1:')) return restore({ path, revision: version, base, idem: idem as Uuid });
      await refresh();
      const bytes = await inMannerOfFile(workspace, path, bytesOf(path, version));
      const intent = { kind: 'restore', summary: 'restored an earlier version', prompt_hash: null };
      return save({ ...byHand, path, bytes, base, intent, idem: idem as Uuid });
    },
    before({ path, base }) {
      if (base === null || objectAt(workspace, path) !== null || kept.of(path).at(-1)?.hash === base) return null;
      return beforeAt(workspace, path);
    },
    saved({ path, agent, intent }, outcome, before) {
      if (outcome.kind === 'conflict') return;
      const isKept = outcome.recorded.kind === 'off';
      if (!isKept && before === null) return;
      try {
        kept.keep(path, isKept ? outcome.bytes : null, agent.type === 'human' ? 'you' : 'ai', before, intent.kind === 'restore');
      } catch {
        // The file is saved; a version that cannot be kept must not make the save fail.
      }
    },
    moved(moves) {
      try {
        kept.moved(moves);
      } catch {
        // The files have moved; their history is found under the old names.
      }
    },
  };
}

/** Null where nothing is there to be read: then nothing is written over. */
function beforeAt({ disk, root }: Workspace, path: string): Before | null {
  try {
    return { bytes: disk.readFileSync(join(root, path)) as Buffer, at: Math.floor(disk.statSync(join(root, path)).mtimeMs) };
  } catch {
    return null;
  }
}

const keptVersion = ({ at, hash, by }: KeptVersion, nowHash: string | null): SavedVersion => ({
  version: `kept:${hash}`,
  at,
  author: by,
  name: null,
  act: null,
  label: null,
  isNow: hash === nowHash,
});

/** The versions that the ledger has of a document; null where it does not track it. */
async function recordedVersions(workspace: Workspace, path: string, now: Buffer | null): Promise<SavedVersion[] | null> {
  const { disk, root, home, replica } = workspace;
  const object = hasLedger(disk, root) ? objectOf(workspace, path) : null;
  if (object === null) return null;
  const { graph } = replica.reading;
  const nowHash = now === null ? null : sightDocument(now, path).contentHash;
  const own = home.knownWriter();
  const versions: SavedVersion[] = [];
  const turns = takeTurns();
  for (const node of graph.revisions(graph.findObject(object))) {
    // Only the lines of this document are read; the graph knows where they stand.
    const entry = JSON.parse(entryLine(workspace, graph.nodeFirst.at(node))) as Made;
    const { intent, agent } = entry.body;
    versions.push({
      version: graph.revisionText(node),
      at: Date.parse(entry.time),
      author: authorOf(entry, own),
      name: agent.id,
      act: intent.kind,
      label: `v${graph.depth(node)}`,
      isNow: graph.contentText(node) === nowHash,
    });
    await turns.rest();
  }
  return versions;
}

/** The entry that made a version. */
type Made = Extract<Entry, { kind: 'transformation' }>;

function objectOf(workspace: Workspace, path: string): Uuid | null {
  try {
    return trackedDocument(workspace, path).object;
  } catch {
    // Not tracked, or gone and never registered here.
    return null;
  }
}

function authorOf({ writer, body: { agent, intent } }: Made, own: string | null): VersionAuthor {
  if (agent.type === 'git') return 'git';
  if (agent.type === 'human') return writer === own ? 'you' : 'writer';
  if (intent.kind.startsWith('mcp-') || intent.kind === 'record') return 'agent';
  return agent.type === 'model' ? 'ai' : 'outside';
}

/** A kept version with the line endings, the byte order mark and the block of the file as it is now. */
async function inMannerOfFile(workspace: Workspace, path: string, bytes: Buffer): Promise<Buffer> {
  const before = readIfThere(workspace.disk, join(workspace.root, path));
  const { text, binary } = readDocument(bytes, path);
  if (before === null || binary || text === null) return bytes;
  return asFile(workspace, path, before, Buffer.from(maskIdentity(canonicalText(text)), 'utf8'));
}
