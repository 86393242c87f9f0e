import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { digest } from '#core/digest';
import { type Bodies, type KnownKind, knownKinds, writeBody } from '#kernel/body';
import { type Draft, entryLine, parseLine } from '#kernel/entry';
import { contentHash, type RevisionId, revisionId } from '#kernel/revision';
import { checkBody } from '#kernel/writing';
import { arbitraryBody } from '../helpers/entries.ts';
import { namedUuid } from '../helpers/history.ts';

type Raw = Record<string, unknown>;
/** Code anchors and pairs have tests of their own. */
type Kind = Exclude<KnownKind, `code-anchor${string}` | `document-pair${string}`>;
const kinds = knownKinds.filter((kind): kind is Kind => !/^(code-anchor|document-pair)/.test(kind));

const object = namedUuid('object');
const edge = { txf: namedUuid('txf'), input: 0 };
const content_hash = contentHash(digest, 'text');
const revision = revisionId(digest, content_hash, []);
const person = { type: 'human', id: 'Ana' };
const time = '2026-07-18T10:00:00.000Z';
const input = { object, revision, role: 'direct' };
const resolution = { edge, upstream_object: object, pinned: revision, resolved_against: revision, actor: person };

/** Of every kind a body that says all it can. */
const whole: Record<Kind, Raw> = {
  transformation: {
    inputs: [
      { ...input, kind: 'conformance' },
      { ...input, role: 'contextual' },
    ],
    outputs: [{ object, revision, content_hash, parents: [] }],
    agent: { type: 'model', id: 'm' },
    intent: { kind: 'genie', summary: 'made', prompt_hash: content_hash },
    confidence: 'exact',
  },
  navigation: { git: { op: 'checkout', from: 'a', to: 'b', ref: 'refs/heads/main' } },
  ratification: { ...resolution, reason: null, expires: null },
  waiver: { ...resolution, reason: 'a comma', expires: time },
  'check-result': {
    edge,
    pinned: revision,
    checked_against: revision,
    verdict: 'unknown',
    model: 'm',
    prompt_version: 'check-v1',
    evidence: [{ object, quote: 'q', loc: 'l' }],
    confidence: 0.71,
    context: object,
    claims_fingerprint: content_hash,
    downgraded: { verdict: 'contradiction', reason: 'below-tau', tau: 0.9, evidence: [{ quote: 'q', loc: '' }] },
  },
  claim: {
    claim: object,
    statement: 'Her eyes are green.',
    valid_at: time,
    invalid_at: null,
    established_by: [{ object, revision }],
    supersedes: object,
    maturity: 'established',
    actor: person,
  },
  'object-registered': { object, path: 'a.md', schema: 'scene', derived_from: [object] },
  'object-lifecycle': { object, state: 'frozen', reason: 'printed' },
  'flag-judgment': { edge, judgment: 'noise', note: 'a comma' },
  delegation: {
    delegation: object,
    actor: person,
    delegate: { type: 'external', id: 'codex' },
    scope: ['resolve.waive'],
    expires: time,
    supersedes: object,
  },
  diagnostic: { code: 'merge-completed', message: 'A merge.', path: 'a.md' },
  'edge-anchor': { edge, headings: ['One'], anchored_hash: content_hash, carried_from: edge },
};

const lineOf = (kind: string, body: unknown) => JSON.stringify({ format: 0, id: object, kind, time, writer: object, idem: object, body });
const outcome = (kind: Kind, changes: Raw) => parseLine(lineOf(kind, { ...whole[kind], ...changes }), digest).kind;

/** Texts of exactly this many bytes, in characters of one and of three. */
const ofBytes = (bytes: number) => ['a'.repeat(bytes), '三'.repeat(Math.floor(bytes / 3)) + 'a'.repeat(bytes % 3)];

describe.each(kinds)('a line of the kind %s', (kind) => {
  it('is taken, with the fields that nobody knows kept', () => {
    const body = { ...whole[kind], later: { deep: [1, null] } };
    const read = parseLine(lineOf(kind, body), digest);
    expect(read).toMatchObject({ kind: 'entry', entry: { kind, raw: body } });
  });

  it('that we write is taken whole, and within what a writer may say', () => {
    fc.assert(
      fc.property(arbitraryBody(kind), (body) => {
        expect(checkBody(kind, body as never, digest)).toBeNull();
        const line = entryLine({ id: object, kind, time, writer: object, idem: object, body } as Draft);
        expect(parseLine(line.trimEnd(), digest)).toMatchObject({ kind: 'entry', entry: { body, raw: writeBody(kind, body as never) } });
      }),
      { numRuns: 60 },
    );
  });
});

