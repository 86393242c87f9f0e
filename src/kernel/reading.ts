import type { EdgeRef } from '#kernel/body-field';
import { type Column, ints } from '#kernel/column';
import type { Digest } from '#kernel/digest';
import { type Entry, parseLine } from '#kernel/entry';
import { diagnosticKey, edgeKey, Facts, isNewer, observationKey } from '#kernel/facts';
import { Graph, type Place, type Taken, uuidText } from '#kernel/graph';
import { none, wordsFromHex } from '#kernel/key-table';
import { bytesOf, floatAt, inputAt, LineBatch, lineAt, lineKinds, outputAt, packedEntry, resolutionAt, writeAt } from '#kernel/line-batch';
import { linePacker, type PackLines } from '#kernel/line-packer';
import { type RevisionCheck, revisionCheck } from '#kernel/revision-check';

/** A line that is no entry: where it stands, and why it was refused. */
export interface MalformedLine extends Place {
  readonly reason: string;
}

/** The entry of an idem that comes first in reader order. */
export interface Winner {
  readonly time: number;
  readonly id: string;
}

/** UTF-8 bytes as text, or null where they are none. */
export type Decode = (bytes: Uint8Array, start: number, end: number) => string | null;

/** What a reading asks of its surroundings. */
export interface Surroundings {
  readonly digest: Digest;
  readonly decode: Decode;
  /** What packs lines as `linePacker` does, where something else does it faster. */
  readonly pack?: PackLines;
}

/**
 * A ledger being read: the graph, the facts, and what could not be read. Lines may come in any order and in any
 * number of pieces; the result is the same. Where an entry turns out to be superseded by one of the same idem
 * that comes earlier in reader order, `winners` names it and the ledger must be read anew with it
 * (`spec/format.md` §5: of equal idem the smallest (time, id)).
 */
export class Reading {
  readonly graph = new Graph();
  readonly facts = new Facts();
  readonly malformed: MalformedLine[] = [];
  future = 0;
  /** Idem → the entry that counts, where a later one was met first. */
  readonly winners: Map<string, Winner>;
  conflict = false;
  readonly #around: Surroundings;
  readonly #batch = new LineBatch();
  readonly #pack: PackLines;
  readonly #check: RevisionCheck;
  readonly #subject = new Uint32Array(4);
  #changed: Column | null = null;

  constructor(around: Surroundings, winners: ReadonlyMap<string, Winner> = new Map()) {
    this.#around = around;
    this.#pack = around.pack ?? linePacker(around.digest);
    this.#check = revisionCheck(around.digest);
    this.winners = new Map(winners);
  }

