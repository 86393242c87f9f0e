import { join } from 'node:path';
import { isLink, isMissing, readIfThere } from '#core/storage/disk';
import { capture, type Identified, identify, type PinnedInput, type Recorded } from '#core/workspace/capture';
import type { FileWrite } from '#core/workspace/file-write';
import { ensureLayout } from '#core/workspace/layout';
import { observed } from '#core/workspace/observation';
import { staysInside } from '#core/workspace/place';
import { type ScanReport, scan } from '#core/workspace/scan';
import { headsOf } from '#core/workspace/versions';
import { type Policy, policyOf, type Workspace } from '#core/workspace/workspace';
import type { Agent, Confidence, Intent } from '#kernel/body-transformation';
import type { Uuid } from '#kernel/uuid';
import { inputsCap } from '#kernel/writing';
import { type DropReason, Fault, faultFromSystem } from '#protocol';

/** A document that a write read: `direct` when the output must agree with it. */
export interface DeclaredInput {
  readonly path: string;
  /** Its path is as it was named, and leads out of the workspace. */
  readonly isOutside?: boolean;
  readonly role: 'direct' | 'contextual';
}

/** A write that was made elsewhere and is on disk, with what it read. Paths are workspace-relative. */
export interface RecordRequest {
  readonly path: string;
  readonly inputs: readonly DeclaredInput[];
  readonly agent: Agent;
  readonly intent: Intent;
  readonly confidence: Confidence;
  readonly idem?: Uuid;
}

/** What was recorded, and which declared inputs could not be pinned. */
export interface RecordReport extends Recorded {
  readonly path: string;
  readonly confidence: Confidence;
  readonly inputs: readonly PinnedInput[];
  readonly dropped: readonly { readonly path: string; readonly reason: DropReason }[];
}

/**
 * Records a document as it is on disk, with its inputs as they are now (`stemma record`). Edits by others are
 * reconciled first, so that every input is pinned at what was read. The caller holds the lock.
 */
export async function record(workspace: Workspace, request: RecordRequest): Promise<RecordReport> {
  const policy = policyOf(workspace);
  if (policy === 'nothing') throw new Fault('no-workspace-record', {});
  refuseLink(workspace, request.path);
  const report = await scan(workspace, { mode: 'append', except: request.path });
  refuseUnscanned(report);
  const bytes = readFile(workspace, request.path);
  const identified = await identify(workspace, request.path, bytes, policy);
  if (identified === null) throw new Fault('not-tracked', { path: request.path });
  refuseCopy(report, request.path);
  refuseHeld(report, identified.object);
  const { inputs, dropped } = await pinInputs(workspace, request, report, policy);
  const confidence = dropped.length > 0 && request.confidence === 'exact' ? 'inferred' : request.confidence;
  const recorded = await capture(workspace, { ...request, identified, inputs, confidence }, stampedFile(identified));
  return { ...recorded, path: request.path, confidence, inputs, dropped };
}

/** Documents that are about to be read for a write, pinned as they are now (`spec/format.md` §6). `path` is what will be written. */
export async function pin(
  workspace: Workspace,
  { path, inputs }: { readonly path: string | null; readonly inputs: readonly DeclaredInput[] },
): Promise<Pick<RecordReport, 'inputs' | 'dropped'>> {
  const policy = policyOf(workspace);
  if (policy === 'nothing') return { inputs: [], dropped: inputs.map((input) => ({ path: input.path, reason: 'not-tracked' })) };
  const report = await scan(workspace, { mode: 'append' });
  refuseUnscanned(report);
  if (path !== null && inputs.some((input) => input.path === path)) await registerAsItIs(workspace, path, report, policy);
  return pinInputs(workspace, { path: path ?? '', inputs }, report, policy);
}

/**
 * The document that will be written is taken in with the text that it has, so that the version before is known. It gets its block with the
 * save: nothing is written under an open buffer. What cannot be taken in is dropped when it is pinned.
 */
async function registerAsItIs(workspace: Workspace, path: string, report: ScanReport, policy: Policy): Promise<void> {
  const { disk, root } = workspace;
  if (!staysInside(disk, root, path) || isLink(disk, join(root, path)) || report.copies.has(path)) return;
  const given = readIfThere(disk, join(root, path));
  const identified = given === null || given.length > openLimit ? null : await identify(workspace, path, given, policy);
  if (identified === null || isRegistered(workspace, identified.object) || report.held.has(identified.object)) return;
  await register(workspace, path, { ...identified, bytes: identified.given, isStamped: false });
}

/** The largest file that is opened or read as an input, in bytes: as much as a save may carry. */
export const openLimit = 64 * 1024 * 1024;

