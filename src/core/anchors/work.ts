import { join, posix } from 'node:path';
import type { SecretStore } from '#core/ai/key-ring';
import { type Budget, budgetFrom, startBudget } from '#core/anchors/budget';
import { type CodeCache, openCodeCache } from '#core/anchors/code-cache';
import { type CodeReader, createCodeReader } from '#core/anchors/code-reader';
import { blobAt, commitSource } from '#core/anchors/commit-source';
import { folderSource } from '#core/anchors/folder-source';
import { type KnownAnchor, knownAnchor } from '#core/anchors/ledger';
import { localFolder, mirrorSource, repositoryNamed } from '#core/anchors/repository';
import { refuseUnconfirmed } from '#core/anchors/repository-desk';
import type { CodeSource } from '#core/anchors/source';
import type { Git } from '#core/git/git';
import { createGitProgram, type GitProgram } from '#core/git/program';
import type { Environment } from '#core/home';
import { type MirrorSource, mirrorAt, mirrorFolder, mirrorState } from '#core/mirrors/mirror';
import { personName } from '#core/workspace/person';
import { confine } from '#core/workspace/place';
import type { NewEntry } from '#core/workspace/recorder';
import { forgetRidden, ridingMoves } from '#core/workspace/riding';
import { policyOf, type Workspace } from '#core/workspace/workspace';
import type { AnchorActor, CodePin } from '#kernel/body-anchor';
import { parseUuid } from '#kernel/uuid';
import { Fault } from '#protocol';

/** Who asks: the person at the window, or a program under a name. */
export type Asker = { readonly type: 'human' } | { readonly type: 'external'; readonly id: string };

/** What the verbs about anchors share with the other faces of a core. */
export interface AnchorParts {
  readonly env: Environment;
  /** Where relative names start. */
  readonly from: string;
  /** The secret store of the shell; none where it has none. */
  readonly secrets?: SecretStore;
  /** Runs work that changes something, under the lock. */
  change<T>(work: () => Promise<T>): Promise<T>;
  /** Takes in what the ledger has, where there is one. */
  refresh(): Promise<void>;
}

/** What the verbs about anchors work with. */
export interface AnchorWork extends AnchorParts {
  readonly workspace: Workspace;
  /** A path in a repository as somebody named it. */
  place(repository: string | null, named: string): string;
  /** A workspace path as somebody named it. */
  document(named: string): string;
  newBudget(): Budget;
  startReader(repository: string | null, budget?: Budget): Promise<CodeReader>;
  /** The anchor of an id; `anchor-unknown` where there is none. */
  known(id: string): KnownAnchor;
  actor(by: Asker): Promise<AnchorActor>;
  /** The text of a baseline, or null where no copy is left. */
  textOf(pin: CodePin): string | null;
  /** Appends entries, with the moves of HEAD that wait for a real one. The caller holds the lock. */
  append(entries: readonly NewEntry[]): Promise<void>;
  /** Keeps what was parsed. */
  settle(): Promise<void>;
  close(): void;
}

/** What anchors of a workspace are worked on with. Nothing is opened before it is needed. */
export function createAnchorWork(workspace: Workspace, parts: AnchorParts): AnchorWork {
  const { disk, root, home } = workspace;
  let cache: Promise<CodeCache> | null = null;
  const opened = () => (cache ??= openCodeCache(join(home.folder, 'code')));
  const newBudget = () => startBudget(budgetFrom(home.app()), () => performance.now());
  return {
    ...parts,
    workspace,
    newBudget,
    document: (named) => confine(disk, root, named, parts.from),
    place(repository, named) {
      if (repository === null) return confine(disk, root, named, parts.from);
      const linked = repositoryNamed(workspace, repository);
      if (linked.url !== null) return placeInMirror(named);
      const folder = localFolder(workspace, linked);
      return confine(disk, folder, named, folder);
    },
    startReader: async (repository, budget = newBudget()) =>
      createCodeReader(await sourceOf(workspace, repository, parts.env), await opened(), budget),
    known(id) {
      const uuid = parseUuid(id);
      const known = uuid === null ? null : knownAnchor(workspace.replica.reading.facts, uuid);
      if (known === null) throw new Fault('anchor-unknown', { id });
      return known;
    },
    actor: async (by) => (by.type === 'external' ? by : { type: 'human', id: await personName(workspace) }),
    textOf: (pin) => textIn(workspace, pin),
    async append(entries) {
      await workspace.recorder.append(workspace.recorder.ready([...entries, ...ridingMoves(workspace)]));
      forgetRidden(workspace);
    },
    settle: async () => (await opened()).flush(),
    close() {
      void cache?.then((open) => open.close());
      cache = null;
    },
  };
}

/** Where provenance is off and there is no ledger there is nothing to anchor. */
export function refuseOff(workspace: Workspace): void {
  if (policyOf(workspace) === 'nothing') throw new Fault('no-workspace-record', {});
}

function textIn({ snapshots }: Workspace, { snapshot }: CodePin): string | null {
  const found = snapshots.get(snapshot);
  return found.kind === 'found' ? found.bytes.toString('utf8') : null;
}

async function sourceOf(workspace: Workspace, repository: string | null, env: Environment): Promise<CodeSource> {
  const { disk, root, git } = workspace;
  if (repository === null) return folderOf(workspace, root, git, env);
  const linked = repositoryNamed(workspace, repository);
  refuseUnconfirmed(workspace, linked);
  const mirrored = mirrorSource(linked);
  if (mirrored !== null) return mirroredCode(workspace, repository, mirrored, env);
  const folder = localFolder(workspace, linked);
  if (linked.ref !== null) {
    const source = await commitSource(createGitProgram(folder, { env }), folder, linked.ref);
    if (source === null) throw new Fault('ref-unknown', { name: repository, ref: linked.ref });
    return source;
  }
  if (!disk.existsSync(join(folder, '.git'))) return folderOf(workspace, folder, null, env);
  const { openGit } = await import('#core/git/git');
  return folderOf(workspace, folder, await openGit(folder, { env }), env);
}

/** The code of a repository elsewhere as it was last fetched; no network is reached. */
async function mirroredCode({ disk, home }: Workspace, name: string, mirrored: MirrorSource, env: Environment): Promise<CodeSource> {
  const place = { disk, home: home.folder, env };
  const { git, ref } = mirrorAt(place, mirrored);
  const isFetched = mirrorState(place, mirrored) !== null;
  const source = isFetched ? await commitSource(git, mirrorFolder(place, mirrored), ref) : null;
  if (source === null) throw new Fault('repository-unfetched', { name });
  return source;
}

/** A path in a repository that has no folder here: relative to its top, and within it. */
function placeInMirror(named: string): string {
  const path = posix.normalize(named.replace(/^\.\//u, ''));
  if (posix.isAbsolute(path) || path === '.' || path.startsWith('../') || path === '..' || /[\0\r\n]/u.test(path))
    throw new Fault('outside-workspace', { path: named });
  return path;
}

function folderOf({ disk, chance }: Workspace, root: string, git: Git | null, env: Environment): CodeSource {
  const parts = { disk, root, git, now: () => chance.now() };
  if (git === null) return folderSource(parts);
  const program: GitProgram = createGitProgram(git.root, { env });
  return folderSource({ ...parts, blobAt: (commit, path) => blobAt(program, commit, `${git.prefix}${path}`) });
}
