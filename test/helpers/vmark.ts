import type { Json } from '#kernel/body-field';

/** A body as VMark's writer lays it out: keys in the order of the alphabet, what it leaves out left out, its nulls written. */
function vmarkBody(kind: string, body: Json): Json {
  const fitted = Object.hasOwn(habits, kind) ? habits[kind]!(body) : body;
  return sorted(fitted) as Json;
}

/** A line of ours as VMark's writer would have written it; the envelope keeps its order. */
export function vmarkLine(line: string): string {
  const entry = JSON.parse(line) as Json & { kind: string; body: Json };
  return JSON.stringify({ ...entry, body: vmarkBody(entry.kind, entry.body) });
}

const without = (object: unknown, ...names: string[]) =>
  Object.fromEntries(
    Object.entries(object as Json).filter(([name, value]) => !(names.includes(name) && (value === null || value === undefined))),
  );

const resolution = (body: Json): Json => ({ reason: null, expires: null, ...without(body, 'delegation') });

/** Quotes without the document that they are from. */
const withoutObjects = (body: Json): Json => ({ ...body, evidence: (body.evidence as Json[]).map(({ object: _, ...found }) => found) });

const habits: Readonly<Record<string, (body: Json) => Json>> = {
  transformation: (body) => ({
    ...body,
    agent: without(body.agent, 'id'),
    intent: without(body.intent, 'prompt_hash'),
    inputs: (body.inputs as Json[]).map(({ kind, ...input }) => (kind === 'dependency' || kind === undefined ? input : { ...input, kind })),
  }),
  navigation: (body) => ({ git: without(body.git, 'ref') }),
  ratification: resolution,
  waiver: resolution,
  'check-result': (body) => ({
    ...body,
    downgraded: body.downgraded == null ? null : withoutObjects(body.downgraded as Json),
    evidence: withoutObjects(body).evidence,
  }),
  'object-registered': ({ derived_from: _, ...body }) => ({ schema: null, ...body }),
  diagnostic: (body) => ({ ...body, path: body.path ?? null }),
};

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, part]) => [key, sorted(part)]),
  );
}

type Test = (value: unknown) => boolean;

const text: Test = (value) => typeof value === 'string';
const uuid: Test = (value) => text(value) && /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/u.test(value as string);
const revision: Test = (value) => text(value) && /^rev1:[0-9a-f]{64}$/u.test(value as string);
const hash: Test = (value) => text(value) && /^sha256:[0-9a-f]{64}$/u.test(value as string);
const unsigned: Test = (value) => Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 0xffff_ffff;
const unit: Test = (value) => typeof value === 'number' && value >= 0 && value <= 1;
const instant: Test = (value) => text(value) && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/u.test(value as string);
const one =
  (...words: string[]): Test =>
  (value) =>
    words.includes(value as string);
const list =
  (item: Test, least = 0, most = Number.POSITIVE_INFINITY): Test =>
  (value) =>
    Array.isArray(value) && value.length >= least && value.length <= most && value.every(item);
const nullable =
  (test: Test): Test =>
  (value) =>
    value === null || test(value);
const bytes =
  (least: number, most: number): Test =>
  (value) => {
    const size = text(value) ? Buffer.byteLength(value as string) : -1;
    return size >= least && size <= most;
  };
/** An object with these fields; a name with a question mark may be missing. Other fields are ignored, as VMark does. */
const record =
  (fields: Record<string, Test>): Test =>
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.entries(fields).every(([name, test]) => {
      const isOptional = name.endsWith('?');
      const field = (value as Json)[isOptional ? name.slice(0, -1) : name];
      return field === undefined ? isOptional : test(field);
    });

const edge = record({ txf: uuid, input: unsigned });
const actor = record({ type: one('human', 'agent'), id: text });
const evidence = list(record({ quote: text, loc: text }));
const resolved: Record<string, Test> = {
  edge,
  upstream_object: uuid,
  pinned: revision,
  resolved_against: revision,
  actor,
  'reason?': nullable(text),
  'expires?': nullable(text),
};
/** Only an agent's resolution names a grant, and must. */
const granted: Test = (value) => {
  const { actor: by, delegation } = value as { actor: { type: string }; delegation?: unknown };
  return by.type === 'human' ? delegation === undefined : text(delegation);
};
const both =
  (...tests: Test[]): Test =>
  (value) =>
    tests.every((test) => test(value));

