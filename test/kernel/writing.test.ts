import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { digest } from '#core/digest';
import { type Bodies, type KnownKind, knownKinds, writeBody } from '#kernel/body';
import { parseUuid } from '#kernel/uuid';
import { agentIdCap, checkBody, diagnosticIdem, grantScopes, inputsCap, intentCap, registrationIdem, scanIdem } from '#kernel/writing';
import { arbitraryBody, arbitraryInput, arbitraryRevision, arbitraryText, arbitraryUuid } from '../helpers/entries.ts';

const check = <K extends KnownKind>(kind: K, body: Bodies[K]) => checkBody(kind, body, digest);
const sampleOf = <K extends KnownKind>(kind: K): Bodies[K] => fc.sample(arbitraryBody(kind), { numRuns: 1, seed: 11 })[0]!;
/** Why a sample of `kind` with `changes` may not be written, or null. */
const refusal = <K extends KnownKind>(kind: K, changes: Partial<Bodies[K]>) => check(kind, { ...sampleOf(kind), ...changes });
const isRefused = <K extends KnownKind>(kind: K, changes: Partial<Bodies[K]>) => typeof refusal(kind, changes) === 'string';

/** The keys of what we write, in order; those with a question mark may be left out. Nested objects and list items too. */
const edge = { edge: 'txf input' };
const resolution = {
  '': 'edge upstream_object pinned resolved_against actor reason expires delegation?',
  ...edge,
  actor: 'type id',
};
const pin =
  'language kind qualified_name base_name plain_name container visibility file_hint hashes body_tokens recipe fallback lines snapshot blob commit names twins occurrence?';
const pinned = {
  hashes: 'token body signature shape',
  lines: 'start end',
  twins: 'complete found',
  'twins.found': 'file kind name match token_hash similarity',
  occurrence: 'index count',
  actor: 'type id',
};
const fields: Record<KnownKind, Record<string, string>> = {
  transformation: {
    '': 'inputs outputs agent intent confidence',
    inputs: 'object revision role kind?',
    outputs: 'object revision content_hash parents',
    agent: 'type id?',
    intent: 'kind summary prompt_hash?',
  },
  navigation: { '': 'git', git: 'op from to ref?' },
  ratification: resolution,
  waiver: resolution,
  'check-result': {
    '': 'edge pinned checked_against verdict model prompt_version evidence confidence context claims_fingerprint downgraded',
    ...edge,
    evidence: 'object? quote loc',
    downgraded: 'verdict reason tau evidence',
    'downgraded.evidence': 'object? quote loc',
  },
  claim: {
    '': 'claim statement valid_at invalid_at established_by supersedes maturity actor',
    established_by: 'object revision',
    actor: 'type id',
  },
  'object-registered': { '': 'object path schema derived_from?' },
  'object-lifecycle': { '': 'object state reason' },
  'flag-judgment': { '': 'edge judgment note', ...edge },
  delegation: { '': 'delegation actor delegate scope expires supersedes', actor: 'type id', delegate: 'type id' },
  diagnostic: { '': 'code message path?' },
  'edge-anchor': { '': 'edge headings anchored_hash? carried_from?', ...edge, carried_from: 'txf input' },
  'code-anchor': { '': `anchor document section repository ${pin} actor`, ...pinned },
  'code-anchor-confirmation': { '': `anchor from hash_seen ${pin} note actor`, ...pinned },
  'code-anchor-observation': {
    '': 'anchor baseline state reason file moved_to renamed_to actual_hash body_changed signature_changed commit',
  },
  'code-anchor-retirement': { '': 'anchor state reason actor', actor: 'type id' },
  'code-anchor-removal': { '': 'anchor actor', actor: 'type id' },
  'document-pair': { '': 'pair technical human hashes actor', hashes: 'technical human', actor: 'type id' },
  'document-pair-confirmation': { '': 'pair hashes note actor', hashes: 'technical human', actor: 'type id' },
  'document-pair-removal': { '': 'pair actor', actor: 'type id' },
};

/** Every object within `value`, with its path without list places. */
function objectsOf(value: unknown, path = ''): [string, object][] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item) => objectsOf(item, path));
  return [[path, value], ...Object.entries(value).flatMap(([key, part]) => objectsOf(part, path === '' ? key : `${path}.${key}`))];
}

