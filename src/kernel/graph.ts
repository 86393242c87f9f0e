import type { EdgeRef } from '#kernel/body-field';
import { type EdgeKind, edgeKinds } from '#kernel/body-transformation';
import { bytes, type Column, floats, ints } from '#kernel/column';
import { hexFromWords, KeyTable, none, wordsFromHex } from '#kernel/key-table';
import type { TransformationRecord } from '#kernel/record';
import type { ContentHash, RevisionId } from '#kernel/revision';
import type { Uuid } from '#kernel/uuid';

/** Where a line stands: the number of its segment, and its bytes there. */
export interface Place {
  readonly segment: number;
  readonly offset: number;
  readonly length: number;
}

/** Recomputes a revision's hash from words; the graph projects no revision that does not match its own name. */
export type RevisionCheck = (content: Uint32Array, contentAt: number, parents: Uint32Array, from: number, to: number) => Uint32Array;

/** What became of an entry that was offered to the graph. */
export type Taken = 'new' | 'repeat' | 'replaces';

/** A ratification or a waiver as the graph keeps it. `expires` is an instant, NaN for never, -1 for an expiry that cannot be read. */
export interface NewResolution {
  readonly edge: EdgeRef;
  readonly source: Uuid;
  readonly against: RevisionId;
  readonly waives: boolean;
  readonly expires: number;
  readonly delegated: boolean;
}

/** Flags of an object: some revision of it was made from inputs; depths of its revisions have been computed. */
const hasEdges = 1;
const hasDepths = 2;

/**
 * The ledger as numbers: entries, revisions ("nodes") and edges in columns, made so that applying entries in any
 * order, in any number of pieces, gives the same graph. One revision of one object is one node; a node that is
 * only named (as a parent, a pin or a resolution) is there too, not recorded.
 */
export class Graph {
  // Entries that count, one row each.
  readonly idems = new KeyTable(4);
  readonly ids = new KeyTable(4);
  readonly entryRef = ints();
  readonly entryTime = floats();
  readonly entrySegment = ints();
  readonly entryOffset = ints();
  readonly entryLength = ints();
  // Objects.
  readonly objects = new KeyTable(4);
  readonly objectFirstNode = ints();
  readonly objectHeads = ints();
  /** All heads of the object, combined by exclusive or: with one head, that head. */
  readonly objectHeadMix = ints();
  readonly objectNewest = floats();
  readonly objectFlags = bytes();
  // Nodes: key is object and revision hash.
  readonly nodes = new KeyTable(9);
  readonly nodeRecorded = bytes();
  readonly nodeHasChild = bytes();
  readonly nodeNext = ints();
  readonly nodeContent = ints();
  readonly nodeParentFrom = ints();
  readonly nodeParentCount = ints();
  readonly nodeDepth = ints();
  readonly nodeEntry = ints();
  /** The entry that recorded the revision first, which a later confirmation of its inputs is not. */
  readonly nodeFirst = ints();
  readonly nodeConfidence = bytes();
  readonly nodeFromInputs = bytes();
  readonly nodeFirstEdge = ints();
  readonly parents = ints();
  readonly contents = new KeyTable(8);
  // Edges, chained by the node they made.
  readonly edgeEntry = ints();
  readonly edgeInput = ints();
  readonly edgeSource = ints();
  readonly edgePinned = ints();
  readonly edgeArtifact = ints();
  readonly edgeKind = bytes();
  readonly edgeConfidence = bytes();
  readonly edgeNext = ints();
  // Resolutions, chained by the entry whose edge they resolve.
  readonly refFirstResolution = ints();
  readonly resolutionNext = ints();
  readonly resolutionInput = ints();
  readonly resolutionEntry = ints();
  readonly resolutionWaives = bytes();
  readonly resolutionAgainst = ints();
  readonly resolutionExpires = floats();
  /** Whether an agent resolved, under a grant. */
  readonly resolutionDelegated = bytes();
  /** Revisions whose name is not the hash of what they claim: entry row and object. */
  readonly mismatches = ints();

  readonly #key = new Uint32Array(9);
  readonly #word = new Uint32Array(8);
  // Edges once more, chained by the id of their entry; made as far as they are asked for, and stored nowhere.
  readonly #refFirstEdge = ints();
  readonly #edgeNextOfRef = ints();
  // And by their source, in the same way.
  readonly #objectFirstEdge = ints();
  readonly #edgeNextOfSource = ints();
  #stamp = ints();
  #stampNow = 0;

