import { join } from 'node:path';
import { digest } from '#core/digest';
import { readDocument } from '#core/document';
import type { Attribution, Navigation } from '#core/git/attribution';
import type { Attributed } from '#core/git/evidence';
import type { GitPosition } from '#core/git/position';
import type { Disk } from '#core/storage/disk';
import { attribute, type Changed } from '#core/workspace/attributing';
import type { SeenFile } from '#core/workspace/file-reader';
import { navigationEntry, observed } from '#core/workspace/observation';
import { staysInside } from '#core/workspace/place';
import { type Position, readPosition, writePosition } from '#core/workspace/position';
import { brokenLines, knownLines, quarantine } from '#core/workspace/quarantine';
import type { NewEntry } from '#core/workspace/recorder';
import { takeDues } from '#core/workspace/settling';
import { type ConflictedCopy, type Sighting, type Sightings, sightFiles } from '#core/workspace/sighting';
import { isOther, isSpelled } from '#core/workspace/spelling';
import { finishStaged } from '#core/workspace/staging';
import type { Look } from '#core/workspace/sweep';
import { headsOf, parentsOf, type Versions, versionsOf } from '#core/workspace/versions';
import { type Finding, walkDocuments } from '#core/workspace/walk';
import { notLooked, type Workspace } from '#core/workspace/workspace';
import { diagnosticKey } from '#kernel/facts';
import { none } from '#kernel/key-table';
import { type ContentHash, type RevisionId, revisionId } from '#kernel/revision';
import type { Uuid } from '#kernel/uuid';
import { diagnosticIdem, registrationIdem, scanIdem } from '#kernel/writing';
import type { IncompleteReason } from '#protocol';

/** What a scan found, and what it wrote down. Counts are of documents, but for `navigations`, which are moves of HEAD. */
export interface ScanReport {
  readonly complete: boolean;
  readonly reason: IncompleteReason | null;
  readonly documents: number;
  readonly unchanged: number;
  readonly external: number;
  readonly git: number;
  readonly navigations: number;
  readonly adopted: number;
  readonly moved: number;
  readonly absent: ReadonlySet<Uuid>;
  readonly held: ReadonlyMap<Uuid, readonly string[]>;
  /** Conflicted copies of sync clients, by their paths. */
  readonly copies: ReadonlyMap<string, ConflictedCopy>;
  readonly findings: readonly Finding[];
  /** Where each object that was seen is now, and what was read there. */
  readonly seen: ReadonlyMap<Uuid, SeenFile>;
  readonly files: ReadonlyMap<string, SeenFile>;
  /** Object → the revision that its file holds. */
  readonly working: ReadonlyMap<Uuid, RevisionId>;
}

/** A scan that found nothing, and what it depended on. */
export interface LastScan {
  readonly report: ScanReport;
  readonly generation: number;
  readonly head: string;
  readonly findings: string;
}

/** How a scan is asked for. */
export interface ScanRequest {
  /**
   * `append`: the writer acts, and what was found is written down. `notice`: nobody asked; after a move of HEAD
   * nothing is appended, because a line then makes `git checkout -` refuse. `foresee`: what would be written is applied
   * in memory only, and the replica must be dropped after.
   */
  readonly mode: 'append' | 'notice' | 'foresee';
  /** A document whose text is about to be recorded by somebody else. */
  readonly except?: string;
}