describe.each(knownKinds)('a %s that we write', (kind) => {
  it('is accepted, and has exactly the fields of the format in their order', () => {
    fc.assert(
      fc.property(arbitraryBody(kind), (body) => {
        expect(check(kind, body)).toBeNull();
        for (const [path, object] of objectsOf(writeBody(kind, body))) {
          const names = fields[kind][path]?.split(' ') ?? [];
          const written = names
            .map((name) => name.replace('?', ''))
            .filter((name, at) => !names[at]?.endsWith('?') || Object.hasOwn(object, name));
          expect([path, Object.keys(object)]).toEqual([path, written]);
        }
      }),
    );
  });

  it('is refused with half a surrogate pair, which no other reader takes', () => {
    const [body] = fc.sample(arbitraryBody(kind), { numRuns: 1, seed: 3 });
    for (const [key, value] of Object.entries(body as object)) {
      if (typeof value === 'string') expect(check(kind, { ...(body as Bodies[typeof kind]), [key]: 'a\ud800' })).toBeTypeOf('string');
    }
    expect(check('diagnostic', { code: 'c', message: 'm', path: '\udc00.md' })).toBe('a text is not well-formed Unicode');
  });
});

describe('a transformation', () => {
  const plain = { ...sampleOf('transformation'), confidence: 'inferred' as const, inputs: [] };
  const human = { type: 'human', id: null } as const;
  const [input] = fc.sample(arbitraryInput(), 1);

  it('has at most 512 inputs', () => {
    expect(inputsCap).toBe(512);
    expect(check('transformation', { ...plain, inputs: Array(512).fill(input) })).toBeNull();
    expect(check('transformation', { ...plain, inputs: Array(513).fill(input) })).toBeTypeOf('string');
  });

  it('has an intent of at most 8,192 bytes, kind and summary together', () => {
    expect(intentCap).toBe(8192);
    const intent = (kind: string, summary: string) => check('transformation', { ...plain, intent: { kind, summary, prompt_hash: null } });
    expect(intent('a'.repeat(4096), 'é'.repeat(2048))).toBeNull();
    expect(intent('a'.repeat(4097), 'é'.repeat(2048))).toBeTypeOf('string');
    expect(intent('a'.repeat(4096), `${'é'.repeat(2048)}a`)).toBeTypeOf('string');
  });

  it("has an agent's id of at most 8,192 bytes", () => {
    expect(agentIdCap).toBe(8192);
    const agent = (id: string) => check('transformation', { ...plain, agent: { type: 'model', id } });
    expect(agent(`${'三'.repeat(2730)}aa`)).toBeNull();
    expect(agent(`${'三'.repeat(2730)}aaa`)).toBeTypeOf('string');
  });

  it('names revisions that are those of their content and parents', () => {
    fc.assert(
      fc.property(arbitraryBody('transformation'), arbitraryRevision(), (body, revision) => {
        const outputs = body.outputs.map((output, at) => (at === 0 ? { ...output, revision } : output));
        expect(check('transformation', { ...body, outputs })).toBeTypeOf('string');
        expect(check('transformation', { ...body, outputs: [] })).toBeTypeOf('string');
      }),
    );
  });

  it('does not know its inputs only where a scan saw it', () => {
    const unknown = { ...plain, confidence: 'unknown' as const };
    for (const type of ['external', 'git'] as const) {
      expect(check('transformation', { ...unknown, agent: { type, id: null } })).toBeNull();
      expect(check('transformation', { ...unknown, agent: { type, id: null }, inputs: [input!] })).toBeTypeOf('string');
    }
    for (const type of ['human', 'model'] as const)
      expect(check('transformation', { ...unknown, agent: { type, id: null } })).toBeTypeOf('string');
  });

  it('that confirms provenance is of a person, inferred, with inputs, and not of itself', () => {
    const intent = { kind: 'provenance-confirmation', summary: '', prompt_hash: null };
    const outputs = plain.outputs.slice(0, 1);
    const confirmation = { ...plain, agent: human, intent, inputs: [input!], outputs };
    expect(check('transformation', confirmation)).toBeNull();
    expect(check('transformation', { ...confirmation, inputs: [] })).toBeTypeOf('string');
    expect(check('transformation', { ...confirmation, confidence: 'exact' })).toBeTypeOf('string');
    expect(check('transformation', { ...confirmation, agent: { type: 'model', id: 'm' } })).toBeTypeOf('string');
    expect(check('transformation', { ...confirmation, outputs: [outputs[0]!, outputs[0]!] })).toBeTypeOf('string');
    expect(check('transformation', { ...confirmation, inputs: [{ ...input!, object: outputs[0]!.object }] })).toBeTypeOf('string');
  });
});

