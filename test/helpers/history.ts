import fc from 'fast-check';
import { digest } from '#core/digest';
import type { Bodies, KnownKind } from '#kernel/body';
import type { Confidence, EdgeKind, Input } from '#kernel/body-transformation';
import { type Draft, entryLine } from '#kernel/entry';
import { formatInstant } from '#kernel/instant';
import { type ContentHash, contentHash, type RevisionId, revisionId } from '#kernel/revision';
import { type Uuid, uuidFromHex } from '#kernel/uuid';

/** A document while its history is made: its revisions in the order of writing, and those that none follows. */
export interface Written {
  readonly object: Uuid;
  readonly revisions: RevisionId[];
  readonly heads: Set<RevisionId>;
}

/** An input that is still to be recorded. */
export interface Reading {
  readonly object: Uuid;
  readonly revision: RevisionId;
  readonly role?: Input['role'];
  readonly kind?: EdgeKind;
}

/** How a revision is written where it is not by a person, onto the newest one, from nothing. */
export interface Manner {
  readonly parents?: readonly RevisionId[];
  readonly inputs?: readonly Reading[];
  readonly confidence?: Confidence;
  readonly intent?: string;
}

/** What an entry says of its time and idem where they are not the next ones. */
export interface Moment {
  readonly time?: string;
  readonly idem?: Uuid;
}

/** A history under construction; every entry comes a second after the one before, from 2026-07-18T10:00:00Z on. */
export interface History {
  readonly lines: string[];
  readonly documents: Written[];
  /** Every text that was written, by its hash. */
  readonly texts: Map<ContentHash, string>;
  /** Every revision that was written, with the hash of its text. */
  readonly contents: { readonly object: Uuid; readonly revision: RevisionId; readonly content: ContentHash }[];
  readonly edges: { readonly edge: { txf: Uuid; input: number }; readonly source: Uuid; readonly pinned: RevisionId }[];
  uuid(name: string): Uuid;
  append<K extends KnownKind>(kind: K, body: Bodies[K], moment?: Moment): Uuid;
  document(path: string): Written;
  write(document: Written, text: string, manner?: Manner, moment?: Moment): { txf: Uuid; revision: RevisionId };
  resolve(kind: 'ratification' | 'waiver', at: number, against: RevisionId, expires?: string | null, moment?: Moment): Uuid;
}

/** A revision id, a UUID or a text that is always the same for the same name. */
export const namedUuid = (name: string): Uuid => uuidFromHex(digest.sha256(`uuid ${name}`));

/** An empty history. */
export function createHistory(): History {
  const lines: string[] = [];
  const documents: Written[] = [];
  const texts = new Map<ContentHash, string>();
  const contents: History['contents'] = [];
  const edges: History['edges'] = [];
  const append = <K extends KnownKind>(kind: K, body: Bodies[K], moment: Moment = {}): Uuid => {
    const at = lines.length;
    const id = namedUuid(`entry ${at}`);
    const time = moment.time ?? formatInstant(Date.UTC(2026, 6, 18, 10, 0, at));
    const draft = { id, kind, time, writer: namedUuid('writer'), idem: moment.idem ?? namedUuid(`idem ${at}`), body } as Draft;
    lines.push(entryLine(draft).trimEnd());
    return id;
  };
  const document = (path: string): Written => {
    const written = { object: namedUuid(`object ${documents.length}`), revisions: [], heads: new Set<RevisionId>() };
    documents.push(written);
    append('object-registered', { object: written.object, path, schema: null, derived_from: [] });
    return written;
  };
  const write = (written: Written, text: string, manner: Manner = {}, moment?: Moment) => {
    const parents = manner.parents ?? written.revisions.slice(-1);
    const content_hash = contentHash(digest, text);
    texts.set(content_hash, text);
    const revision = revisionId(digest, content_hash, parents);
    contents.push({ object: written.object, revision, content: content_hash });
    const inputs = (manner.inputs ?? []).map((input) => ({ role: 'direct', kind: 'dependency', ...input }) as const);
    const body: Bodies['transformation'] = {
      inputs,
      outputs: [{ object: written.object, revision, content_hash, parents }],
      agent: { type: inputs.length > 0 ? 'model' : 'human', id: null },
      intent: { kind: manner.intent ?? 'editor-save', summary: '', prompt_hash: null },
      confidence: manner.confidence ?? 'exact',
    };
    const txf = append('transformation', body, moment);
    if (!written.revisions.includes(revision)) {
      written.revisions.push(revision);
      written.heads.add(revision);
    }
    for (const parent of parents) written.heads.delete(parent);
    inputs.forEach(({ object, revision: pinned }, input) => void edges.push({ edge: { txf, input }, source: object, pinned }));
    return { txf, revision };
  };
  const resolve: History['resolve'] = (kind, at, against, expires = null, moment) => {
    const { edge, source, pinned } = edges[at]!;
    const actor = { type: 'human', id: 'Ana' } as const;
    const body = { edge, upstream_object: source, pinned, resolved_against: against, actor, reason: 'because', expires, delegation: null };
    return append(kind, body, moment);
  };
  return { lines, documents, texts, contents, edges, uuid: namedUuid, append, document, write, resolve };
}