/** Reconciles the ledger with the files (`spec/format.md` §8). But for `foresee` the caller holds the lock. */
export async function scan(workspace: Workspace, request: ScanRequest): Promise<ScanReport> {
  const { git, replica } = workspace;
  await (request.mode === 'append' ? workspace.recorder.catchUp('refresh') : replica.refresh());
  const busy = git === null ? null : await git.busy();
  if (busy !== null) return stopped('git-busy');
  if (request.mode !== 'foresee') {
    await finishStaged(workspace);
    quarantine(workspace);
  }
  workspace.sweep.begin();
  const walk = walkDocuments(workspace.disk, workspace.root);
  const look = await workspace.sweep.look(withRegistered(workspace, walk.paths));
  const restOf = () => ({ generation: replica.generation, head: git?.headMoved() ?? '', findings: JSON.stringify(walk.findings) });
  const dues = workspace.dues.all();
  if (dues.length === 0 && look.isSame && isAtRest(workspace, restOf())) return workspace.last.scan!.report;
  if (dues.length > 0) workspace.last.held = sight(workspace, look).held;
  const due = await takeDues(workspace, request.mode, dues);
  const rest = restOf();
  const sightings = sight(workspace, look);
  const before = readPosition(workspace);
  const plan = await planScan(
    workspace,
    sightings.seen.filter((one) => !sightings.held.has(one.object) && !due.has(one.file.path)),
    before,
    request.except,
  );
  if (plan === null) return stopped('git-unreadable');
  const findings = [...walk.findings, ...look.findings, ...sightings.findings, ...brokenLines(workspace)];
  workspace.last.held = sightings.held;
  if (request.mode === 'foresee') workspace.recorder.foresee(plan.entries);
  else if (request.mode === 'append' || !hasHeadMoved(before, plan)) {
    const written = await write(workspace, plan, findings);
    writePosition(workspace, positionAfter(workspace, before, { plan, written, held: sightings.held }));
  }
  const complete = walk.complete && look.unreadable.size === 0 && plan.unsettled.size === 0;
  const seen = new Map(sightings.seen.map((one) => [one.object, one.file]));
  const report: ScanReport = {
    complete,
    reason: complete ? null : plan.unsettled.size > 0 ? 'settling' : 'unreadable',
    documents: look.files.size,
    unchanged: plan.unchanged,
    external: plan.external,
    git: plan.git,
    navigations: plan.navigation === null ? 0 : 1,
    adopted: plan.adopted,
    moved: plan.moved,
    absent: walk.complete ? absentObjects(workspace, seen, look.missing) : new Set(),
    held: sightings.held,
    copies: sightings.copies,
    findings,
    seen,
    files: look.files,
    working: plan.working,
  };
  const isQuiet = complete && plan.entries.length === 0 && plan.navigation === null && request.except === undefined && due.size === 0;
  workspace.last.scan = isQuiet ? { ...rest, report } : null;
  return report;
}

function sight({ replica }: Workspace, look: Look): Sightings {
  const knows = (object: Uuid, hash: ContentHash) => versionsOf(replica.reading.graph, object, undefined).withContent(hash) !== null;
  return sightFiles(look.files.values(), { facts: replica.reading.facts, knows });
}

/** Which objects are in two files at once, for a process that has not scanned yet. Nothing is written. */
export async function lookForHeld(workspace: Workspace): Promise<void> {
  if (workspace.last.held !== notLooked) return;
  await workspace.replica.refresh();
  const { paths } = walkDocuments(workspace.disk, workspace.root);
  workspace.last.held = sight(workspace, await workspace.sweep.look(paths)).held;
}

/** Whether nothing that a scan depends on has moved since the last one, which found nothing: its answer stands. */
function isAtRest({ last }: Workspace, now: Pick<LastScan, 'generation' | 'head' | 'findings'>): boolean {
  const { scan: before } = last;
  return before !== null && before.generation === now.generation && before.head === now.head && before.findings === now.findings;
}

/** The paths of a walk, and those where documents are registered that it did not come by: ignored, gone, or of another kind. */
function withRegistered({ disk, root, replica }: Workspace, paths: readonly string[]): readonly string[] {
  const { facts } = replica.reading;
  const walked = new Set(paths);
  const others = new Set<string>();
  for (const { value } of facts.registrations.values()) {
    const { path } = value;
    if (!walked.has(path) && facts.objectAt(path) !== null && staysInside(disk, root, path)) others.add(path);
  }
  return others.size === 0 ? paths : [...paths, ...withoutWalked(disk, root, [...others], walked)];
}

const foldedName = (path: string) => path.normalize('NFC').toLowerCase();
const spellings = (walked: ReadonlySet<string>) => Map.groupBy(walked, foldedName);

function withoutWalked(disk: Disk, root: string, paths: readonly string[], walked: ReadonlySet<string>): string[] {
  const names = paths.length === 0 ? new Map<string, string[]>() : spellings(walked);
  return paths.filter((path) => !isWalkedAs(disk, root, path, names));
}

/** Under a disk that tells no spellings apart the file at a registered path may be one that was walked under another. */
function isWalkedAs(disk: Disk, root: string, path: string, walked: ReadonlyMap<string, readonly string[]>): boolean {
  const like = walked.get(foldedName(path)) ?? [];
  return like.some((other) => disk.existsSync(join(root, path)) && !isOther(disk, root, path, other));
}

/** Where there is no ledger a scan finds nothing, and makes none. */
export const emptyReport: ScanReport = { ...stopped('provenance-off'), complete: true, reason: null };