describe('a resolution', () => {
  const blanks = ['', ' ', '\t\n', '\u00a0\u3000', '\u0085', '\ufeff'];
  const grant = '018f3c7a-a001-7def-8a3c-1b2c3d4e5f60';

  it('that waives says why', () => {
    for (const reason of [null, ...blanks]) expect(isRefused('waiver', { reason })).toBe(true);
    expect(refusal('waiver', { reason: ' a ' })).toBeNull();
  });

  it('that ratifies needs no reason and never expires', () => {
    expect(refusal('ratification', { reason: null })).toBeNull();
    expect(isRefused('ratification', { expires: '2026-08-01T00:00:00Z' })).toBe(true);
    expect(refusal('waiver', { expires: '2026-08-01T00:00:00Z' })).toBeNull();
    expect(isRefused('waiver', { expires: 'soon' })).toBe(true);
  });

  it.each(['ratification', 'waiver'] as const)('as %s names its actor, and the grant of an agent only', (kind) => {
    for (const id of blanks) expect(isRefused(kind, { actor: { type: 'human', id }, delegation: null })).toBe(true);
    expect(refusal(kind, { actor: { type: 'human', id: 'Ana' }, delegation: null })).toBeNull();
    expect(isRefused(kind, { actor: { type: 'human', id: 'Ana' }, delegation: grant })).toBe(true);
    expect(refusal(kind, { actor: { type: 'agent', id: 'codex' }, delegation: grant })).toBeNull();
    for (const delegation of [null, '', 'grant']) expect(isRefused(kind, { actor: { type: 'agent', id: 'codex' }, delegation })).toBe(true);
    expect(isRefused(kind, { actor: { type: 'external' as never, id: 'codex' }, delegation: grant })).toBe(true);
  });
});

describe('a grant', () => {
  it('gives known scopes to a named agent until a time, and is given by a person', () => {
    expect(grantScopes).toEqual(['resolve.accept-newer', 'resolve.waive']);
    expect(isRefused('delegation', { scope: ['resolve.revise'] })).toBe(true);
    expect(isRefused('delegation', { expires: 'never' })).toBe(true);
    expect(isRefused('delegation', { delegation: 'grant' })).toBe(true);
    for (const delegate of [
      { type: 'external', id: ' ' },
      { type: 'human', id: 'a' },
    ])
      expect(isRefused('delegation', { delegate })).toBe(true);
    for (const actor of [null, { type: 'agent', id: 'a' } as const, { type: 'human', id: '' } as const])
      expect(isRefused('delegation', { actor })).toBe(true);
  });

  it('is revoked by naming the entry that it ends', () => {
    const [entry] = fc.sample(arbitraryUuid(), 1);
    expect(refusal('delegation', { scope: [], supersedes: entry! })).toBeNull();
    expect(isRefused('delegation', { scope: [], supersedes: null })).toBe(true);
  });
});

