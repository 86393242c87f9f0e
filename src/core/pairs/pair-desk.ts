import { type AnchorParts, type AnchorWork, type Asker, createAnchorWork, refuseOff } from '#core/anchors/work';
import { type Document, isDocumentPath, readDocument } from '#core/document';
import { type KnownPair, knownPair, knownPairs } from '#core/pairs/ledger';
import { staysInside } from '#core/workspace/place';
import { readFile, refuseLink } from '#core/workspace/record';
import { track } from '#core/workspace/track';
import { entryWithIdem } from '#core/workspace/versions';
import type { Workspace } from '#core/workspace/workspace';
import { aheadOf, type PairHashes, type PairSide, pairSides } from '#kernel/body-pair';
import { formatInstant } from '#kernel/instant';
import { none } from '#kernel/key-table';
import type { ContentHash } from '#kernel/revision';
import type { Uuid } from '#kernel/uuid';
import { Fault, type FaultCode } from '#protocol';
import type { PairLook, PairRow, PairSideText } from '#protocol/pair-calls';

/** Where an object is; null where it is nowhere. */
export type WhereIs = (object: string) => string | null;

/** A confirmation that both documents are in step; `hashes` are those of the texts that were looked at. */
export interface StepRequest {
  readonly pair: string;
  readonly hashes: PairHashes;
  readonly note: string;
  readonly by: Asker;
  readonly idem?: Uuid;
}

/** What is done with paired documents (code-anchors §6). */
export interface PairDesk {
  /** Ties two documents; what is not tracked is tracked first. */
  make(request: { readonly technical: string; readonly human: string; readonly by: Asker }): Promise<{ readonly pair: string }>;
  /** Every pair, held against the files as they are. */
  survey(whereIs: WhereIs): PairRow[];
  /** Every pair as it is now, for a list that has them as they were. */
  current(): Promise<PairRow[]>;
  /** The texts behind a pair: as they were in step, and as they are. */
  look(pair: string): Promise<PairLook>;
  /** Refused where a text is not the one that was looked at. */
  confirm(request: StepRequest): Promise<{ readonly changed: boolean }>;
  remove(pair: string, by: Asker): Promise<void>;
}

/** The desk for pairs of a workspace. */
export function pairDesk(workspace: Workspace, parts: AnchorParts): PairDesk {
  const work = createAnchorWork(workspace, parts);
  const pathOf: WhereIs = (object) => workspace.replica.reading.facts.pathOf(object);
  return {
    make: (request) => makePair(work, request),
    survey: (whereIs) => surveyPairs(workspace, (object) => presentHash(workspace, object, whereIs(object)), whereIs),
    async current() {
      await parts.refresh();
      return surveyPairs(workspace, (object) => presentHash(workspace, object, pathOf(object)), pathOf);
    },
    async look(id) {
      refuseOff(workspace);
      await parts.refresh();
      const known = pairOf(workspace, id);
      const sides = pairSides.map((side) => [side, sideText(workspace, known, side, pathOf(known[side]))] as const);
      return { ...rowOf(known, hashesNow(workspace, known, pathOf), pathOf), ...Object.fromEntries(sides), ...whenOf(known) } as PairLook;
    },
    confirm: (request) => confirmPair(work, request, pathOf),
    async remove(id, by) {
      refuseOff(workspace);
      const actor = await work.actor(by);
      await work.change(async () => {
        await workspace.replica.refresh();
        const known = pairOf(workspace, id);
        await work.append([{ kind: 'document-pair-removal', body: { pair: known.id, actor }, subjects: [known.technical, known.human] }]);
      });
    },
  };
}

/** Every pair as the ledger knows its documents, without a look at the files; of several versions none is said to be ahead. */
export function pairsSeen(workspace: Workspace, whereIs: WhereIs): PairRow[] {
  return surveyPairs(workspace, (object) => recordedHash(workspace, object), whereIs);
}

function recordedHash(workspace: Workspace, object: string): ContentHash | null {
  const { graph } = workspace.replica.reading;
  const number = graph.findObject(object as Uuid);
  if (number === none || graph.objectHeads.at(number) !== 1) return null;
  return graph.contentText(graph.objectHeadMix.at(number));
}

