import { pinnedDetail, refuseMoved } from '#core/anchors/add';
import { answerOf, type Finding } from '#core/anchors/finding';
import type { KnownAnchor } from '#core/anchors/ledger';
import { pinRange, type ReadyPin } from '#core/anchors/pin';
import { pinFound, refuseUnread } from '#core/anchors/resolve-target';
import { surveyOne } from '#core/anchors/survey';
import { type AnchorWork, type Asker, refuseOff } from '#core/anchors/work';
import { refuseTheFuture } from '#core/workspace/recorder';
import { entryWithIdem } from '#core/workspace/versions';
import type { Uuid } from '#kernel/uuid';
import { Fault, type Outputs } from '#protocol';

/** A confirmation: `hashSeen` is the hash of the code that was looked at, null for what the last check wrote down. */
export interface ConfirmRequest {
  readonly id: string;
  readonly hashSeen: string | null;
  readonly note: string;
  readonly by: Asker;
  /** Minted once per decision and used again by a retry, which then records nothing more. */
  readonly idem?: Uuid;
}

type Confirmed = Outputs['anchors-confirm'];
type Found = Extract<Finding, { kind: 'found' }>;

/** Makes the code as it is the baseline. Refused when it is not what was seen, when nobody has looked, and when there is none. */
export async function confirmAnchor(work: AnchorWork, request: ConfirmRequest): Promise<Confirmed> {
  const { workspace } = work;
  refuseOff(workspace);
  await work.refresh();
  const known = work.known(request.id);
  if (request.idem !== undefined && entryWithIdem(workspace.replica.reading.graph, request.idem) !== null) return unchanged(known);
  const finding = await surveyOne(work, known);
  const { state, detail } = answerOf(known, finding);
  if (finding.kind === 'unchecked') throw new Fault('anchor-unchecked', { id: known.id, reason: finding.reason });
  if (finding.kind === 'lost') throw new Fault('anchor-lost', { id: known.id });
  refuseUnseen(known, finding, request.hashSeen, state === 'fresh');
  if (state === 'fresh') return { id: known.id, changed: false, from: 'fresh', state, detail };
  const ready = await pinNow(work, known, finding);
  const actor = await work.actor(request.by);
  return work.change(async () => {
    await workspace.replica.refresh();
    const now = work.known(request.id);
    if (now.baseline !== known.baseline) {
      // Somebody else was faster and confirmed the same code.
      if (isSamePin(now, ready)) return unchanged(now);
      throw new Fault('anchor-moved', { id: known.id });
    }
    await refuseMoved(work, known.anchor.repository, ready.pin);
    refuseTheFuture(workspace.replica);
    workspace.snapshots.put(ready.pin.snapshot, ready.text);
    const about = { anchor: known.id, from: state, hash_seen: ready.pin.hashes.token, note: request.note.trim() };
    const subjects = [known.anchor.document, known.id];
    const idem = request.idem === undefined ? {} : { idem: request.idem };
    await work.append([{ kind: 'code-anchor-confirmation', body: { ...about, ...ready.pin, actor }, subjects, ...idem }]);
    return { id: known.id, changed: true, from: state, state: 'fresh' as const, detail: pinnedDetail(ready.pin) };
  });
}

const unchanged = (known: KnownAnchor): Confirmed => {
  return { id: known.id, changed: false, from: 'fresh', state: 'fresh', detail: pinnedDetail(known.pin) };
};

function isSamePin({ pin }: KnownAnchor, { pin: ready }: ReadyPin): boolean {
  const isSamePlace = pin.file_hint === ready.file_hint && pin.qualified_name === ready.qualified_name;
  return isSamePlace && pin.hashes.token === ready.hashes.token;
}

function refuseUnseen({ id, last }: KnownAnchor, { actualHash, file, renamedTo }: Found, hashSeen: string | null, isFresh: boolean): void {
  if (hashSeen !== null) {
    if (hashSeen !== actualHash) throw new Fault('anchor-moved', { id });
    return;
  }
  if (isFresh) return;
  if (last === null) throw new Fault('anchor-unseen', { id });
  const seen = last.value;
  const isSame = seen.actual_hash === actualHash && seen.file === file && seen.renamed_to === renamedTo;
  if (!isSame) throw new Fault('anchor-moved', { id });
}

/** Pins what was found, in the place and under the name that it has now. */
async function pinNow(work: AnchorWork, known: KnownAnchor, found: Found): Promise<ReadyPin> {
  const reader = await work.startReader(known.anchor.repository);
  const moved = new Fault('anchor-moved', { id: known.id });
  if (known.pin.fallback) {
    const read = await reader.text(found.file);
    if (read.kind !== 'read') return refuseUnread(read.kind, found.file);
    const ready = await pinRange(read.path, read.text, read.blob, found.lines, reader);
    if (ready?.pin.hashes.token !== found.actualHash) throw moved;
    return ready;
  }
  const hinted = await reader.hinted(found.file);
  if (hinted.kind !== 'read') return refuseUnread(hinted.kind, found.file);
  const declaration = hinted.file.parsed.declarations.find(
    ({ tokenHash, lineStart, lineEnd, qualifiedName }) =>
      tokenHash === found.actualHash &&
      lineStart === found.lines.start &&
      lineEnd === found.lines.end &&
      (found.renamedTo === null || qualifiedName === found.renamedTo),
  );
  if (declaration === undefined) throw moved;
  const ready = await pinFound(reader, hinted.file, declaration);
  await work.settle();
  return ready;
}
