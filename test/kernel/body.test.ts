import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { digest } from '#core/digest';
import { isKnownKind, type KnownKind, knownKinds, readBody, writeBody } from '#kernel/body';
import { anchorHeadingCap, anchorHeadingsCap, judgmentNoteCap } from '#kernel/body-edge';
import { fits, unsigned32 } from '#kernel/body-field';
import { lifecycleReasonCap } from '#kernel/body-object';
import { edgeKinds } from '#kernel/body-transformation';
import { arbitraryBody, arbitraryInput, arbitraryOutput } from '../helpers/entries.ts';

interface KindVector {
  kind: string;
  serialised: boolean;
}
const vectors: { edge_kinds: KindVector[] } = JSON.parse(readFileSync('test/vectors/format.json', 'utf8'));

const read = (kind: KnownKind, raw: unknown) => readBody(kind, raw, digest);
const isRefused = (kind: KnownKind, raw: unknown) => typeof read(kind, raw) === 'string';

type Path = readonly (string | number)[];

/** A copy of `value` in which what stands at `path` is `part`, or is gone when `part` is undefined. */
function replaced(value: unknown, [key, ...rest]: Path, part: unknown): unknown {
  if (key === undefined) return part;
  const copy = structuredClone(value) as Record<string | number, unknown>;
  const inner = replaced(copy[key], rest, part);
  if (inner === undefined && !Array.isArray(copy)) delete copy[key];
  else copy[key] = inner;
  return copy;
}

/** The path of every value within `value`, itself included. */
function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, part]) => pathsOf(part, [...path, Array.isArray(value) ? Number(key) : key]))];
}

/** What no field of a sort may hold. */
const nonsense = {
  text: [undefined, null, 0, true, {}, []],
  word: [undefined, null, 0, true, {}, [], '', 'nonsense', 'Human', 'exact '],
  id: [
    undefined,
    null,
    0,
    true,
    {},
    [],
    '',
    'nonsense',
    '018f3c7a-a001-7def-8a3c-1b2c3d4e5f6',
    'rev1:',
    'sha256:00',
    `rev1:${'A'.repeat(64)}`,
  ],
  object: [undefined, null, 0, true, [], 'nonsense', {}],
  list: [undefined, null, 0, true, {}, 'nonsense'],
  index: [undefined, null, -1, 0.5, 4_294_967_296, '0', true, {}, []],
};
type Sort = keyof typeof nonsense;

const edge = { edge: 'object', 'edge.txf': 'id', 'edge.input': 'index' } as const;
const resolution = {
  ...edge,
  upstream_object: 'id',
  pinned: 'id',
  resolved_against: 'id',
  actor: 'object',
  'actor.type': 'word',
  'actor.id': 'text',
} as const;

const pin = {
  language: 'text',
  kind: 'text',
  qualified_name: 'text',
  file_hint: 'text',
  hashes: 'object',
  'hashes.token': 'text',
  'hashes.body': 'text',
  'hashes.signature': 'text',
  'hashes.shape': 'text',
  lines: 'object',
  'lines.start': 'index',
  'lines.end': 'index',
  snapshot: 'id',
} as const;