function hasHeadMoved(before: Position, { position }: Plan): boolean {
  return before.git !== null && position !== null && (before.git.head !== position.head || before.git.ref !== position.ref);
}

function stopped(reason: IncompleteReason): ScanReport {
  const counts = { documents: 0, unchanged: 0, external: 0, git: 0, navigations: 0, adopted: 0, moved: 0 };
  const nothing = {
    absent: new Set<Uuid>(),
    held: new Map(),
    copies: new Map(),
    findings: [],
    seen: new Map(),
    files: new Map(),
    working: new Map(),
  };
  return { complete: false, reason, ...counts, ...nothing };
}

/** An object is absent when its path is gone and it was seen nowhere else. */
function absentObjects(workspace: Workspace, seen: ReadonlyMap<Uuid, SeenFile>, missing: ReadonlySet<string>): Set<Uuid> {
  const { facts } = workspace.replica.reading;
  const absent = new Set<Uuid>();
  for (const [object, { value }] of facts.registrations) {
    const isGone = missing.has(value.path) || facts.objectAt(value.path) !== object;
    if (isGone && !seen.has(object as Uuid)) absent.add(object as Uuid);
  }
  return absent;
}

interface Plan {
  readonly entries: NewEntry[];
  readonly texts: { readonly hash: ContentHash; readonly bytes: Buffer }[];
  readonly working: Map<Uuid, RevisionId>;
  readonly stamp: string;
  readonly position: Attributed['position'] | null;
  readonly navigation: Navigation | null;
  unchanged: number;
  external: number;
  git: number;
  adopted: number;
  moved: number;
  /** Paths of files that are still changing. */
  readonly unsettled: Set<string>;
}

async function planScan(
  workspace: Workspace,
  seen: readonly Sighting[],
  before: Position,
  except: string | undefined,
): Promise<Plan | null> {
  const { graph } = workspace.replica.reading;
  const working = new Map<Uuid, RevisionId>();
  const changes: Changed[] = [];
  for (const sighting of seen) {
    const versions = versionsOf(graph, sighting.object, before.working[sighting.object]);
    const same = unchangedRevision(versions, sighting.file.hash);
    if (same !== null) working.set(sighting.object, same);
    else changes.push({ sighting, versions, isNew: graph.findObject(sighting.object) === none });
  }
  // Taken before git is asked: a move of HEAD meanwhile makes the next scan ask again.
  const stamp = workspace.git?.headMoved() ?? '';
  const attributed = await attribute(workspace, before, changes);
  if (attributed === 'silent') return null;
  const { position = before.git, navigation = null } = attributed ?? {};
  const counts = { unchanged: working.size, external: 0, git: 0, adopted: 0, moved: 0 };
  const plan: Plan = { entries: [], texts: [], working, stamp, position, navigation, unsettled: new Set(), ...counts };
  for (const sighting of seen) planRegistration(workspace, plan, sighting);
  for (const change of changes) {
    if (change.sighting.file.path !== except) planChange(workspace, plan, change, attributed?.byPath.get(change.sighting.file.path));
  }
  return plan;
}

/** The revision that a file still holds: its working revision, or any head. */
function unchangedRevision(versions: Versions, hash: ContentHash): RevisionId | null {
  const candidates = versions.working === null ? versions.heads : [versions.working, ...versions.heads];
  return candidates.find((revision) => versions.contentOf(revision) === hash) ?? null;
}

function planRegistration(workspace: Workspace, plan: Plan, { object, file }: Sighting): void {
  const { facts } = workspace.replica.reading;
  const known = facts.registrations.get(object);
  const schema = file.id === null ? (known?.value.schema ?? null) : file.schema;
  const isThere = known !== undefined && isSpelled(workspace, known.value.path, file.path);
  if (isThere && known.value.schema === schema) return;
  if (known !== undefined && !isThere) plan.moved++;
  const idem = registrationIdem(digest, object, file.path, (known?.id as Uuid | undefined) ?? null);
  plan.entries.push({ kind: 'object-registered', body: { object, path: file.path, schema, derived_from: [] }, subjects: [object], idem });
}

