import type { EdgeRef } from '#kernel/body-field';
import { type EdgeKind, edgeKinds } from '#kernel/body-transformation';
import { bytes, type Column, floats, ints } from '#kernel/column';
import { hexFromWords, KeyTable, none, wordsFromHex } from '#kernel/key-table';
import { floatAt, inputAt, isDelegated, isDirect, isWaiver, lineAt, outputAt, resolutionAt, writeAt } from '#kernel/line-batch';
import type { ContentHash, RevisionId } from '#kernel/revision';
import type { Uuid } from '#kernel/uuid';

/** Where a line stands: the number of its segment, and its bytes there. */
export interface Place {
  readonly segment: number;
  readonly offset: number;
  readonly length: number;
}

/** What became of an entry that was offered to the graph. */
export type Taken = 'new' | 'repeat' | 'replaces';

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
  /** The revision of each object that was named last. */
  #objectNamed: Uint32Array = new Uint32Array(1024).fill(none);
  #stamp = ints();
  #stampNow = 0;

  /** Adds the head of a packed line of a segment; `repeat` when its idem is known from a smaller (time, id), `replaces` when the known one is larger. */
  addEntry(words: Uint32Array, line: number, segment: number): Taken {
    const row = this.idems.intern(words, line + lineAt.idem);
    if (row < this.entryTime.length) return this.#precedes(row, words, line) ? 'replaces' : 'repeat';
    this.entryRef.push(this.ref(words, line + lineAt.id));
    this.entryTime.push(floatAt(words, line + lineAt.time));
    this.entrySegment.push(segment);
    this.entryOffset.push(words[line + lineAt.offset]!);
    this.entryLength.push(words[line + lineAt.length]!);
    return 'new';
  }

  /** Whether a packed line comes before an entry in reader order. */
  #precedes(row: number, words: Uint32Array, line: number): boolean {
    const time = floatAt(words, line + lineAt.time);
    const other = this.entryTime.at(row);
    if (time !== other) return time < other;
    const from = this.entryRef.at(row) * 4;
    for (let i = 0; i < 4; i++) {
      const [id, known] = [words[line + lineAt.id + i]!, this.ids.keys[from + i]!];
      if (known !== id) return id < known;
    }
    return false;
  }

  /** Adds a packed transformation with its edges; of its outputs those whose names were found right. */
  addTransformation(words: Uint32Array, line: number, segment: number): Taken {
    const taken = this.addEntry(words, line, segment);
    if (taken !== 'new') return taken;
    const entry = this.entryTime.length - 1;
    const inputs = line + writeAt.lists;
    let output = inputs + words[line + writeAt.inputs]! * inputAt.size;
    for (let left = words[line + writeAt.outputs]!; left > 0; left--) {
      const node = this.#addOutput(words, line, output, entry);
      if (node !== none) this.#addEdges(words, line, node, entry);
      output += outputAt.list + words[output + outputAt.parents]! * outputAt.parent;
    }
    return 'new';
  }

  #addOutput(words: Uint32Array, line: number, output: number, entry: number): number {
    const object = this.object(words, output + outputAt.object);
    this.touch(object, floatAt(words, line + lineAt.time));
    if (words[output + outputAt.isRight] === 0) {
      this.mismatches.push(entry);
      this.mismatches.push(object);
      return none;
    }
    const node = this.#node(object, words, output + outputAt.node);
    if (this.nodeRecorded.at(node) === 0) this.#record(node, object, words, output);
    this.#author(node, entry, words, line);
    const first = this.nodeFirst.at(node);
    if (first === none || this.#precedes(first, words, line)) this.nodeFirst.set(node, entry);
    return node;
  }

  #record(node: number, object: number, words: Uint32Array, output: number): void {
    const count = words[output + outputAt.parents]!;
    this.nodeRecorded.set(node, 1);
    this.nodeContent.set(node, this.contents.intern(words, output + outputAt.content));
    this.nodeParentFrom.set(node, this.parents.length);
    this.nodeParentCount.set(node, count);
    if (this.nodeHasChild.at(node) === 0) this.#head(object, node, 1);
    else this.#forgetDepths(object);
    for (let p = 0; p < count; p++) {
      const parent = this.#node(object, words, output + outputAt.list + p * outputAt.parent);
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
  #author(node: number, entry: number, words: Uint32Array, line: number): void {
    const withInputs = words[line + writeAt.inputs]! > 0 ? 1 : 0;
    const confidence = words[line + writeAt.confidence]!;
    const now = this.nodeEntry.at(node);
    if (now !== none) {
      const before = this.nodeFromInputs.at(node);
      if (before !== withInputs) {
        if (before > withInputs) return;
      } else if (this.nodeConfidence.at(node) !== confidence) {
        if (this.nodeConfidence.at(node) < confidence) return;
      } else if (!this.#precedes(now, words, line)) return;
    }
    this.nodeEntry.set(node, entry);
    this.nodeFromInputs.set(node, withInputs);
    this.nodeConfidence.set(node, confidence);
  }

  #addEdges(words: Uint32Array, line: number, node: number, entry: number): void {
    const count = words[line + writeAt.inputs]!;
    for (let i = 0; i < count; i++) {
      const input = line + writeAt.lists + i * inputAt.size;
      const flags = words[input + inputAt.flags]!;
      if ((flags & isDirect) === 0 || isOutput(words, line, input)) continue;
      const source = this.object(words, input + inputAt.object);
      const pinned = this.#node(source, words, input + inputAt.node);
      this.edgeEntry.push(entry);
      this.edgeInput.push(i);
      this.edgeSource.push(source);
      this.edgePinned.push(pinned);
      this.edgeArtifact.push(node);
      this.edgeKind.push(flags >> 1);
      this.edgeConfidence.push(words[line + writeAt.confidence]!);
      this.edgeNext.push(this.nodeFirstEdge.at(node));
      this.nodeFirstEdge.set(node, this.edgeEntry.length - 1);
      this.objectFlags.set(this.nodeObject(node), this.objectFlags.at(this.nodeObject(node)) | hasEdges);
    }
  }

  /** Adds a packed ratification or waiver. */
  addResolution(words: Uint32Array, line: number, segment: number): Taken {
    const taken = this.addEntry(words, line, segment);
    if (taken !== 'new') return taken;
    const ref = this.ref(words, line + resolutionAt.txf);
    const object = this.object(words, line + resolutionAt.source);
    const flags = words[line + resolutionAt.flags]!;
    this.resolutionNext.push(this.refFirstResolution.at(ref));
    this.refFirstResolution.set(ref, this.resolutionNext.length - 1);
    this.resolutionInput.push(words[line + resolutionAt.input]!);
    this.resolutionEntry.push(this.entryTime.length - 1);
    this.resolutionWaives.push(flags & isWaiver);
    this.resolutionAgainst.push(this.#node(object, words, line + resolutionAt.node));
    this.resolutionExpires.push(floatAt(words, line + resolutionAt.expires));
    this.resolutionDelegated.push((flags & isDelegated) === 0 ? 0 : 1);
    this.touch(object, floatAt(words, line + lineAt.time));
    return 'new';
  }

  /** Says that something was stated about an object at an instant. */
  touch(object: number, time: number): void {
    if (this.objectNewest.at(object) < time) this.objectNewest.set(object, time);
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

  /** The number of a revision of an object, given now if it was never named before. The name stands behind the word at `at`, which is room for the object. */
  #node(object: number, words: Uint32Array, at: number): number {
    words[at] = object;
    const named = this.#objectNamed;
    // Most revisions are named again and again before the next one of their object.
    if (object < named.length && named[object]! < this.nodes.size && this.nodes.isKey(named[object]!, words, at)) return named[object]!;
    const node = this.nodes.intern(words, at);
    if (node === this.nodeRecorded.length) this.#newNode(object);
    if (object >= named.length) this.#objectNamed = widened(named, object);
    this.#objectNamed[object] = node;
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
    if (ref !== none) yield* this.edgesOf(ref, input);
  }

  /** The same, of an entry that is given by its number. */
  *edgesOf(ref: number, input: number): Generator<number> {
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

function widened(values: Uint32Array, index: number): Uint32Array {
  const wider = new Uint32Array(Math.max(index + 1, values.length * 2)).fill(none);
  wider.set(values);
  return wider;
}

/** Whether an input of a packed transformation is one of its outputs too. */
function isOutput(words: Uint32Array, line: number, input: number): boolean {
  let output = line + writeAt.lists + words[line + writeAt.inputs]! * inputAt.size;
  for (let left = words[line + writeAt.outputs]!; left > 0; left--) {
    let same = true;
    for (let i = 0; i < 4 && same; i++) same = words[input + inputAt.object + i] === words[output + outputAt.object + i];
    if (same) return true;
    output += outputAt.list + words[output + outputAt.parents]! * outputAt.parent;
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