/** The fields that a reader requires, as `vmark.md` §1 lists them. */
const required: Record<KnownKind, Record<string, Sort>> = {
  transformation: {
    inputs: 'list',
    'inputs.0': 'object',
    'inputs.0.object': 'id',
    'inputs.0.revision': 'id',
    'inputs.0.role': 'word',
    outputs: 'list',
    'outputs.0': 'object',
    'outputs.0.object': 'id',
    'outputs.0.revision': 'id',
    'outputs.0.content_hash': 'id',
    'outputs.0.parents': 'list',
    'outputs.0.parents.0': 'id',
    agent: 'object',
    'agent.type': 'word',
    intent: 'object',
    'intent.kind': 'text',
    'intent.summary': 'text',
    confidence: 'word',
  },
  navigation: { git: 'object', 'git.op': 'text', 'git.from': 'text', 'git.to': 'text' },
  ratification: resolution,
  waiver: resolution,
  'check-result': { ...edge, pinned: 'id', checked_against: 'id', verdict: 'word' },
  claim: { claim: 'text', statement: 'text' },
  'object-registered': { object: 'id', path: 'text' },
  'object-lifecycle': { object: 'id', state: 'word' },
  'flag-judgment': { ...edge, judgment: 'word' },
  delegation: { delegation: 'text', delegate: 'object', 'delegate.id': 'text', scope: 'list', expires: 'text' },
  diagnostic: { code: 'text', message: 'text' },
  'edge-anchor': { ...edge, headings: 'list' },
  'code-anchor': { anchor: 'id', document: 'id', section: 'list', actor: 'object', 'actor.type': 'word', 'actor.id': 'text', ...pin },
  'code-anchor-confirmation': {
    anchor: 'id',
    from: 'word',
    hash_seen: 'text',
    actor: 'object',
    'actor.type': 'word',
    'actor.id': 'text',
    ...pin,
  },
  'code-anchor-observation': { anchor: 'id', baseline: 'id', state: 'word', reason: 'word', file: 'text' },
  'code-anchor-retirement': { anchor: 'id', state: 'word', actor: 'object', 'actor.type': 'word', 'actor.id': 'text' },
  'code-anchor-removal': { anchor: 'id', actor: 'object', 'actor.type': 'word', 'actor.id': 'text' },
  'document-pair': {
    pair: 'id',
    technical: 'id',
    human: 'id',
    hashes: 'object',
    'hashes.technical': 'id',
    'hashes.human': 'id',
    actor: 'object',
    'actor.type': 'word',
    'actor.id': 'text',
  },
  'document-pair-confirmation': {
    pair: 'id',
    hashes: 'object',
    'hashes.technical': 'id',
    'hashes.human': 'id',
    actor: 'object',
    'actor.type': 'word',
    'actor.id': 'text',
  },
  'document-pair-removal': { pair: 'id', actor: 'object', 'actor.type': 'word', 'actor.id': 'text' },
};

/** A body of every kind that has a value wherever a required field stands. */
const rawBody = (kind: KnownKind) => {
  if (kind !== 'transformation') return arbitraryBody(kind).map((body) => writeBody(kind, body));
  return fc.tuple(arbitraryBody(kind), arbitraryInput(), arbitraryOutput()).map(([body, input, output]) => {
    const parents = [output.revision];
    return writeBody(kind, { ...body, inputs: [input, ...body.inputs], outputs: [{ ...output, parents }, ...body.outputs] });
  });
};

describe.each(knownKinds)('a %s', (kind) => {
  it('is read as it was written', () => {
    fc.assert(
      fc.property(arbitraryBody(kind), (body) => {
        expect(read(kind, writeBody(kind, body))).toEqual(body);
        expect(read(kind, JSON.parse(JSON.stringify(writeBody(kind, body))))).toEqual(body);
      }),
    );
  });

  it('reads the same with fields that are not known, at every level', () => {
    fc.assert(
      fc.property(rawBody(kind), fc.jsonValue(), (raw, extra) => {
        const objects = pathsOf(raw).filter((path) => typeof path.reduce<unknown>((at, key) => (at as never)[key], raw) === 'object');
        for (const path of objects) {
          const at = path.reduce<unknown>((value, key) => (value as never)[key], raw);
          if (at === null || Array.isArray(at)) continue;
          expect(read(kind, replaced(raw, path, { ...(at as object), unheard_of: extra, format: 9 }))).toEqual(read(kind, raw));
        }
      }),
      { numRuns: 20 },
    );
  });

  it('is refused without a required field, or with nonsense in it', () => {
    fc.assert(
      fc.property(rawBody(kind), (raw) => {
        expect(isRefused(kind, raw)).toBe(false);
        for (const [path, sort] of Object.entries(required[kind])) {
          const keys = path.split('.').map((key) => (key === '0' ? 0 : key));
          for (const part of nonsense[sort]) {
            if (part === undefined && keys.at(-1) === 0) continue;
            expect(isRefused(kind, replaced(raw, keys, part))).toBe(true);
            expect([path, part, isRefused(kind, replaced(raw, keys, part))]).toEqual([path, part, true]);
          }
        }
      }),
      { numRuns: 10 },
    );
  });

  it('with nonsense anywhere is read or refused, never a crash', () => {
    const all = Object.values(nonsense).flat();
    fc.assert(
      fc.property(rawBody(kind), fc.jsonValue(), (raw, other) => {
        for (const path of pathsOf(raw)) {
          for (const part of [...all, other, Number.NaN, Number.POSITIVE_INFINITY, 1e308]) {
            expect(['string', 'object']).toContain(typeof read(kind, replaced(raw, path, part)));
          }
        }
      }),
      { numRuns: 5 },
    );
  });

  it('is an object', () => {
    for (const raw of [undefined, null, 0, 'text', true, [], [{}], {}]) expect(isRefused(kind, raw)).toBe(true);
  });
});