  /**
   * Reads the whole lines of `source`, which begins at byte `base` of segment number `segment`, and answers how
   * many bytes they took. What follows the last newline is a write that never finished, or is under way.
   */
  read(source: Uint8Array, segment: number, base: number): number {
    this.#batch.end = 0;
    const taken = this.#pack(source, base, this.#batch);
    this.take(this.#batch, segment);
    return taken;
  }

  /** Takes in lines of a segment that were packed, here or in another thread. */
  take({ words, end }: Pick<LineBatch, 'words' | 'end'>, segment: number): void {
    for (let line = 0; line < end; line += words[line + lineAt.size]!) {
      if (words[line + lineAt.kind] === lineKinds.other) this.#parse(words, line, segment);
      else this.#apply(words, line, segment);
    }
  }

  /**
   * The objects of which something is read from the first call on, in the order of reading: the outputs of a version, the
   * subject of a registration, of whatever is said about an edge the documents that it made. What is only named is not there.
   */
  follow(): Column {
    this.#changed ??= ints();
    return this.#changed;
  }

  /** A line that is kept as its bytes. */
  #parse(words: Uint32Array, line: number, segment: number): void {
    const place = { segment, offset: words[line + lineAt.offset]!, length: words[line + lineAt.length]! };
    const text = this.#around.decode(bytesOf(words, line), 0, place.length);
    if (text === null) {
      this.malformed.push({ ...place, reason: 'not UTF-8' });
      return;
    }
    const parsed = parseLine(text, this.#around.digest);
    if (parsed.kind === 'future') this.future++;
    else if (parsed.kind === 'malformed') this.malformed.push({ ...place, reason: parsed.reason });
    else if (parsed.kind === 'entry') {
      const packed = packedEntry(parsed.entry, place);
      if (packed[lineAt.kind] === lineKinds.transformation) this.#check(packed, 0);
      if (packed[lineAt.kind] !== lineKinds.other) this.#apply(packed, 0, segment);
      else if (this.#counts(packed, 0) && this.#took(this.graph.addEntry(packed, 0, segment), packed, 0)) this.#state(parsed.entry);
    }
  }

  /** A packed transformation or resolution. */
  #apply(words: Uint32Array, line: number, segment: number): void {
    if (!this.#counts(words, line)) return;
    if (words[line + lineAt.kind] === lineKinds.transformation) {
      if (this.#took(this.graph.addTransformation(words, line, segment), words, line)) this.#noteOutputs(words, line);
    } else if (this.#took(this.graph.addResolution(words, line, segment), words, line)) this.#noteResolved(words, line);
  }

  /** Whether a packed entry counts, as far as is known of others with its idem. */
  #counts(words: Uint32Array, line: number): boolean {
    if (this.winners.size === 0) return true;
    const key = uuidText(words, line + lineAt.idem);
    const winner = this.winners.get(key);
    const own = { time: floatAt(words, line + lineAt.time), id: uuidText(words, line + lineAt.id) };
    if (winner === undefined || (winner.id === own.id && winner.time === own.time)) return true;
    if (isNewer(winner, own)) {
      this.winners.set(key, own);
      this.conflict = true;
    }
    return false;
  }

  /** Whether a packed entry is new; one that supersedes another is remembered. */
  #took(taken: Taken, words: Uint32Array, line: number): boolean {
    if (taken === 'replaces') {
      const winner = { time: floatAt(words, line + lineAt.time), id: uuidText(words, line + lineAt.id) };
      this.winners.set(uuidText(words, line + lineAt.idem), winner);
      this.conflict = true;
    }
    return taken === 'new';
  }

  #noteOutputs(words: Uint32Array, line: number): void {
    if (this.#changed === null) return;
    let output = line + writeAt.lists + words[line + writeAt.inputs]! * inputAt.size;
    for (let left = words[line + writeAt.outputs]!; left > 0; left--) {
      this.#changed.push(this.graph.object(words, output + outputAt.object));
      output += outputAt.list + words[output + outputAt.parents]! * outputAt.parent;
    }
  }

  #noteResolved(words: Uint32Array, line: number): void {
    if (this.#changed === null) return;
    const ref = this.graph.ref(words, line + resolutionAt.txf);
    this.#noteEdges(ref, words[line + resolutionAt.input]!);
  }

  /** What an entry says that is neither a transformation nor a resolution. Kinds that are not known say nothing to us and stay in the ledger. */
  #state(entry: Entry): void {
    const { facts } = this;
    const dated = <T>(value: T) => ({ time: entry.instant, id: entry.id, value });
    switch (entry.kind) {
      case 'object-registered':
        facts.register(dated(entry.body));
        this.#about(entry.body.object, entry.instant);
        break;
      case 'object-lifecycle':
        facts.keep(facts.lifecycles, entry.body.object, dated(entry.body));
        this.#about(entry.body.object, entry.instant);
        break;
      case 'flag-judgment':
        this.#aboutEdge(entry.body.edge);
        facts.keep(facts.judgments, edgeKey(entry.body.edge), dated(entry.body));
        break;
      case 'edge-anchor':
        this.#aboutEdge(entry.body.edge);
        facts.keep(facts.anchors, edgeKey(entry.body.edge), dated(entry.body));
        break;
      case 'check-result':
        this.#aboutEdge(entry.body.edge);
        facts.check(dated(entry.body));
        break;
      case 'claim':
        facts.claims.set(entry.id, dated(entry.body));
        break;
      case 'delegation':
        facts.delegations.set(entry.id, dated(entry.body));
        break;
      case 'diagnostic':
        facts.keep(facts.diagnostics, diagnosticKey(entry.body), dated(entry.body));
        break;
      case 'code-anchor':
        facts.keep(facts.codeAnchors, entry.body.anchor, dated(entry.body));
        break;
      case 'code-anchor-confirmation':
        facts.keep(facts.codeConfirmations, entry.body.anchor, dated(entry.body));
        break;
      case 'code-anchor-observation':
        facts.keep(facts.codeObservations, observationKey(entry.body), dated(entry.body));
        break;
      case 'code-anchor-retirement':
        facts.keep(facts.codeRetirements, entry.body.anchor, dated(entry.body));
        break;
      case 'code-anchor-removal':
        facts.keep(facts.codeRemovals, entry.body.anchor, dated(entry.body));
        break;
      case 'document-pair':
        facts.keep(facts.pairs, entry.body.pair, dated(entry.body));
        break;
      case 'document-pair-confirmation':
        facts.keep(facts.pairConfirmations, entry.body.pair, dated(entry.body));
        break;
      case 'document-pair-removal':
        facts.keep(facts.pairRemovals, entry.body.pair, dated(entry.body));
        break;
      default:
        break;
    }
  }

  #about(object: string, time: number): void {
    wordsFromHex(object, 0, 4, this.#subject, 0);
    const number = this.graph.object(this.#subject, 0);
    this.graph.touch(number, time);
    this.#changed?.push(number);
  }

  #aboutEdge({ txf, input }: EdgeRef): void {
    if (this.#changed !== null) this.#noteEdges(this.graph.findRef(txf), input);
  }

  #noteEdges(ref: number, input: number): void {
    if (ref === none) return;
    for (const edge of this.graph.edgesOf(ref, input)) this.#changed?.push(this.graph.nodeObject(this.graph.edgeArtifact.at(edge)));
  }
}
