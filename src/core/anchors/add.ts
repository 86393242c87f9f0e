import { knownAnchors } from '#core/anchors/ledger';
import { nearestNames } from '#core/anchors/nearest';
import type { ReadyPin } from '#core/anchors/pin';
import { resolveTarget, type Target } from '#core/anchors/resolve-target';
import { blobId } from '#core/anchors/source';
import { type AnchorWork, type Asker, refuseOff } from '#core/anchors/work';
import { digest } from '#core/digest';
import { readDocument } from '#core/document';
import { readFile, refuseLink } from '#core/workspace/record';
import { refuseTheFuture } from '#core/workspace/recorder';
import { track } from '#core/workspace/track';
import type { Workspace } from '#core/workspace/workspace';
import type { CodeAnchor, CodePin } from '#kernel/body-anchor';
import { resolveSection, sectionPaths } from '#kernel/section';
import type { Uuid } from '#kernel/uuid';
import { Fault, type Outputs } from '#protocol';

/** A code anchor to be made. Relative paths start where the core was told to. */
export interface AddRequest {
  readonly document: string;
  /** A heading path; empty for the whole document. */
  readonly section: readonly string[];
  /** A linked repository; null for the workspace itself. */
  readonly repository: string | null;
  readonly file: string;
  readonly target: Target;
  readonly by: Asker;
}

/** Makes an anchor; an untracked document is tracked first. What does not resolve is refused, and nothing is written. */
export async function addAnchor(work: AnchorWork, request: AddRequest): Promise<Outputs['anchors-add']> {
  const { workspace } = work;
  refuseOff(workspace);
  const document = work.document(request.document);
  refuseLink(workspace, document);
  refuseSection(workspace, document, request.section);
  const { repository, file, target } = request;
  const ready = await pinTarget(work, repository, work.place(repository, file), target);
  const actor = await work.actor(request.by);
  return work.change(async () => {
    await workspace.replica.refresh();
    const object = await trackedObject(workspace, document);
    await refuseMoved(work, repository, ready.pin);
    refuseDouble(work, object, request, ready.pin);
    const id = workspace.chance.newId(workspace.chance.now());
    const body = { anchor: id, document: object, section: request.section, repository, ...ready.pin, actor };
    await recordAnchor(work, body, ready);
    return { id, state: 'fresh' as const, detail: pinnedDetail(ready.pin) };
  });
}

/** A target of an anchor that is there already. */
export type RebindRequest = Pick<AddRequest, 'repository' | 'file' | 'target' | 'by'> & { readonly id: string };

/** Ties an anchor to other code: a newer entry of the same anchor. */
export async function rebindAnchor(work: AnchorWork, request: RebindRequest): Promise<Outputs['anchors-confirm']> {
  const { workspace } = work;
  refuseOff(workspace);
  await work.refresh();
  work.known(request.id);
  const { repository, target } = request;
  const ready = await pinTarget(work, repository, work.place(repository, request.file), target);
  const actor = await work.actor(request.by);
  return work.change(async () => {
    await workspace.replica.refresh();
    const { id, anchor, last } = work.known(request.id);
    await refuseMoved(work, repository, ready.pin);
    const { document, section } = anchor;
    await recordAnchor(work, { anchor: id, document, section, repository, ...ready.pin, actor }, ready);
    const from = last?.value.state ?? 'fresh';
    return { id, changed: true, from, state: 'fresh' as const, detail: pinnedDetail(ready.pin) };
  });
}

async function pinTarget(work: AnchorWork, repository: string | null, path: string, target: Target): Promise<ReadyPin> {
  const reader = await work.startReader(repository);
  try {
    return await resolveTarget(reader, path, target);
  } finally {
    await work.settle();
  }
}

async function recordAnchor(work: AnchorWork, body: CodeAnchor, { text, pin }: ReadyPin): Promise<void> {
  refuseTheFuture(work.workspace.replica);
  work.workspace.snapshots.put(pin.snapshot, text);
  await work.append([{ kind: 'code-anchor', body, subjects: [body.document, body.anchor] }]);
}

/** The object of a document, which is tracked first if it is not. The caller holds the lock. */
async function trackedObject(workspace: Workspace, path: string): Promise<Uuid> {
  const { facts } = workspace.replica.reading;
  const known = (facts.objectAt(path) as Uuid | null) ?? readDocument(readFile(workspace, path), path).identity?.id ?? null;
  if (known !== null && facts.registrations.has(known)) return known;
  const [tracked] = await track(workspace, [path], false);
  if (tracked?.object == null) throw new Fault('not-tracked', { path });
  return tracked.object;
}

/** The code was changed while it was being looked at: what is about to be recorded is not what is there. */
export async function refuseMoved(work: AnchorWork, repository: string | null, pin: CodePin): Promise<void> {
  const { source } = await work.startReader(repository);
  const looked = await source.look(pin.file_hint);
  const read = looked.kind === 'file' ? await source.read(looked.file) : null;
  if (read?.kind !== 'bytes' || blobId(read.bytes) !== pin.blob) throw new Fault('code-moved', { path: pin.file_hint });
}

function refuseDouble(work: AnchorWork, object: Uuid, { section, repository }: AddRequest, pin: CodePin): void {
  const isSame = (other: CodePin) =>
    other.file_hint === pin.file_hint && other.kind === pin.kind && other.qualified_name === pin.qualified_name;
  const double = knownAnchors(work.workspace.replica.reading.facts).find(
    ({ anchor, pin: other }) =>
      anchor.document === object &&
      anchor.repository === repository &&
      JSON.stringify(anchor.section) === JSON.stringify(section) &&
      isSame(other),
  );
  if (double !== undefined) throw new Fault('anchor-exists', { id: double.id, name: pin.qualified_name });
}

function refuseSection(workspace: Workspace, path: string, section: readonly string[]): void {
  const { masked } = readDocument(readFile(workspace, path), path);
  if (section.length === 0) return;
  const found = masked === null ? null : resolveSection(masked, section, digest.utf8Length);
  if (found?.kind === 'found') return;
  const paths = masked === null ? [] : sectionPaths(masked, digest.utf8Length).map((headings) => headings.join(' › '));
  const candidates = nearestNames(section.at(-1)!, paths, 5);
  throw new Fault('section-unknown', { path, section: section.join(' › '), candidates: candidates.join(', ') });
}

/** What is said of an anchor whose baseline was just made. */
export function pinnedDetail({ file_hint, lines, hashes }: CodePin): Outputs['anchors-add']['detail'] {
  const at = { file: file_hint, line_start: lines.start, line_end: lines.end };
  return { reason: 'identity_matched', ...at, expected_hash: hashes.token, actual_hash: hashes.token };
}