/** Reads a sample of `kind` with `changes` at its top level. */
const changed = (kind: KnownKind, changes: Record<string, unknown>) => {
  const [sample] = fc.sample(arbitraryBody(kind), { numRuns: 1, seed: 7 });
  return read(kind, { ...(writeBody(kind, sample as never) as object), ...changes });
};

describe('a reader is tolerant', () => {
  it.each(vectors.edge_kinds)('of the kind $kind, which it writes only where it is no dependency', ({ kind, serialised }) => {
    expect(edgeKinds).toContain(kind);
    fc.assert(
      fc.property(arbitraryBody('transformation'), arbitraryInput(), (body, input) => {
        const written = writeBody('transformation', { ...body, inputs: [{ ...input, kind: kind as never }] });
        expect(Object.hasOwn((written as { inputs: object[] }).inputs[0]!, 'kind')).toBe(serialised);
      }),
      { numRuns: 5 },
    );
  });

  it('of an input kind that it does not know, which is a dependency, but not of one that is no text', () => {
    const [input] = fc.sample(arbitraryInput(), 1);
    const inputs = (kind: unknown) => changed('transformation', { inputs: [{ ...input, kind }] });
    for (const kind of ['rumour', '', 'Mention', '__proto__', 'dependency', undefined]) {
      expect(inputs(kind)).toMatchObject({ inputs: [{ kind: 'dependency' }] });
    }
    for (const kind of [null, 0, {}, []]) expect(inputs(kind)).toBeTypeOf('string');
  });

  it('of an agent id or a prompt hash that is null', () => {
    expect(changed('transformation', { agent: { type: 'external', id: null } })).toMatchObject({ agent: { type: 'external', id: null } });
    expect(changed('transformation', { intent: { kind: 'k', summary: 's', prompt_hash: null } })).toMatchObject({
      intent: { prompt_hash: null },
    });
    expect(changed('transformation', { intent: { kind: 'k', summary: 's', prompt_hash: 'x' } })).toBeTypeOf('string');
  });

  it('of a waiver without a reason and of an expiry that is no time', () => {
    expect(changed('waiver', { reason: undefined, expires: 'soon' })).toMatchObject({ reason: null, expires: 'soon' });
    expect(changed('waiver', { expires: 5 })).toBeTypeOf('string');
  });

  it('of any delegation of an agent that is text, but not of none', () => {
    const actor = { type: 'agent', id: 'a' };
    expect(changed('ratification', { actor, delegation: 'an entry' })).toMatchObject({ delegation: 'an entry' });
    for (const delegation of [undefined, null, 5]) expect(changed('ratification', { actor, delegation })).toBeTypeOf('string');
    expect(changed('ratification', { actor: { type: 'external', id: 'a' }, delegation: 'd' })).toBeTypeOf('string');
  });

  it('of navigation that git did not have then', () => {
    expect(changed('navigation', { git: { op: 'rebase', from: '', to: 'b' } })).toEqual({
      git: { op: 'rebase', from: '', to: 'b', ref: null },
    });
  });

  it('of a check without all that is optional, but not of a confidence that is none', () => {
    const optional = ['model', 'prompt_version', 'evidence', 'confidence', 'context', 'claims_fingerprint', 'downgraded'];
    const bare = {
      model: null,
      prompt_version: null,
      evidence: [],
      confidence: null,
      context: null,
      claims_fingerprint: null,
      downgraded: null,
    };
    expect(changed('check-result', Object.fromEntries(optional.map((name) => [name, undefined])))).toMatchObject(bare);
    const others = optional.filter((name) => name !== 'confidence');
    for (const part of [5, {}, true]) {
      expect(changed('check-result', { confidence: undefined, ...Object.fromEntries(others.map((name) => [name, part])) })).toMatchObject(
        bare,
      );
    }
    for (const confidence of [null, 2, -0.1, '1', {}]) expect(changed('check-result', { confidence })).toBeTypeOf('string');
    expect(changed('check-result', { evidence: [{ quote: 'q' }, { loc: 'l' }, 'q', null] })).toMatchObject({
      evidence: [{ quote: 'q', loc: '' }],
    });
  });

  it('of a claim whose id is no UUID and of a maturity that it does not know, which is draft', () => {
    expect(changed('claim', { claim: 'c', maturity: 'certain' })).toMatchObject({ claim: 'c', maturity: 'draft' });
  });

  it('of a grant that never ends or names no type, and what is no text in its scope grants nothing', () => {
    expect(changed('delegation', { expires: 'never', delegate: { id: 'p' }, scope: ['resolve.waive', 5, null] })).toMatchObject({
      expires: 'never',
      delegate: { type: 'external', id: 'p' },
      scope: ['resolve.waive'],
    });
  });

  it('of what is left out of a registration, a lifecycle entry, a judgment and a diagnostic', () => {
    const object = '018f3c7a-9f2e-7cc1-b302-5e9d4a6b21c7';
    expect(read('object-registered', { object, path: '' })).toEqual({ object, path: '', schema: null, derived_from: [] });
    expect(read('object-lifecycle', { object, state: 'frozen' })).toEqual({ object, state: 'frozen', reason: '' });
    expect(changed('flag-judgment', { note: undefined })).toMatchObject({ note: '' });
    expect(read('diagnostic', { code: '', message: '', path: null })).toEqual({ code: '', message: '', path: null });
    for (const other of [5, {}]) {
      expect(read('object-lifecycle', { object, state: 'frozen', reason: other })).toBeTypeOf('string');
      expect(changed('flag-judgment', { note: other })).toBeTypeOf('string');
      expect(changed('navigation', { git: { op: 'o', from: 'f', to: 't', ref: other } })).toBeTypeOf('string');
    }
  });

  it('of a cleared section anchor without a hash, but not of a set one', () => {
    expect(changed('edge-anchor', { headings: [], anchored_hash: undefined })).toMatchObject({ headings: [], anchored_hash: null });
    for (const anchored_hash of [undefined, null, 'sha256:0'])
      expect(changed('edge-anchor', { headings: ['A'], anchored_hash })).toBeTypeOf('string');
  });
});