describe('what else we write', () => {
  it('checks say how they were made, and a contradiction shows where', () => {
    const taken = { verdict: 'contradiction' as const, evidence: [{ quote: 'q', loc: 'l' }], downgraded: null };
    expect(refusal('check-result', taken)).toBeNull();
    expect(isRefused('check-result', { ...taken, evidence: [] })).toBe(true);
    for (const name of ['model', 'prompt_version', 'confidence', 'context', 'claims_fingerprint'] as const) {
      expect(isRefused('check-result', { ...taken, [name]: null })).toBe(true);
    }
    for (const changes of [{ confidence: 1.1 }, { context: 'default' }, { claims_fingerprint: 'none' }]) {
      expect(isRefused('check-result', { ...taken, ...changes })).toBe(true);
    }
  });

  it('a downgraded check says nothing itself', () => {
    const lowered = { verdict: 'contradiction', reason: 'below-tau', tau: 0.9, evidence: [] };
    const unknown = { verdict: 'unknown' as const, evidence: [] };
    expect(refusal('check-result', { ...unknown, downgraded: lowered })).toBeNull();
    expect(isRefused('check-result', { ...unknown, evidence: [{ quote: 'q', loc: '' }], downgraded: lowered })).toBe(true);
    expect(isRefused('check-result', { verdict: 'no-contradiction', evidence: [], downgraded: lowered })).toBe(true);
    for (const changes of [{ verdict: 'unknown' }, { reason: 'tired' }, { tau: null }]) {
      expect(isRefused('check-result', { ...unknown, downgraded: { ...lowered, ...changes } })).toBe(true);
    }
  });

  it('claims are of a person and say something', () => {
    expect(isRefused('claim', { claim: 'c' })).toBe(true);
    expect(isRefused('claim', { statement: ' ' })).toBe(true);
    expect(isRefused('claim', { actor: null })).toBe(true);
  });

  it('paths lie within the workspace', () => {
    for (const path of ['', '/etc/passwd', '../a.md', 'a/../../b.md', 'a\0.md'])
      expect(isRefused('object-registered', { path })).toBe(true);
    for (const path of ['a.md', '..a/b..md', 'ñ/a b.md']) expect(refusal('object-registered', { path })).toBeNull();
  });

  it('reasons, notes and headings keep their caps, and words their lists', () => {
    expect(isRefused('object-lifecycle', { reason: 'a'.repeat(2049) })).toBe(true);
    expect(refusal('object-lifecycle', { reason: 'a'.repeat(2048) })).toBeNull();
    expect(isRefused('object-lifecycle', { state: 'done' as never })).toBe(true);
    expect(isRefused('flag-judgment', { note: 'a'.repeat(4097) })).toBe(true);
    expect(refusal('flag-judgment', { note: 'a'.repeat(4096) })).toBeNull();
    expect(isRefused('flag-judgment', { judgment: 'yes' as never })).toBe(true);
    expect(isRefused('navigation', { git: { op: 'rebase', from: 'a', to: 'b', ref: null } })).toBe(true);
    expect(isRefused('diagnostic', { code: ' ' })).toBe(true);
    expect(isRefused('diagnostic', { message: '' })).toBe(true);
  });

  it('section anchors have one to sixteen headings that say something, with a hash, or none without', () => {
    const anchored_hash = `sha256:${'0'.repeat(64)}` as never;
    expect(refusal('edge-anchor', { headings: Array(16).fill('a'), anchored_hash })).toBeNull();
    expect(isRefused('edge-anchor', { headings: Array(17).fill('a'), anchored_hash })).toBe(true);
    for (const heading of ['', ' ', 'a'.repeat(513)]) expect(isRefused('edge-anchor', { headings: [heading], anchored_hash })).toBe(true);
    expect(isRefused('edge-anchor', { headings: ['a'], anchored_hash: null })).toBe(true);
    expect(refusal('edge-anchor', { headings: [], anchored_hash: null })).toBeNull();
    expect(isRefused('edge-anchor', { headings: [], anchored_hash })).toBe(true);
  });

  it.each(['flag-judgment', 'edge-anchor', 'check-result', 'ratification', 'waiver'] as const)('a %s names an edge of 32 bits', (kind) => {
    const { edge: at } = sampleOf(kind);
    for (const input of [-1, 0.5, 2 ** 32, Number.NaN]) expect(isRefused(kind, { edge: { ...at, input } })).toBe(true);
  });
});

describe('a derived idem', () => {
  const [object] = fc.sample(arbitraryUuid(), { numRuns: 1, seed: 1 });
  const [revision] = fc.sample(arbitraryRevision(), { numRuns: 1, seed: 1 });

  it('is a UUID, the same for everyone', () => {
    const object = parseUuid('018f3c7a-9f2e-7cc1-b302-5e9d4a6b21c7')!;
    const revision = `rev1:${'0'.repeat(64)}` as never;
    const hex = digest.sha256(`["transformation","${object}","${revision}"]`);
    const idem = scanIdem(digest, 'transformation', object, revision);
    expect(parseUuid(idem)).toBe(idem);
    expect(idem.replaceAll('-', '').slice(0, 12)).toBe(hex.slice(0, 12));
    expect(idem.charAt(14)).toBe('8');
  });

  it('differs where any of its fields does, whatever they hold', () => {
    const fields = fc.tuple(arbitraryText(), fc.option(arbitraryText(), { nil: null }));
    fc.assert(
      fc.property(fields, fields, ([code, path], [otherCode, otherPath]) => {
        const isSame = code === otherCode && path === otherPath;
        expect(diagnosticIdem(digest, code, path) === diagnosticIdem(digest, otherCode, otherPath)).toBe(isSame);
      }),
    );
    const idems = [
      scanIdem(digest, 'transformation', object!, revision!),
      scanIdem(digest, 'object-registered', object!, revision!),
      registrationIdem(digest, object!, revision!, null),
      registrationIdem(digest, object!, 'a.md', null),
      registrationIdem(digest, object!, 'a.md', object!),
      registrationIdem(digest, object!, `a.md\n${object}`, null),
      diagnosticIdem(digest, 'c', null),
      diagnosticIdem(digest, 'c', ''),
      diagnosticIdem(digest, 'c', 'null'),
      diagnosticIdem(digest, 'c","a', null),
      diagnosticIdem(digest, 'c', 'a'),
    ];
    expect(new Set(idems).size).toBe(idems.length);
  });
});