/** The bytes of a document, which must be there. */
export function readFile({ disk, root }: Workspace, path: string): Buffer {
  try {
    return disk.readFileSync(join(root, path)) as Buffer;
  } catch (error) {
    throw faultFromSystem(error, path);
  }
}

/** The write that puts a new identity block into a file; null where there is none to put. */
export function stampedFile({ isStamped, bytes, given }: Identified): FileWrite | null {
  return isStamped ? { bytes, before: given } : null;
}

/** A link is never tracked: what it points to may be anything, and anywhere. */
export function refuseLink({ disk, root }: Workspace, path: string): void {
  if (isLink(disk, join(root, path))) throw new Fault('is-a-link', { path });
}

/** What a scan could not tell apart from what it knows must not be recorded over. */
export function refuseUnscanned({ reason }: ScanReport): void {
  if (reason === 'git-busy') throw new Fault('git-busy', {});
  if (reason === 'git-unreadable') throw new Fault('scan-incomplete', { reason });
}

/** Nothing is recorded for an object whose id stands in two files: which of them is meant cannot be known. */
export function refuseHeld(report: ScanReport, object: Uuid): void {
  const paths = report.held.get(object);
  if (paths !== undefined) throw new Fault('held-duplicate', { path: paths[0]!, other: paths[1]! });
}

/** A conflicted copy is no document of its own. */
function refuseCopy(report: ScanReport, path: string): void {
  const copy = report.copies.get(path);
  if (copy !== undefined) throw new Fault('conflicted-copy', { path, other: copy.of });
}

type Dropped = RecordReport['dropped'][number];

/** A bad input is dropped and said; it never costs the record of the write. Of too many the newest are kept. */
async function pinInputs(
  workspace: Workspace,
  { path, inputs: declared }: Pick<RecordRequest, 'path' | 'inputs'>,
  report: ScanReport,
  policy: Policy,
) {
  const inputs: PinnedInput[] = [];
  const dropped: Dropped[] = [];
  for (const input of declared) {
    const isRepeated = inputs.some((other) => other.path === input.path);
    const own = input.path === path;
    const pinned = isRepeated ? 'repeated' : await pinInput(workspace, input, { report, policy, own });
    if (typeof pinned === 'string') dropped.push({ path: input.path, reason: pinned });
    else inputs.push(pinned);
  }
  const tooMany = inputs.splice(0, Math.max(0, inputs.length - inputsCap));
  return { inputs, dropped: [...dropped, ...tooMany.map((input) => ({ path: input.path, reason: 'too-many' as const }))] };
}

interface Pinning {
  readonly report: ScanReport;
  readonly policy: Policy;
  /** Whether the document that is recorded is its own input: it is pinned at the version before. */
  readonly own: boolean;
}

async function pinInput(workspace: Workspace, input: DeclaredInput, { report, policy, own }: Pinning): Promise<PinnedInput | DropReason> {
  const { disk, root } = workspace;
  if (input.isOutside === true || !staysInside(disk, root, input.path)) return 'outside-workspace';
  if (isLink(disk, join(root, input.path))) return 'link';
  let bytes: Buffer;
  try {
    if (disk.statSync(join(root, input.path)).size > openLimit) return 'too-large';
    bytes = disk.readFileSync(join(root, input.path)) as Buffer;
  } catch (error) {
    return isMissing(error) ? 'missing' : 'unreadable';
  }
  const identified = await identify(workspace, input.path, bytes, policy);
  if (identified === null) return 'not-tracked';
  if (report.held.has(identified.object) || report.copies.has(input.path)) return 'held';
  if (!isRegistered(workspace, identified.object)) {
    if (own) return 'not-tracked';
    await register(workspace, input.path, identified);
  }
  const { graph } = workspace.replica.reading;
  const heads = headsOf(graph, identified.object);
  const revision = report.working.get(identified.object) ?? (heads.length === 1 ? graph.revisionText(heads[0]!) : null);
  if (revision === null) return 'several-heads';
  // It was written to since the scan: what was read is then no version that could be named.
  const pinned = graph.contentText(graph.findNode(graph.findObject(identified.object), revision));
  if (pinned !== identified.document.contentHash && !own) return 'unreadable';
  return { object: identified.object, path: input.path, revision, role: input.role };
}

const isRegistered = (workspace: Workspace, object: Uuid) => workspace.replica.reading.facts.registrations.has(object);

/**
 * Takes a document into the ledger as it is: stamped where that may and can be, registered, and with a first
 * revision that nobody is named for. The caller holds the lock.
 */
export async function register(workspace: Workspace, path: string, identified: Identified): Promise<Recorded> {
  ensureLayout(workspace);
  const writing = { path, identified, inputs: [], ...observed(null) };
  return capture(workspace, writing, stampedFile(identified));
}
