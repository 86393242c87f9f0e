import type { EdgeAnchor, FlagJudgment } from '#kernel/body-edge';
import type { EdgeRef } from '#kernel/body-field';
import type { Agent, Confidence, EdgeKind, Intent, Transformation } from '#kernel/body-transformation';
import type { Digest } from '#kernel/digest';
import { compareEntries, dedupe, type Entry, parseLine } from '#kernel/entry';
import { type ContentHash, type RevisionId, revisionId } from '#kernel/revision';
import type { Uuid } from '#kernel/uuid';

type EntryOf<K> = Extract<Entry, { kind: K }>;
/** A ratification or a waiver. */
export type ResolutionEntry = EntryOf<'ratification'> | EntryOf<'waiver'>;

/** One revision of one object; author and confidence are those of the entry that says most about it. */
export interface Revision {
  content: ContentHash;
  parents: readonly RevisionId[];
  /** The entry that recorded it first. */
  first: Entry;
  author: Uuid;
  agent: Agent;
  intent: Intent;
  confidence: Confidence;
  inputs: number;
}

/** A document. */
export interface ReplayObject {
  id: Uuid;
  path: string | null;
  schema: string | null;
  lifecycle: EntryOf<'object-lifecycle'> | null;
  revisions: Map<RevisionId, Revision>;
}

/** A direct input of one entry, seen from one of its outputs. */
export interface Edge {
  txf: Uuid;
  input: number;
  source: Uuid;
  pinned: RevisionId;
  kind: EdgeKind;
  artifact: Uuid;
  artifactRevision: RevisionId;
  confidence: Confidence;
}

/** What was said of one (txf, input), in reader order. */
export interface EdgeLog extends EdgeRef {
  resolutions: ResolutionEntry[];
  checks: EntryOf<'check-result'>[];
  judgments: EntryOf<'flag-judgment'>[];
  anchors: EntryOf<'edge-anchor'>[];
}

/** All that a ledger says. */
export interface Replay {
  entries: Entry[];
  malformed: { line: string; reason: string }[];
  future: number;
  /** Outputs whose revision id is not that of their content and parents; never projected. */
  mismatches: { txf: Uuid; object: Uuid; revision: RevisionId }[];
  objects: Map<Uuid, ReplayObject>;
  objectAt: Map<string, Uuid>;
  /** Keyed so that what two outputs of one entry say twice is said once. */
  edges: Map<string, Edge>;
  /** By `edgeKey`, in the order of first activity. */
  logs: Map<string, EdgeLog>;
}

/** The key of an edge in `logs`. */
export const edgeKey = ({ txf, input }: EdgeRef): string => `${txf}#${input}`;

/** Reads a whole ledger: the lines of all its segments, in any order. */
export function replay(lines: readonly string[], digest: Digest): Replay {
  const read: Replay = {
    entries: [],
    malformed: [],
    future: 0,
    mismatches: [],
    objects: new Map(),
    objectAt: new Map(),
    edges: new Map(),
    logs: new Map(),
  };
  const found: Entry[] = [];
  for (const line of lines) {
    const outcome = parseLine(line, digest);
    if (outcome.kind === 'entry') found.push(outcome.entry);
    if (outcome.kind === 'malformed') read.malformed.push({ line, reason: outcome.reason });
    if (outcome.kind === 'future') read.future += 1;
  }
  read.entries = dedupe(found.sort(compareEntries));
  for (const entry of read.entries) apply(read, entry, digest);
  return read;
}

function apply(read: Replay, entry: Entry, digest: Digest): void {
  if (entry.kind === 'transformation') record(read, entry, digest);
  if (entry.kind === 'object-registered') register(read, entry);
  if (entry.kind === 'object-lifecycle') objectOf(read, entry.body.object).lifecycle = entry;
  if (entry.kind === 'ratification' || entry.kind === 'waiver') logOf(read, entry.body.edge).resolutions.push(entry);
  if (entry.kind === 'check-result') logOf(read, entry.body.edge).checks.push(entry);
  if (entry.kind === 'flag-judgment') logOf(read, entry.body.edge).judgments.push(entry);
  if (entry.kind === 'edge-anchor') logOf(read, entry.body.edge).anchors.push(entry);
}

function objectOf(read: Replay, id: Uuid): ReplayObject {
  const known = read.objects.get(id) ?? { id, path: null, schema: null, lifecycle: null, revisions: new Map() };
  read.objects.set(id, known);
  return known;
}

function logOf(read: Replay, { txf, input }: EdgeRef): EdgeLog {
  const key = edgeKey({ txf, input });
  const log = read.logs.get(key) ?? { txf, input, resolutions: [], checks: [], judgments: [], anchors: [] };
  read.logs.set(key, log);
  return log;
}

