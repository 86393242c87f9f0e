import type { EdgeRef } from '#kernel/body-field';
import { type Column, ints } from '#kernel/column';
import type { Digest } from '#kernel/digest';
import { type Entry, parseLine } from '#kernel/entry';
import { diagnosticKey, edgeKey, Facts, isNewer, observationKey } from '#kernel/facts';
import { Graph, type Place, type RevisionCheck, type Taken, uuidText } from '#kernel/graph';
import { parseInstant } from '#kernel/instant';
import { wordsFromHex } from '#kernel/key-table';
import { scanTransformation } from '#kernel/line-scanner';
import { TransformationRecord } from '#kernel/record';
import { revisionCheck } from '#kernel/revision-check';

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
  readonly #record = new TransformationRecord();
  readonly #check: RevisionCheck;
  #changed: Column | null = null;

  constructor(around: Surroundings, winners: ReadonlyMap<string, Winner> = new Map()) {
    this.#around = around;
    this.#check = revisionCheck(around.digest);
    this.winners = new Map(winners);
  }

  /**
   * Reads the whole lines of `source`, which begins at byte `base` of segment number `segment`, and answers how
   * many bytes they took. What follows the last newline is a write that never finished, or is under way.
   */
  read(source: Uint8Array, segment: number, base: number): number {
    let start = 0;
    for (let end = source.indexOf(0x0a); end >= 0; end = source.indexOf(0x0a, start)) {
      if (end > start) this.#line(source, start, end, { segment, offset: base + start, length: end - start });
      start = end + 1;
    }
    return start;
  }

  /**
   * The objects of which something is read from the first call on, in the order of reading: the outputs of a version, the
   * subject of a registration, of whatever is said about an edge the documents that it made. What is only named is not there.
   */
  follow(): Column {
    this.#changed ??= ints();
    return this.#changed;
  }

  /** Applies one entry that is already known to be whole. */
  apply(entry: Entry, place: Place): Taken {
    return this.#apply(entry, place);
  }

  #line(source: Uint8Array, start: number, end: number, place: Place): void {
    const record = this.#record;
    if (scanTransformation(source, start, end, record)) {
      if (this.#counts()) this.#took(this.#add(place));
      return;
    }
    const text = this.#around.decode(source, start, end);
    if (text === null) {
      this.malformed.push({ ...place, reason: 'not UTF-8' });
      return;
    }
    const parsed = parseLine(text, this.#around.digest);
    if (parsed.kind === 'entry') this.#took(this.#apply(parsed.entry, place));
    else if (parsed.kind === 'future') this.future++;
    else if (parsed.kind === 'malformed') this.malformed.push({ ...place, reason: parsed.reason });
  }

  /** Whether the entry in the record counts, as far as is known of others with its idem. */
  #counts(): boolean {
    if (this.winners.size === 0) return true;
    const { idem, id, time } = this.#record;
    const key = uuidText(idem, 0);
    const winner = this.winners.get(key);
    const own = uuidText(id, 0);
    if (winner === undefined || winner.id === own) return true;
    if (isNewer(winner, { time, id: own })) {
      this.winners.set(key, { time, id: own });
      this.conflict = true;
    }
    return false;
  }

  #took(taken: Taken): void {
    if (taken !== 'replaces') return;
    const { idem, id, time } = this.#record;
    this.winners.set(uuidText(idem, 0), { time, id: uuidText(id, 0) });
    this.conflict = true;
  }

  #apply(entry: Entry, place: Place): Taken {
    const record = this.#record;
    wordsFromHex(entry.id, 0, 4, record.id, 0);
    wordsFromHex(entry.idem, 0, 4, record.idem, 0);
    record.time = entry.instant;
    if (!this.#counts()) return 'repeat';
    if (entry.kind === 'transformation') {
      record.takeBody(entry.body);
      return this.#add(place);
    }
    const taken = this.graph.addEntry(record.id, record.idem, record.time, place);
    if (taken === 'new') this.#state(entry);
    return taken;
  }

  #add(place: Place): Taken {
    const record = this.#record;
    const taken = this.graph.addTransformation(record, place, this.#check);
    if (this.#changed === null || taken !== 'new') return taken;
    for (let o = 0; o < record.outputs; o++) this.#changed.push(this.graph.object(record.outputObject, o * 4));
    return taken;
  }

  /** What an entry other than a transformation says. Kinds that are not known say nothing to us and stay in the ledger. */
  #state(entry: Entry): void {
    const { facts } = this;
    const dated = <T>(value: T) => ({ time: entry.instant, id: entry.id, value });
    switch (entry.kind) {
      case 'object-registered':
        facts.register(dated(entry.body));
        this.#note(this.#subject(entry.body.object, entry.instant));
        break;
      case 'object-lifecycle':
        facts.keep(facts.lifecycles, entry.body.object, dated(entry.body));
        this.#note(this.#subject(entry.body.object, entry.instant));
        break;
      case 'ratification':
      case 'waiver':
        this.#resolution(entry);
        this.#about(entry.body.edge);
        break;
      case 'flag-judgment':
        this.#about(entry.body.edge);
        facts.keep(facts.judgments, edgeKey(entry.body.edge), dated(entry.body));
        break;
      case 'edge-anchor':
        this.#about(entry.body.edge);
        facts.keep(facts.anchors, edgeKey(entry.body.edge), dated(entry.body));
        break;
      case 'check-result':
        this.#about(entry.body.edge);
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

  #resolution(entry: Extract<Entry, { kind: 'ratification' | 'waiver' }>): void {
    const { body } = entry;
    this.graph.addResolution(this.graph.entryTime.length - 1, {
      edge: body.edge,
      source: body.upstream_object,
      against: body.resolved_against,
      waives: entry.kind === 'waiver',
      expires: body.expires == null ? Number.NaN : (parseInstant(body.expires) ?? -1),
      delegated: body.actor.type !== 'human',
    });
    this.#subject(body.upstream_object, entry.instant);
  }

  #subject(object: string, time: number): number {
    wordsFromHex(object, 0, 4, this.#record.id, 0);
    const number = this.graph.object(this.#record.id, 0);
    if (this.graph.objectNewest.at(number) < time) this.graph.objectNewest.set(number, time);
    return number;
  }

  #note(object: number): void {
    this.#changed?.push(object);
  }

  #about(edge: EdgeRef): void {
    if (this.#changed === null) return;
    for (const number of this.graph.edgesNamed(edge)) this.#changed.push(this.graph.nodeObject(this.graph.edgeArtifact.at(number)));
  }
}