  /** Adds an envelope; `repeat` when its idem is known from a smaller (time, id), `replaces` when the known one is larger. */
  addEntry(id: Uint32Array, idem: Uint32Array, time: number, place: Place): Taken {
    const known = this.idems.size;
    const row = this.idems.intern(idem);
    if (row < known) return this.#precedes(row, id, time) ? 'replaces' : 'repeat';
    this.entryRef.push(this.ref(id, 0));
    this.entryTime.push(time);
    this.entrySegment.push(place.segment);
    this.entryOffset.push(place.offset);
    this.entryLength.push(place.length);
    return 'new';
  }

  #precedes(row: number, id: Uint32Array, time: number): boolean {
    const other = this.entryTime.at(row);
    if (time !== other) return time < other;
    const from = this.entryRef.at(row) * 4;
    for (let i = 0; i < 4; i++) {
      const ours = this.ids.keys[from + i]!;
      if (ours !== id[i]) return id[i]! < ours;
    }
    return false;
  }

  /** Adds a transformation with its edges. `check` recomputes revision names; null trusts them (an index of our own). */
  addTransformation(record: TransformationRecord, place: Place, check: RevisionCheck | null): Taken {
    const taken = this.addEntry(record.id, record.idem, record.time, place);
    if (taken !== 'new') return taken;
    const entry = this.entryTime.length - 1;
    let parentFrom = 0;
    for (let o = 0; o < record.outputs; o++) {
      const parentTo = record.parentEnd[o]!;
      const node = this.#addOutput(record, o, parentFrom, parentTo, entry, check);
      if (node !== none) this.#addEdges(record, node, entry);
      parentFrom = parentTo;
    }
    return 'new';
  }

  #addOutput(record: TransformationRecord, o: number, from: number, to: number, entry: number, check: RevisionCheck | null): number {
    const object = this.object(record.outputObject, o * 4);
    if (this.objectNewest.at(object) < record.time) this.objectNewest.set(object, record.time);
    if (check !== null) {
      const right = check(record.outputContent, o * 8, record.parent, from, to);
      for (let i = 0; i < 8; i++) {
        if (right[i] !== record.outputRevision[o * 8 + i]) {
          this.mismatches.push(entry);
          this.mismatches.push(object);
          return none;
        }
      }
    }
    const node = this.node(object, record.outputRevision, o * 8);
    if (this.nodeRecorded.at(node) === 0) this.#record(node, object, record, o, from, to);
    this.#author(node, entry, record);
    const first = this.nodeFirst.at(node);
    if (first === none || this.#precedes(first, record.id, record.time)) this.nodeFirst.set(node, entry);
    return node;
  }

  #record(node: number, object: number, record: TransformationRecord, o: number, from: number, to: number): void {
    this.nodeRecorded.set(node, 1);
    this.nodeContent.set(node, this.contents.intern(record.outputContent, o * 8));
    this.nodeParentFrom.set(node, this.parents.length);
    this.nodeParentCount.set(node, to - from);
    if (this.nodeHasChild.at(node) === 0) this.#head(object, node, 1);
    else this.#forgetDepths(object);
    for (let p = from; p < to; p++) {
      const parent = this.node(object, record.parent, p * 8);
      this.parents.push(parent);
      if (this.nodeHasChild.at(parent) !== 0) continue;
      this.nodeHasChild.set(parent, 1);
      if (this.nodeRecorded.at(parent) !== 0) this.#head(object, parent, -1);
    }
  }

  #head(object: number, node: number, change: 1 | -1): void {
    this.objectHeads.set(object, this.objectHeads.at(object) + change);
    this.objectHeadMix.set(object, (this.objectHeadMix.at(object) ^ node) >>> 0);
  }

  /** Of several entries that made one revision: the one with inputs, else the most certain, else the first. */
  #author(node: number, entry: number, record: TransformationRecord): void {
    const withInputs = record.inputs > 0 ? 1 : 0;
    const now = this.nodeEntry.at(node);
    if (now !== none) {
      const before = this.nodeFromInputs.at(node);
      if (before !== withInputs) {
        if (before > withInputs) return;
      } else if (this.nodeConfidence.at(node) !== record.confidence) {
        if (this.nodeConfidence.at(node) < record.confidence) return;
      } else if (!this.#precedes(now, record.id, record.time)) return;
    }
    this.nodeEntry.set(node, entry);
    this.nodeFromInputs.set(node, withInputs);
    this.nodeConfidence.set(node, record.confidence);
  }

  #addEdges(record: TransformationRecord, node: number, entry: number): void {
    for (let i = 0; i < record.inputs; i++) {
      if (record.inputDirect[i] === 0 || isOutput(record, i)) continue;
      const source = this.object(record.inputObject, i * 4);
      const pinned = this.node(source, record.inputRevision, i * 8);
      this.edgeEntry.push(entry);
      this.edgeInput.push(i);
      this.edgeSource.push(source);
      this.edgePinned.push(pinned);
      this.edgeArtifact.push(node);
      this.edgeKind.push(record.inputKind[i]!);
      this.edgeConfidence.push(record.confidence);
      this.edgeNext.push(this.nodeFirstEdge.at(node));
      this.nodeFirstEdge.set(node, this.edgeEntry.length - 1);
      this.objectFlags.set(this.nodeObject(node), this.objectFlags.at(this.nodeObject(node)) | hasEdges);
    }
  }

  /** Adds a ratification or a waiver that the entry `row` states. */
  addResolution(row: number, { edge, source, against, ...resolution }: NewResolution): void {
    const ref = this.refOf(edge.txf);
    wordsFromHex(source, 0, 4, this.#word, 0);
    const object = this.object(this.#word, 0);
    wordsFromHex(against, 5, 8, this.#word, 0);
    this.resolutionNext.push(this.refFirstResolution.at(ref));
    this.refFirstResolution.set(ref, this.resolutionNext.length - 1);
    this.resolutionInput.push(edge.input);
    this.resolutionEntry.push(row);
    this.resolutionWaives.push(resolution.waives ? 1 : 0);
    this.resolutionAgainst.push(this.node(object, this.#word, 0));
    this.resolutionExpires.push(resolution.expires);
    this.resolutionDelegated.push(resolution.delegated ? 1 : 0);
  }

  /** The number of an object, given now if it was never named before. */
  object(words: Uint32Array, at: number): number {
    const object = this.objects.intern(words, at);
    if (object === this.objectFirstNode.length) {
      this.objectFirstNode.push(none);
      this.objectHeads.push(0);
      this.objectHeadMix.push(0);
      this.objectNewest.push(0);
      this.objectFlags.push(0);
    }
    return object;
  }

  /** The number of an entry id, given now if it was never named before. */
  ref(words: Uint32Array, at: number): number {
    const ref = this.ids.intern(words, at);
    if (ref === this.refFirstResolution.length) this.refFirstResolution.push(none);
    return ref;
  }

  /** `ref` of an id in its written form. */
  refOf(id: string): number {
    wordsFromHex(id, 0, 4, this.#word, 0);
    return this.ref(this.#word, 0);
  }

  /** The number of an entry id in its written form that was named before, or `none`. */
  findRef(id: string): number {
    wordsFromHex(id, 0, 4, this.#word, 0);
    return this.ids.find(this.#word, 0);
  }

  /** The id of the entry that counts for an idem, or null where there is none. */
  countsFor(idem: Uuid): Uuid | null {
    wordsFromHex(idem, 0, 4, this.#word, 0);
    const entry = this.idems.find(this.#word);
    return entry === none ? null : this.entryText(entry);
  }

  /** The number of a revision of an object, given now if it was never named before. */
  node(object: number, words: Uint32Array, at: number): number {
    const key = this.#key;
    key[0] = object;
    for (let i = 0; i < 8; i++) key[i + 1] = words[at + i]!;
    const node = this.nodes.intern(key, 0);
    if (node === this.nodeRecorded.length) this.#newNode(object);
    return node;
  }

  #newNode(object: number): void {
    const node = this.nodeRecorded.push(0);
    this.nodeHasChild.push(0);
    this.nodeContent.push(none);
    this.nodeParentFrom.push(0);
    this.nodeParentCount.push(0);
    this.nodeDepth.push(0);
    this.nodeEntry.push(none);
    this.nodeFirst.push(none);
    this.nodeConfidence.push(0);
    this.nodeFromInputs.push(0);
    this.nodeFirstEdge.push(none);
    this.nodeNext.push(this.objectFirstNode.at(object));
    this.objectFirstNode.set(object, node);
  }

  /** The object that a revision belongs to. */
  nodeObject(node: number): number {
    return this.nodes.keys[node * 9]!;
  }

  /** The number of a known object by its written id, or `none`. */
  findObject(id: string): number {
    wordsFromHex(id, 0, 4, this.#word, 0);
    return this.objects.find(this.#word, 0);
  }

  /** The number of a recorded revision by its written name, or `none`. */
  findNode(object: number, revision: string): number {
    if (object === none) return none;
    this.#key[0] = object;
    wordsFromHex(revision, 5, 8, this.#key, 1);
    const node = this.nodes.find(this.#key, 0);
    return node !== none && this.nodeRecorded.at(node) === 1 ? node : none;
  }

  /** Recorded revisions of an object, newest number first. */
  *revisions(object: number): Generator<number> {
    for (let node = this.objectFirstNode.at(object); node !== none; node = this.nodeNext.at(node)) {
      if (this.nodeRecorded.at(node) === 1) yield node;
    }
  }

  /** Recorded revisions that no recorded revision names as a parent, sorted by name. */
  heads(object: number): number[] {
    if (object === none) return [];
    const count = this.objectHeads.at(object);
    if (count === 0) return [];
    if (count === 1) return [this.objectHeadMix.at(object)];
    const heads = [...this.revisions(object)].filter((node) => this.nodeHasChild.at(node) === 0);
    return heads.sort((a, b) => (this.revisionText(a) < this.revisionText(b) ? -1 : 1));
  }

  /** The parents of a revision, as written. */
  parentsOf(node: number): number[] {
    const from = this.nodeParentFrom.at(node);
    return [...this.parents.view().subarray(from, from + this.nodeParentCount.at(node))];
  }

  /** The edges of one name, in no order: one for each output of the entry. The first question looks at every edge, later ones at new edges. */
  *edgesNamed({ txf, input }: EdgeRef): Generator<number> {
    const ref = this.findRef(txf);
    if (ref === none) return;
    this.#chainNames();
    const first = ref < this.#refFirstEdge.length ? this.#refFirstEdge.at(ref) : none;
    for (let edge = first; edge !== none; edge = this.#edgeNextOfRef.at(edge)) if (this.edgeInput.at(edge) === input) yield edge;
  }

  #chainNames(): void {
    for (let edge = this.#edgeNextOfRef.length; edge < this.edgeEntry.length; edge++) {
      const ref = this.entryRef.at(this.edgeEntry.at(edge));
      while (this.#refFirstEdge.length <= ref) this.#refFirstEdge.push(none);
      this.#edgeNextOfRef.push(this.#refFirstEdge.at(ref));
      this.#refFirstEdge.set(ref, edge);
    }
  }

  /** The edges of all versions that rest on an object, in no order. The first question looks at every edge, later ones at new edges. */
  *edgesFrom(source: number): Generator<number> {
    this.#chainSources();
    const first = source < this.#objectFirstEdge.length ? this.#objectFirstEdge.at(source) : none;
    for (let edge = first; edge !== none; edge = this.#edgeNextOfSource.at(edge)) yield edge;
  }

  #chainSources(): void {
    for (let edge = this.#edgeNextOfSource.length; edge < this.edgeEntry.length; edge++) {
      const source = this.edgeSource.at(edge);
      while (this.#objectFirstEdge.length <= source) this.#objectFirstEdge.push(none);
      this.#edgeNextOfSource.push(this.#objectFirstEdge.at(source));
      this.#objectFirstEdge.set(source, edge);
    }
  }

  /** The edges that made a revision, in no order. */
  *edgesInto(node: number): Generator<number> {
    for (let edge = this.nodeFirstEdge.at(node); edge !== none; edge = this.edgeNext.at(edge)) yield edge;
  }

  /** Whether `older` is a strict ancestor of `newer`; a revision is not its own ancestor. */
  isAncestor(older: number, newer: number): boolean {
    if (older === newer) return false;
    // With one head every other recorded revision is its ancestor: no walk is needed.
    if (this.nodeRecorded.at(older) === 1 && this.#isOnlyHead(newer) && this.nodeObject(older) === this.nodeObject(newer)) return true;
    while (this.#stamp.length < this.nodeRecorded.length) this.#stamp.push(0);
    const stamp = ++this.#stampNow;
    const queue = [newer];
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      const from = this.nodeParentFrom.at(next);
      for (let i = from + this.nodeParentCount.at(next) - 1; i >= from; i--) {
        const parent = this.parents.at(i);
        if (parent === older) return true;
        if (this.#stamp.at(parent) === stamp) continue;
        this.#stamp.set(parent, stamp);
        queue.push(parent);
      }
    }
    return false;
  }

  #isOnlyHead(node: number): boolean {
    const object = this.nodeObject(node);
    return this.objectHeads.at(object) === 1 && this.objectHeadMix.at(object) === node;
  }

  /** 1 + the longest path to a root: the number in a version's display name. */
  depth(node: number): number {
    const object = this.nodeObject(node);
    this.objectFlags.set(object, this.objectFlags.at(object) | hasDepths);
    const stack = [node];
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      if (this.nodeDepth.at(top) !== 0) {
        stack.pop();
        continue;
      }
      const before = stack.length;
      const deepest = this.#deepestParent(top, stack);
      if (stack.length > before) continue;
      this.nodeDepth.set(top, 1 + deepest);
      stack.pop();
    }
    return this.nodeDepth.at(node);
  }

  /** The depth of the deepest parent; those whose depth is not known yet come on top of `waiting`. */
  #deepestParent(node: number, waiting: number[]): number {
    const from = this.nodeParentFrom.at(node);
    let deepest = 0;
    for (let i = from + this.nodeParentCount.at(node) - 1; i >= from; i--) {
      const parent = this.parents.at(i);
      // A parent that only a child names is on no path: the label counts what is recorded.
      if (this.nodeRecorded.at(parent) === 0) continue;
      const depth = this.nodeDepth.at(parent);
      if (depth === 0) waiting.push(parent);
      else if (depth > deepest) deepest = depth;
    }
    return deepest;
  }

  #forgetDepths(object: number): void {
    if ((this.objectFlags.at(object) & hasDepths) === 0) return;
    this.objectFlags.set(object, this.objectFlags.at(object) & ~hasDepths);
    for (let node = this.objectFirstNode.at(object); node !== none; node = this.nodeNext.at(node)) this.nodeDepth.set(node, 0);
  }

  /** Whether any revision of the object was made from inputs, so that it is, or was, an artifact. */
  isArtifact(object: number): boolean {
    return (this.objectFlags.at(object) & hasEdges) !== 0;
  }

  /** The written id of an object. */
  objectText(object: number): Uuid {
    return uuidText(this.objects.keys, object * 4);
  }

  /** The written name of a revision. */
  revisionText(node: number): RevisionId {
    return `rev1:${hexFromWords(this.nodes.keys, node * 9 + 1, 8)}` as RevisionId;
  }

  /** The written content hash of a recorded revision. */
  contentText(node: number): ContentHash {
    return `sha256:${hexFromWords(this.contents.keys, this.nodeContent.at(node) * 8, 8)}` as ContentHash;
  }

  /** The written id of an entry. */
  entryText(entry: number): Uuid {
    return uuidText(this.ids.keys, this.entryRef.at(entry) * 4);
  }

  /** The kind of an edge, in its written form. */
  edgeKindText(edge: number): EdgeKind {
    return edgeKinds[this.edgeKind.at(edge)]!;
  }
}

function isOutput(record: TransformationRecord, input: number): boolean {
  for (let o = 0; o < record.outputs; o++) {
    let same = true;
    for (let i = 0; i < 4 && same; i++) same = record.inputObject[input * 4 + i] === record.outputObject[o * 4 + i];
    if (same) return true;
  }
  return false;
}

/** A UUID in its written form from four words. */
export function uuidText(words: Uint32Array, at: number): Uuid {
  const hex = hexFromWords(words, at, 4);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}` as Uuid;
}

/** The columns of a graph by name, as an index stores them. */
export function columnsOf(graph: Graph): Map<string, Column> {
  return new Map(Object.entries(graph).filter((pair): pair is [string, Column] => 'push' in pair[1]));
}

/** The key tables of a graph by name, as an index stores them. */
export function tablesOf(graph: Graph): Map<string, KeyTable> {
  return new Map(Object.entries(graph).filter((pair): pair is [string, KeyTable] => pair[1] instanceof KeyTable));
}