/** What VMark's reader asks of the body of each kind that it knows (`vmark.md` §1), as strictly as it may be. */
const bodies: Readonly<Record<string, Test>> = {
  transformation: record({
    inputs: list(
      record({
        object: uuid,
        revision,
        role: one('direct', 'contextual'),
        'kind?': one('dependency', 'conformance', 'supersession', 'part-of', 'mention'),
      }),
      0,
      512,
    ),
    outputs: list(record({ object: uuid, revision, content_hash: hash, parents: list(revision) }), 1),
    agent: record({ type: one('human', 'model', 'external', 'git'), 'id?': nullable(bytes(0, 8192)) }),
    intent: both(record({ kind: text, summary: text, 'prompt_hash?': hash }), (value) => {
      const { kind, summary } = value as { kind: string; summary: string };
      return bytes(0, 8192)(kind + summary);
    }),
    confidence: one('exact', 'inferred', 'unknown'),
  }),
  navigation: record({ git: record({ op: text, from: text, to: text, 'ref?': nullable(text) }) }),
  ratification: both(record(resolved), granted),
  waiver: both(record({ ...resolved, reason: bytes(1, Number.POSITIVE_INFINITY) }), granted),
  'check-result': record({
    edge,
    pinned: revision,
    checked_against: revision,
    verdict: one('no-contradiction', 'contradiction', 'unknown'),
    'confidence?': unit,
    model: text,
    prompt_version: text,
    evidence,
    context: uuid,
    claims_fingerprint: hash,
    downgraded: nullable(
      record({
        verdict: one('no-contradiction', 'contradiction'),
        reason: one('below-tau', 'contradiction-without-evidence'),
        tau: unit,
        evidence,
      }),
    ),
  }),
  claim: record({
    claim: uuid,
    statement: text,
    valid_at: nullable(text),
    invalid_at: nullable(text),
    established_by: list(record({ object: uuid, revision })),
    supersedes: nullable(uuid),
    maturity: one('draft', 'established'),
    actor,
  }),
  'object-registered': record({ object: uuid, path: text, schema: nullable(text), 'derived_from?': list(uuid) }),
  diagnostic: record({ code: text, message: text, 'path?': nullable(text) }),
  delegation: record({
    delegation: uuid,
    expires: instant,
    delegate: record({ type: one('external'), id: bytes(1, Number.POSITIVE_INFINITY) }),
    scope: list(one('resolve.accept-newer', 'resolve.waive')),
    actor,
    supersedes: nullable(uuid),
  }),
  'flag-judgment': record({ edge, judgment: one('relevant', 'noise', 'unsure'), note: bytes(0, 4096) }),
  'object-lifecycle': record({ object: uuid, state: one('live', 'frozen'), reason: bytes(0, 2048) }),
  'edge-anchor': both(record({ edge, headings: list(bytes(1, 512), 0, 16) }), (value) => {
    const { headings, anchored_hash } = value as { headings: unknown[]; anchored_hash?: unknown };
    return headings.length === 0 ? anchored_hash === undefined : hash(anchored_hash);
  }),
};

const envelope = record({
  format: (value) => value === 0,
  id: uuid,
  kind: text,
  time: instant,
  writer: uuid,
  idem: uuid,
  body: () => true,
});
const order = ['format', 'id', 'kind', 'time', 'writer', 'idem', 'body'];

/** Whether VMark's reader would accept a line that we wrote; a kind that it does not know must not look like one about an edge. */
export function acceptsVmark(line: string): boolean {
  if (!line.endsWith('\n') || Buffer.byteLength(line) > 16 * 1024 * 1024 || line.slice(0, -1).includes('\n')) return false;
  const entry = JSON.parse(line) as Json & { kind: string; body: unknown };
  if (!envelope(entry) || Object.keys(entry).join() !== order.join()) return false;
  const isKnown = Object.hasOwn(bodies, entry.kind);
  return isKnown ? bodies[entry.kind]!(entry.body) : !(typeof entry.body === 'object' && entry.body !== null && 'edge' in entry.body);
}