// Without fast-check's bias to small numbers, which would make nearly all documents the first one.
const small = fc.noBias(fc.nat(19));
/** The acts of an arbitrary history, by how often they come. */
const weights = { write: 8, ratify: 2, waive: 3, check: 3, judge: 1, anchor: 3, finish: 1, move: 1, lie: 1, again: 1, noise: 1 };
type Act = keyof typeof weights;
const act = fc.noBias(fc.constantFrom(...Object.entries(weights).flatMap(([name, weight]) => Array<Act>(weight).fill(name as Act))));
const step = fc.record({ act, a: small, b: small, c: small, d: small, clock: fc.noBias(fc.integer({ min: -120, max: 40 })) });
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const pick = <T>(list: readonly T[], at: number): T => list[at % list.length]!;
const past = ({ clock }: Step): Moment => (clock < 0 ? {} : { time: formatInstant(Date.UTC(2026, 6, 18, 10, 0, clock)) });
const sectionText = (section: number, variant: number) => `# h${section}\n\nsection ${variant}\n`;
/** Three texts: one section is the same in all, one differs, one is gone from the last and stands twice in the second. */
const textOf = (n: number) =>
  `text ${n}\n\n${sectionText(0, 0)}${sectionText(1, n)}${n === 2 ? '' : sectionText(2, 0)}${n === 1 ? sectionText(2, 1) : ''}`;
const falseRevision = (name: string) => `rev1:${digest.sha256(name)}` as RevisionId;

/** The parents of the next write: all heads, only the newest revision, an older one, one that nobody recorded, or none. */
function parentsOf({ revisions, heads }: Written, { c, d }: Step): RevisionId[] {
  if (c < 15 || revisions.length === 0) return [...heads];
  if (c < 17) return [pick(revisions, d)];
  if (c === 17) return revisions.slice(-1);
  return c === 18 ? [...heads, falseRevision(`missing ${d}`)] : [];
}

/** Up to three inputs, mostly other documents at their newest revision. */
function readingsOf(documents: readonly Written[], { a, b, c, d }: Step): Reading[] {
  const kinds: readonly EdgeKind[] = [...Array(7).fill('dependency'), 'conformance', 'supersession', 'mention', 'part-of'];
  const count = b < 3 ? 0 : 1 + (b % 3);
  return Array.from({ length: count }, (_, at) => {
    const { object, revisions } = pick(documents, a + 1 + at + (c === 0 ? -1 : 0));
    const revision = d % 4 === 3 ? revisions[0] : revisions.at(-1);
    return {
      object: c === 1 ? namedUuid('nowhere') : object,
      revision: revision === undefined || c === 2 ? falseRevision('unknown pin') : revision,
      role: (b + at) % 7 === 6 ? 'contextual' : 'direct',
      kind: pick(kinds, d + at),
    };
  });
}

/** One of the newest edges, and what to resolve or check it against: mostly the newest revision of its source. */
function edgeOf({ edges, documents }: History, { a, c }: Step) {
  const place = edges.length - 1 - (a % Math.min(3, edges.length));
  const found = edges[place]!;
  const { revisions } = documents.find((document) => document.object === found.source) ?? { revisions: [] };
  return { ...found, place, against: (c < 16 ? revisions.at(-1) : revisions[0]) ?? found.pinned };
}