describe('a reader holds a cap to the byte:', () => {
  const headings = (bytes: number) => ofBytes(bytes).map((text) => ({ headings: ['a', text] }));
  const caps: [string, Kind, readonly Raw[], readonly Raw[]][] = [
    [
      'the reason of a lifecycle',
      'object-lifecycle',
      ofBytes(2048).map((reason) => ({ reason })),
      ofBytes(2049).map((reason) => ({ reason })),
    ],
    ['the note of a judgment', 'flag-judgment', ofBytes(4096).map((note) => ({ note })), ofBytes(4097).map((note) => ({ note }))],
    ['a heading', 'edge-anchor', headings(512), [...headings(513), { headings: [''] }]],
    ['headings', 'edge-anchor', [{ headings: Array(16).fill('a') }], [{ headings: Array(17).fill('a') }]],
    ['outputs', 'transformation', [{}], [{ outputs: [] }]],
    ['an input number', 'flag-judgment', [{ edge: { ...edge, input: 4_294_967_295 } }], [{ edge: { ...edge, input: 4_294_967_296 } }]],
    [
      'a confidence',
      'check-result',
      [{ confidence: 1 }, { confidence: 0 }],
      [{ confidence: 1.001 }, { confidence: -0.001 }, { confidence: null }],
    ],
  ];
  it.each(caps)('%s', (_, kind, within, beyond) => {
    for (const changes of within) expect(outcome(kind, changes)).toBe('entry');
    for (const changes of beyond) expect(outcome(kind, changes)).toBe('malformed');
  });
});

describe('a writer holds a cap that a reader does not:', () => {
  const made = { ...(whole.transformation as unknown as Bodies['transformation']) };
  const refusal = (changes: Partial<Bodies['transformation']>) => checkBody('transformation', { ...made, ...changes }, digest);
  const intent = (kind: string, summary: string) => ({ intent: { kind, summary, prompt_hash: null } });

  it('512 inputs, 8,192 bytes of an intent and of an agent’s name', () => {
    const inputs = (count: number) => ({
      inputs: Array(count).fill({ ...input, kind: 'dependency' }) as Bodies['transformation']['inputs'],
    });
    expect([
      refusal(inputs(512)),
      refusal(intent('k', 'a'.repeat(8191))),
      refusal({ agent: { type: 'model', id: 'a'.repeat(8192) } }),
    ]).toEqual([null, null, null]);
    for (const beyond of [inputs(513), intent('k', 'a'.repeat(8192)), { agent: { type: 'model' as const, id: 'a'.repeat(8193) } }]) {
      expect(refusal(beyond)).toBeTypeOf('string');
    }
    expect(outcome('transformation', inputs(513))).toBe('entry');
  });
});

describe('a field of the wrong type', () => {
  const wrong: [Kind, Raw[]][] = [
    ['transformation', [{ inputs: {} }, { outputs: [{ object }] }, { agent: 'human' }, { intent: null }, { confidence: 'sure' }]],
    ['navigation', [{ git: null }, { git: { op: 1, from: '', to: '' } }, { git: { op: 'reset', from: '', to: '', ref: 1 } }]],
    ['ratification', [{ edge: null }, { actor: { type: 'external', id: 'a' } }, { pinned: 'v1' }, { actor: { type: 'agent', id: 'a' } }]],
    ['waiver', [{ reason: 1 }, { expires: 1 }, { delegation: 1 }, { resolved_against: null }]],
    ['check-result', [{ verdict: 'maybe' }, { confidence: '1' }, { checked_against: 1 }, { edge: { txf: 'x', input: 0 } }]],
    ['claim', [{ claim: 1 }, { statement: null }]],
    ['object-registered', [{ object: 'a' }, { path: null }]],
    ['object-lifecycle', [{ state: 'Frozen' }, { state: 'finished' }, { reason: 1 }, { object: null }]],
    ['flag-judgment', [{ judgment: 'yes' }, { note: 1 }, { edge: { txf: edge.txf } }]],
    ['delegation', [{ delegation: 1 }, { expires: null }, { delegate: 'codex' }, { delegate: {} }, { scope: 'resolve.waive' }]],
    ['diagnostic', [{ code: 1 }, { message: null }]],
    ['edge-anchor', [{ headings: 'One' }, { headings: [1] }, { anchored_hash: null }, { anchored_hash: 'sha256:x' }]],
  ];
  it.each(wrong)('of a %s makes the line malformed', (kind, all) => {
    for (const changes of all) expect([changes, outcome(kind, changes)]).toEqual([changes, 'malformed']);
  });

  it('that only decorates is passed over', () => {
    expect(outcome('edge-anchor', { carried_from: 'x' })).toBe('entry');
    expect(outcome('claim', { valid_at: 1, established_by: [{}], supersedes: 'x', maturity: 1, actor: 1 })).toBe('entry');
    expect(outcome('object-registered', { schema: 1, derived_from: 'x' })).toBe('entry');
    expect(outcome('diagnostic', { path: 1 })).toBe('entry');
    expect(outcome('delegation', { scope: [1, 'resolve.fly'], supersedes: 'x', actor: null })).toBe('entry');
  });

  it('of every kind is covered by these tables', () => {
    expect(wrong.map(([kind]) => kind).sort()).toEqual([...kinds].sort());
    expect(Object.keys(whole).sort()).toEqual([...kinds].sort());
  });
});

it('an unknown kind of input reads as a dependency, whatever it is called', () => {
  const read = parseLine(lineOf('transformation', { ...whole.transformation, inputs: [{ ...input, kind: 'rumour' }] }), digest);
  expect(read).toMatchObject({ kind: 'entry', entry: { body: { inputs: [{ kind: 'dependency', revision: revision as RevisionId }] } } });
});