function register(read: Replay, { body }: EntryOf<'object-registered'>): void {
  const object = objectOf(read, body.object);
  if (object.path !== null && read.objectAt.get(object.path) === object.id) read.objectAt.delete(object.path);
  object.path = body.path;
  object.schema = body.schema;
  read.objectAt.set(body.path, object.id);
}

function record(read: Replay, entry: EntryOf<'transformation'>, digest: Digest): void {
  const { inputs, outputs } = entry.body;
  for (const { object, revision, content_hash, parents } of outputs) {
    if (revisionId(digest, content_hash, parents) !== revision) {
      read.mismatches.push({ txf: entry.id, object, revision });
      continue;
    }
    recordRevision(objectOf(read, object), revision, entry, { content: content_hash, parents });
    inputs.forEach(({ object: source, revision: pinned, role, kind }, input) => {
      if (role !== 'direct' || outputs.some((output) => output.object === source)) return;
      const key = `${edgeKey({ txf: entry.id, input })} ${object} ${revision}`;
      const { confidence } = entry.body;
      const edge = { txf: entry.id, input, source, pinned, kind, artifact: object, artifactRevision: revision, confidence };
      if (!read.edges.has(key)) read.edges.set(key, edge);
    });
  }
}

function recordRevision(
  object: ReplayObject,
  id: RevisionId,
  entry: EntryOf<'transformation'>,
  made: Pick<Revision, 'content' | 'parents'>,
): void {
  const { agent, intent, confidence, inputs } = entry.body;
  const known = object.revisions.get(id);
  const authorship = { author: entry.id, agent, intent, confidence, inputs: inputs.length };
  if (known === undefined) object.revisions.set(id, { ...made, first: entry, ...authorship });
  else if (saysMore(entry.body, known)) object.revisions.set(id, { ...known, ...authorship });
}

/** The repeat with inputs says more than one without; of two alike, the more certain; of two alike still, the first. */
function saysMore({ inputs, confidence }: Transformation, known: Revision): boolean {
  if (inputs.length > 0 !== known.inputs > 0) return inputs.length > 0;
  const certainty = ['unknown', 'inferred', 'exact'];
  return certainty.indexOf(confidence) > certainty.indexOf(known.confidence);
}

/** The revisions of an object that no other names as a parent, sorted. */
export function headsOf(object: ReplayObject | undefined): RevisionId[] {
  const all = [...(object?.revisions ?? [])];
  const named = new Set(all.flatMap(([, { parents }]) => parents));
  return all
    .map(([id]) => id)
    .filter((id) => !named.has(id))
    .sort();
}

/** Whether `ancestor` is reached from `revision` along one parent or more; it need not be recorded itself. */
export function isStrictAncestor(object: ReplayObject | undefined, ancestor: RevisionId, revision: RevisionId): boolean {
  const seen = new Set<RevisionId>();
  const waiting = [revision];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    for (const parent of object?.revisions.get(at)?.parents ?? []) {
      if (parent === ancestor) return true;
      if (!seen.has(parent)) waiting.push(parent);
      seen.add(parent);
    }
  }
  return false;
}

/** The display name of every revision: `v` and one more than the longest path to a root. */
export function labelsOf(object: ReplayObject): Map<RevisionId, string> {
  const depths = new Map<RevisionId, number>();
  const depthOf = (id: RevisionId): number => {
    const parents = (object.revisions.get(id)?.parents ?? []).filter((parent) => object.revisions.has(parent));
    const depth = depths.get(id) ?? 1 + Math.max(0, ...parents.map(depthOf));
    depths.set(id, depth);
    return depth;
  };
  return new Map([...object.revisions.keys()].map((id) => [id, `v${depthOf(id)}`]));
}

/** The newest judgment and section anchor of an edge; a cleared anchor is none. */
export function currentOf(log: EdgeLog | undefined): { judgment: FlagJudgment['judgment'] | null; anchor: EdgeAnchor | null } {
  const anchor = log?.anchors.at(-1)?.body ?? null;
  return { judgment: log?.judgments.at(-1)?.body.judgment ?? null, anchor: anchor?.headings.length === 0 ? null : anchor };
}

/** How the rows of the logbook were judged; every edge of which anything was said is a row. */
export function tally(read: Replay): { relevant: number; noise: number; unsure: number; unjudged: number } {
  const counts = { relevant: 0, noise: 0, unsure: 0, unjudged: 0 };
  for (const log of read.logs.values()) counts[currentOf(log).judgment ?? 'unjudged'] += 1;
  return counts;
}