const acts: Record<Act, (history: History, at: Step) => void> = {
  write: (history, at) => {
    const written = pick(history.documents, at.a);
    const confidence = pick(['exact', 'inferred', 'unknown'] as const, at.d);
    const manner = { parents: parentsOf(written, at), inputs: readingsOf(history.documents, at), confidence };
    history.write(written, textOf(at.d % 3), manner, past(at));
  },
  ratify: (history, at) => {
    const { place, against } = edgeOf(history, at);
    history.resolve('ratification', place, against, null, past(at));
  },
  waive: (history, at) => {
    const { place, against } = edgeOf(history, at);
    const expires = pick([null, '2030-01-01T00:00:00Z', '2026-01-01T00:00:00Z', 'soon'], at.d);
    history.resolve('waiver', place, against, expires, past(at));
  },
  check: (history, at) => {
    const { edge, pinned, against } = edgeOf(history, at);
    const verdict = pick(['no-contradiction', 'contradiction', 'unknown'] as const, at.d);
    const context = at.b % 5 === 4 ? namedUuid('context') : '00000000-0000-0000-0000-000000000000';
    const claims_fingerprint = at.b % 7 === 6 ? null : contentHash(digest, '');
    const how = { model: 'm', prompt_version: 'check-v1', evidence: [{ quote: 'q', loc: '' }], confidence: 0.95, downgraded: null };
    history.append('check-result', { edge, pinned, checked_against: against, verdict, context, claims_fingerprint, ...how }, past(at));
  },
  judge: (history, at) => {
    const judgment = pick(['relevant', 'noise', 'unsure'] as const, at.d);
    history.append('flag-judgment', { edge: edgeOf(history, at).edge, judgment, note: '' }, past(at));
  },
  anchor: (history, at) => {
    const cleared = { headings: [], anchored_hash: null };
    // Three of five lead to a section of most texts; the hash is right for some of them.
    const set = { headings: [`h${at.b % 5}`], anchored_hash: contentHash(digest, pick([sectionText(at.b % 5, 0), 'section 1'], at.d)) };
    history.append('edge-anchor', { edge: edgeOf(history, at).edge, ...(at.d % 5 === 4 ? cleared : set) }, past(at));
  },
  finish: (history, at) => {
    const { object } = pick(history.documents, at.b);
    history.append('object-lifecycle', { object, state: at.c < 12 ? 'frozen' : 'live', reason: '' }, past(at));
  },
  move: (history, at) => {
    const { object } = pick(history.documents, at.b);
    history.append('object-registered', { object, path: `${pick(['a', 'b', 'c'], at.c)}.md`, schema: null, derived_from: [] }, past(at));
  },
  lie: (history, at) => {
    const { object, revisions } = pick(history.documents, at.b);
    const output = { object, revision: falseRevision(`${at.d}`), content_hash: contentHash(digest, 'lie'), parents: revisions.slice(-1) };
    const by = { agent: { type: 'human', id: null }, intent: { kind: 'k', summary: '', prompt_hash: null }, confidence: 'exact' } as const;
    history.append('transformation', { inputs: [], outputs: [output], ...by }, past(at));
  },
  again: (history, at) => {
    const line = pick(history.lines, at.c);
    const isEntry = line.startsWith('{"format":0,"id"');
    if (at.d % 2 === 0 || !isEntry) return void history.lines.push(line);
    const time = formatInstant(Date.UTC(2026, 6, 18, 10, 0, at.d));
    history.lines.push(JSON.stringify({ ...JSON.parse(line), id: namedUuid(`again ${history.lines.length}`), time }));
  },
  noise: (history, at) => {
    const future = history.lines[0]!.replace('"format":0', '"format":7');
    history.lines.push(pick(['', '{', '{"format":0}', future], at.d));
  },
};

const onEdges: readonly Act[] = ['ratify', 'waive', 'check', 'judge', 'anchor'];

/**
 * The lines of any small ledger: up to four documents with forks, joins, repeats and lost parents; edges of every kind
 * and role, to other documents, themselves and nowhere; all that can be said of edges and documents; clocks that go back,
 * lines that stand twice, two entries of one idem, revisions that are false, and lines that are none.
 */
export function arbitraryHistory(): fc.Arbitrary<History> {
  return fc
    .tuple(fc.noBias(fc.integer({ min: 1, max: 4 })), fc.noBias(fc.array(step, { maxLength: 90, size: 'max' })))
    .map(([count, steps]) => {
      const history = createHistory();
      for (const path of ['b.md', 'a.md', 'c.md', 'd.md'].slice(0, count)) history.write(history.document(path), path);
      for (const at of steps) if (history.edges.length > 0 || !onEdges.includes(at.act)) acts[at.act](history, at);
      return history;
    });
}