function surveyPairs(workspace: Workspace, hashOf: (object: string) => ContentHash | null, whereIs: WhereIs): PairRow[] {
  const rows = knownPairs(workspace.replica.reading.facts).map((known) =>
    rowOf(known, { technical: hashOf(known.technical), human: hashOf(known.human) }, whereIs),
  );
  const keyOf = ({ technical, human, pair }: PairRow) => JSON.stringify([technical.path ?? '\uffff', human.path ?? '\uffff', pair]);
  return rows.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

function rowOf(known: KnownPair, now: Readonly<Record<PairSide, ContentHash | null>>, whereIs: WhereIs): PairRow {
  const gone = pairSides.filter((side) => now[side] === null);
  // Of a pair with one document nothing can be in step or out of it.
  const ahead = gone.length > 0 ? [] : aheadOf(known.held, now);
  const named = (side: PairSide) => ({ object: known[side], path: whereIs(known[side]) });
  const state = ahead.length > 0 ? 'pair-ahead' : 'fresh';
  return { pair: known.id, technical: named('technical'), human: named('human'), state, ahead: [...ahead], gone };
}

const whenOf = ({ since, by }: KnownPair) => ({ since: formatInstant(since), by });

function pairOf({ replica }: Workspace, id: string): KnownPair {
  const known = knownPair(replica.reading.facts, id);
  if (known === null) throw new Fault('pair-unknown', { id });
  return known;
}

const hashesNow = (workspace: Workspace, known: KnownPair, pathOf: WhereIs) => ({
  technical: presentHash(workspace, known.technical, pathOf(known.technical)),
  human: presentHash(workspace, known.human, pathOf(known.human)),
});

/** Of a document that cannot be read, as it was recorded: it is not gone, and the other pairs are looked at all the same. */
function presentHash(workspace: Workspace, object: string, path: string | null): ContentHash | null {
  try {
    return present(workspace, path)?.contentHash ?? null;
  } catch (error) {
    if (error instanceof Fault) return recordedHash(workspace, object);
    throw error;
  }
}

const goneCodes: readonly FaultCode[] = ['file-missing', 'is-a-folder', 'not-a-folder', 'is-a-link', 'outside-workspace'];

/** A document as it is on disk; null where none is there: a folder or a link in its place is none. */
function present(workspace: Workspace, path: string | null): Document | null {
  try {
    return path === null ? null : readDocument(readOwn(workspace, path), path);
  } catch (error) {
    if (error instanceof Fault && goneCodes.includes(error.code)) return null;
    throw error;
  }
}

/** A file of the workspace: what a link leads to may be anything, and is neither shown nor kept. */
function readOwn(workspace: Workspace, path: string): Buffer {
  refuseLink(workspace, path);
  if (!staysInside(workspace.disk, workspace.root, path)) throw new Fault('outside-workspace', { path });
  return readFile(workspace, path);
}

function sideText(workspace: Workspace, known: KnownPair, side: PairSide, path: string | null): PairSideText {
  const document = present(workspace, path);
  const kept = workspace.snapshots.get(known.held[side]);
  return {
    object: known[side],
    path,
    before: kept.kind === 'found' ? kept.bytes.toString('utf8') : null,
    now: document?.masked ?? null,
    hash: document?.contentHash ?? null,
  };
}

async function makePair(work: AnchorWork, request: Parameters<PairDesk['make']>[0]): Promise<{ pair: string }> {
  const { workspace } = work;
  refuseOff(workspace);
  const paths = { technical: work.document(request.technical), human: work.document(request.human) };
  if (paths.technical === paths.human) throw new Fault('pair-itself', { path: paths.human });
  for (const side of pairSides) {
    if (!isDocumentPath(paths[side])) throw new Fault('not-a-document', { path: paths[side] });
    readOwn(workspace, paths[side]);
  }
  const actor = await work.actor(request.by);
  return work.change(async () => {
    await workspace.replica.refresh();
    const tracked = await track(
      workspace,
      pairSides.map((side) => paths[side]),
      false,
    );
    const [technical, human] = pairSides.map((side) => tracked.find(({ path }) => path === paths[side])?.object ?? null);
    if (technical == null || human == null) throw new Fault('not-tracked', { path: technical == null ? paths.technical : paths.human });
    refuseDouble(workspace, technical, human, paths);
    const pair = workspace.chance.newId(workspace.chance.now());
    const hashes = keepTexts(workspace, paths);
    await work.append([{ kind: 'document-pair', body: { pair, technical, human, hashes, actor }, subjects: [technical, human] }]);
    return { pair };
  });
}

function refuseDouble({ replica }: Workspace, technical: Uuid, human: Uuid, paths: Record<PairSide, string>): void {
  const both = new Set<string>([technical, human]);
  const isSame = (known: KnownPair) => both.has(known.technical) && both.has(known.human);
  if (knownPairs(replica.reading.facts).some(isSame)) throw new Fault('pair-exists', { path: paths.technical, other: paths.human });
}

/** Keeps both texts as they are, so that what changes later can be shown; answers their hashes. */
function keepTexts(workspace: Workspace, paths: Readonly<Record<PairSide, string>>): PairHashes {
  const keep = (path: string) => {
    const bytes = readOwn(workspace, path);
    const { contentHash, masked } = readDocument(bytes, path);
    workspace.snapshots.put(contentHash, masked === null ? bytes : Buffer.from(masked, 'utf8'));
    return contentHash;
  };
  return { technical: keep(paths.technical), human: keep(paths.human) };
}

async function confirmPair(work: AnchorWork, request: StepRequest, pathOf: WhereIs): Promise<{ changed: boolean }> {
  const { workspace } = work;
  refuseOff(workspace);
  const actor = await work.actor(request.by);
  return work.change(async () => {
    await workspace.replica.refresh();
    const { graph } = workspace.replica.reading;
    const known = pairOf(workspace, request.pair);
    if (request.idem !== undefined && entryWithIdem(graph, request.idem) !== null) return { changed: false };
    const paths = { technical: pathThere(pathOf(known.technical), known), human: pathThere(pathOf(known.human), known) };
    const now = keepTexts(workspace, paths);
    if (pairSides.some((side) => now[side] !== request.hashes[side])) throw new Fault('pair-moved', {});
    if (aheadOf(known.held, now).length === 0) return { changed: false };
    const body = { pair: known.id, hashes: now, note: request.note.trim(), actor };
    const idem = request.idem === undefined ? {} : { idem: request.idem };
    await work.append([{ kind: 'document-pair-confirmation', body, subjects: [known.technical, known.human], ...idem }]);
    return { changed: true };
  });
}

function pathThere(path: string | null, { id }: KnownPair): string {
  if (path === null) throw new Fault('pair-unknown', { id });
  return path;
}