describe('a cap', () => {
  /** Texts of exactly this many bytes, of one to four bytes a character. */
  const ofBytes = (bytes: number) =>
    ['a', 'é', '三', '😀']
      .map((unit) => unit.repeat(Math.floor(bytes / digest.utf8Length(unit))))
      .map((text) => text + 'a'.repeat(bytes - digest.utf8Length(text)));
  const anchored_hash = `sha256:${'0'.repeat(64)}`;

  it.each([
    ['the reason of a lifecycle entry', lifecycleReasonCap, 2048, (text: string) => changed('object-lifecycle', { reason: text })],
    ['the note of a judgment', judgmentNoteCap, 4096, (text: string) => changed('flag-judgment', { note: text })],
    ['a heading', anchorHeadingCap, 512, (text: string) => changed('edge-anchor', { headings: ['a', text], anchored_hash })],
  ] as const)('of %s is held to the byte', (_, cap, bytes, attempt) => {
    expect(cap).toBe(bytes);
    for (const text of ofBytes(bytes)) expect(attempt(text)).toBeTypeOf('object');
    for (const text of [...ofBytes(bytes + 1), 'a'.repeat(10 * bytes)]) expect(attempt(text)).toBeTypeOf('string');
  });

  it('of headings is sixteen, none of them empty', () => {
    expect(anchorHeadingsCap).toBe(16);
    expect(changed('edge-anchor', { headings: Array(16).fill('a'), anchored_hash })).toBeTypeOf('object');
    expect(changed('edge-anchor', { headings: Array(17).fill('a'), anchored_hash })).toBeTypeOf('string');
    expect(changed('edge-anchor', { headings: ['a', ''], anchored_hash })).toBeTypeOf('string');
  });

  it('measures UTF-8, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 12 }), fc.nat(30), (text, cap) => {
        expect(fits(text, cap, digest)).toBe(digest.utf8Length(text) <= cap);
      }),
    );
  });
});

it('an input number is whole and of 32 bits', () => {
  fc.assert(
    fc.property(fc.oneof(fc.integer(), fc.double(), fc.maxSafeInteger(), fc.anything()), (value) => {
      const isIndex = typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 0xffff_ffff;
      expect(unsigned32(value)).toBe(isIndex ? Math.abs(value) : null);
    }),
  );
});

it('names of prototypes are no kinds', () => {
  for (const kind of ['__proto__', 'constructor', 'toString', 'document-trio', 'group-prepare', '']) expect(isKnownKind(kind)).toBe(false);
});