function planChange(workspace: Workspace, plan: Plan, change: Changed, attribution: Attribution | undefined): void {
  const { sighting, versions, isNew } = change;
  const known = versions.withContent(sighting.file.hash);
  if (attribution?.kind === 'navigation' && known !== null) {
    plan.working.set(sighting.object, known);
    return;
  }
  const byGit = attribution?.kind === 'git' ? attribution.id : null;
  const parents = byGit === null ? parentsOf(versions) : versions.heads;
  const revision = revisionId(digest, sighting.file.hash, parents);
  const bytes = settledText(workspace, sighting.file);
  if (bytes === null) {
    plan.unsettled.add(sighting.file.path);
    return;
  }
  plan.working.set(sighting.object, revision);
  if (isRecorded(workspace, sighting.object, revision)) return;
  plan.texts.push({ hash: sighting.file.hash, bytes });
  plan.entries.push(observation(sighting, revision, parents, byGit));
  if (isNew) plan.adopted++;
  else if (byGit === null) plan.external++;
  else plan.git++;
}

function isRecorded(workspace: Workspace, object: Uuid, revision: RevisionId): boolean {
  const { graph } = workspace.replica.reading;
  return graph.findNode(graph.findObject(object), revision) !== none;
}

/** The masked bytes of a file as it was seen; null when it has changed since, so that the next scan takes it. */
function settledText(workspace: Workspace, file: SeenFile): Buffer | null {
  try {
    const bytes = workspace.disk.readFileSync(join(workspace.root, file.path)) as Buffer;
    const document = readDocument(bytes, file.path);
    if (document.contentHash !== file.hash) return null;
    return document.masked === null ? bytes : Buffer.from(document.masked, 'utf8');
  } catch {
    return null;
  }
}

/** The transformation that stands for an edit which a scan has seen; its idem is derived, so that two who see it make one. */
function observation({ object, file }: Sighting, revision: RevisionId, parents: readonly RevisionId[], byGit: string | null): NewEntry {
  return {
    kind: 'transformation',
    body: {
      inputs: [],
      outputs: [{ object, revision, content_hash: file.hash, parents }],
      ...observed(byGit),
    },
    subjects: [object],
    idem: scanIdem(digest, 'transformation', object, revision),
  };
}

/** Appends what was planned. Moves of HEAD and findings ride with a real entry, and never come alone. */
async function write(workspace: Workspace, plan: Plan, findings: readonly Finding[]): Promise<boolean> {
  if (plan.entries.length === 0) return false;
  const pending = readPosition(workspace).pending;
  const moves = plan.navigation === null ? pending : [...pending, plan.navigation];
  const entries = [...plan.entries, ...moves.map(navigationEntry), ...newDiagnostics(workspace, findings)];
  const ready = workspace.recorder.ready(entries);
  for (const text of plan.texts) workspace.snapshots.put(text.hash, text.bytes);
  await workspace.recorder.append(ready);
  return true;
}

function newDiagnostics(workspace: Workspace, findings: readonly Finding[]): NewEntry[] {
  const { diagnostics } = workspace.replica.reading.facts;
  const isKnown = knownLines(workspace);
  const fresh = findings.filter((finding) => !diagnostics.has(diagnosticKey(finding)) && !isKnown(finding));
  return fresh.map(({ code, message, path }) => ({
    kind: 'diagnostic',
    body: { code, message, path },
    subjects: [],
    idem: diagnosticIdem(digest, code, path),
  }));
}

/** The working revisions are kept only where the single head does not say the same. */
function positionAfter(
  workspace: Workspace,
  before: Position,
  { plan, written, held }: { readonly plan: Plan; readonly written: boolean; readonly held: ScanReport['held'] },
): Position {
  const { graph } = workspace.replica.reading;
  const working: Record<string, string> = { ...before.working };
  for (const [object, revision] of plan.working) {
    const heads = headsOf(graph, object);
    if (heads.length === 1 && graph.revisionText(heads[0]!) === revision) delete working[object];
    else working[object] = revision;
  }
  const moves = plan.navigation === null ? before.pending : [...before.pending, plan.navigation];
  const unsettled = unsettledAfter(before, plan);
  return {
    stamp: plan.stamp,
    git: plan.position,
    working,
    pending: written ? [] : moves,
    ...(Object.keys(unsettled).length === 0 ? {} : { unsettled }),
    ...(held.size === 0 ? {} : { held: Object.fromEntries(held) }),
  };
}

/** A file that still changes is judged later by the move of HEAD that it was first seen with. */
function unsettledAfter(before: Position, plan: Plan): Record<string, GitPosition> {
  const isMoved = before.git !== null && JSON.stringify(before.git) !== JSON.stringify(plan.position);
  const since = (path: string) => before.unsettled?.[path] ?? (isMoved ? before.git : null);
  return Object.fromEntries([...plan.unsettled].flatMap((path) => (since(path) === null ? [] : [[path, since(path)!]])));
}
