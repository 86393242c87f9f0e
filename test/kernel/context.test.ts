import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bareDefault,
  changedManifest,
  contextNameFrom,
  defaultContextId,
  isContextName,
  type Lens,
  lensOf,
  type Manifest,
  newManifest,
  readManifest,
} from '#kernel/context';
import type { RevisionId } from '#kernel/revision';
import type { Uuid } from '#kernel/uuid';
import { arbitraryRevision, arbitraryUuid } from '../helpers/entries.ts';
import { namedUuid } from '../helpers/history.ts';
import { vectorsOf } from '../helpers/vectors.ts';
import { nil, type PlainManifest, plainLens } from '../reference/context.ts';

const object = namedUuid('object');
const revision = (name: string) => `rev1:${name.repeat(64)}` as RevisionId;

const manifestOf = (fields: object): Manifest => {
  const manifest = readManifest({ format: 0, id: namedUuid('own'), name: 'own', ...fields });
  if (typeof manifest === 'string') throw new Error(manifest);
  return manifest;
};

/** Looks through the first of the manifests, of which each names the next as its parent unless it says otherwise. */
function through(...all: object[]): Lens {
  const manifests = all.map((fields, at) =>
    manifestOf({ id: namedUuid(`${at}`), ...(at + 1 < all.length ? { parent: namedUuid(`${at + 1}`) } : {}), ...fields }),
  );
  return lensOf(manifests[0]!, new Map(manifests.map((manifest) => [manifest.id, manifest])));
}

const selected = (lens: Lens) => lens.selections.get(object) ?? 'nothing said';
const codes = ({ problems }: Lens) => problems.map(({ code }) => code);
const pin = (name: string) => ({ selections: { [object]: revision(name) } });
const chain = (length: number) => through(...Array<object>(length - 1).fill({}), pin('a'));

/** What each vector says, looked at through our manifests. */
const cases: Record<string, () => unknown> = {
  'no manifests': () => (lensOf(bareDefault, new Map()).selections.size === 0 ? 'all live' : null),
  'child selects rev, parent selects other': () => (selected(through(pin('a'), pin('b'))) === revision('a') ? 'child value' : null),
  'child says live, parent pins': () =>
    selected(through({ selections: { [object]: 'live' } }, pin('b'))) === 'live' ? 'live (an explicit live blocks the parent)' : null,
  'child silent, parent pins': () => (selected(through({}, pin('b'))) === revision('b') ? 'parent pin' : null),
  cycle: () => allLive(through(pin('a'), { parent: namedUuid('0') }), 'context-cycle'),
  'chain of 16': () => (selected(chain(16)) === revision('a') && codes(chain(16)).length === 0 ? 'ok' : null),
  'chain of 17': () => allLive(chain(17), 'context-too-deep'),
  'unknown parent id': () => allLive(through({ ...pin('a'), parent: namedUuid('nowhere') }), 'context-parent-unknown'),
  'nil default id without manifest as parent': () => {
    const lens = through({ ...pin('a'), parent: defaultContextId });
    return selected(lens) === revision('a') && codes(lens).length === 0 ? 'the default context is always there and may be a parent' : null;
  },
  'invalid selection text': () => {
    const lens = through({ selections: { [object]: 'rev1:nonsense' } }, pin('b'));
    const isSaid = codes(lens).includes('context-selection-invalid') && selected(lens) === 'invalid';
    return isSaid ? 'that object live + error; nearer level still blocks parents' : null;
  },
  claims: () => {
    const lens = through({ visible_claims: ['a', 'b'] }, { visible_claims: ['c', 'a', 'd'] });
    return lens.visibleClaims.join('') === 'abcd' ? 'child list then parent list, first occurrence kept' : null;
  },
};

const allLive = (lens: Lens, code: string) =>
  lens.selections.size === 0 && lens.visibleClaims.length === 0 && codes(lens).includes(code as never) ? 'all live + error' : null;

describe('the vectors of contexts', () => {
  it.each(vectorsOf<{ case: string; view?: string; effective?: string; ours?: { view: string } }>('contexts'))(
    '$case',
    ({ case: name, view, effective, ours }) => {
      expect(cases[name]?.()).toBe(ours?.view ?? view ?? effective);
    },
  );
});

describe('a manifest', () => {
  it.each([
    [null, 'it is not a JSON object'],
    [[], 'it is not a JSON object'],
    [{ name: 'a' }, 'it has no id'],
    [{ id: 'a', name: 'a' }, 'it has no id'],
    [{ id: object }, 'it has no name'],
    [{ id: object, name: '' }, 'it has no name'],
    [{ id: object, name: 'a', parent: 'someone' }, 'its parent is not an id'],
    [{ id: object, name: 'a', format: 1 }, 'it is of a newer format'],
    [{ id: object, name: 'a', format: '0' }, 'its format is no number'],
  ])('is refused: %j', (value, reason) => {
    expect(readManifest(value)).toBe(reason);
  });

  it.each(['enforced', 'Enforcing', '', 7, {}])('with the enforcement %j is a greenhouse, and that is said', (enforcement) => {
    const manifest = manifestOf({ enforcement });
    expect([manifest.enforcement, manifest.problems.map(({ code }) => code)]).toEqual(['greenhouse', ['context-enforcement-unknown']]);
  });

  it('says nothing of what is left out or null, and reads any spelling of an id', () => {
    const bare = { parent: null, selections: null, enforcement: null, visible_claims: null, git_branch: null };
    expect(manifestOf({ ...bare, id: object.toUpperCase() })).toMatchObject({ id: object, parent: null, gitBranch: null, problems: [] });
    expect(manifestOf({ parent: `{${object.toUpperCase()}}` }).parent).toBe(object);
    expect(manifestOf({ visible_claims: [object.toUpperCase(), 5, 'c'] }).visibleClaims).toEqual([object, 'c']);
  });

  it('never enforces where it is the default one, and keeps enforcement from its children', () => {
    expect(manifestOf({ id: defaultContextId, enforcement: 'enforcing' }).enforcement).toBe('greenhouse');
    expect(through({}, { enforcement: 'enforcing' }).enforcement).toBe('greenhouse');
    expect(through({ enforcement: 'enforcing' }, {}).enforcement).toBe('enforcing');
  });

  it('may name the default context as its parent by word', () => {
    expect(manifestOf({ parent: 'default' }).parent).toBe(defaultContextId);
  });

  it('of the default context takes from its parents, and is part of a circle', () => {
    const standard = manifestOf({ id: defaultContextId, name: 'anything', parent: namedUuid('own') });
    const own = manifestOf({ parent: defaultContextId });
    const others = new Map([standard, own].map((one) => [one.id, one]));
    expect(standard.name).toBe('default');
    expect([standard, own].map((one) => codes(lensOf(one, others)))).toEqual([['context-cycle'], ['context-cycle']]);
  });

  it('keeps every field that a change does not name, whatever they are', () => {
    const raw = fc.record(
      {
        format: fc.constant(0),
        id: arbitraryUuid(),
        name: fc.constant('a'),
        selections: fc.dictionary(fc.oneof(arbitraryUuid(), fc.string()), fc.jsonValue()),
        enforcement: fc.jsonValue(),
        visible_claims: fc.jsonValue(),
        later: fc.jsonValue(),
      },
      { requiredKeys: ['id', 'name', 'format'] },
    );
    fc.assert(
      fc.property(raw, arbitraryUuid(), arbitraryRevision(), (before, id, to) => {
        const pinned = changedManifest(before, { selections: new Map([[id, to]]) });
        expect({ ...pinned, selections: null }).toEqual({ ...before, selections: null });
        expect(pinned.selections).toEqual({ ...(before.selections ?? {}), [id]: to });
        const back = changedManifest(pinned, { selections: new Map([[id, null]]) });
        const { [id]: _, ...rest } = (before.selections ?? {}) as Record<Uuid, unknown>;
        expect(back.selections).toEqual(rest);
        expect(changedManifest(before, {})).toEqual(before);
        expect(changedManifest(before, { enforcement: 'enforcing' })).toEqual({ ...before, enforcement: 'enforcing' });
      }),
    );
  });

  it('that is new reads as it was written', () => {
    const read = readManifest(changedManifest(newManifest(object, 'a'), { parent: defaultContextId, gitBranch: 'draft/2' }));
    expect(read).toMatchObject({
      id: object,
      name: 'a',
      parent: defaultContextId,
      gitBranch: 'draft/2',
      enforcement: 'greenhouse',
      problems: [],
    });
  });
});

describe('a context', () => {
  const ids = Array.from({ length: 5 }, (_, at) => namedUuid(`context ${at}`));
  const objects = [namedUuid('o'), namedUuid('p')];
  const pins = fc.dictionary(fc.constantFrom(...objects), fc.constantFrom('live', 'nonsense', revision('a'), revision('b')));
  const plain = (id: Uuid): fc.Arbitrary<PlainManifest> =>
    fc.record({
      id: fc.constant(id),
      name: fc.constant(`c${id.slice(0, 4)}`),
      parent: fc.constantFrom(null, nil, ...ids, namedUuid('nowhere')),
      selections: pins as fc.Arbitrary<PlainManifest['selections']>,
      enforcement: fc.constantFrom('greenhouse', 'enforcing', 'strict'),
      visible_claims: fc.subarray(['a', 'b', 'c']),
    });

  it('shows what the plain reading of its manifests shows, in whatever order they are given', () => {
    const manifests = fc.tuple(...ids.map(plain), fc.option(plain(nil), { nil: null })).map((all) => all.filter((one) => one !== null));
    fc.assert(
      fc.property(manifests, fc.nat(), (all, die) => {
        const read = all.map((one) => readManifest(JSON.parse(JSON.stringify(one))) as Manifest);
        const turned = [...read.slice(die % read.length), ...read.slice(0, die % read.length)];
        for (const manifest of read) {
          const lens = lensOf(manifest, new Map(turned.map((one) => [one.id, one])));
          const expected = plainLens(all, manifest.id);
          const pins = [...lens.selections].filter(([, chosen]) => chosen !== 'live' && chosen !== 'invalid');
          expect(pins.sort()).toEqual([...expected.selections].sort());
          expect(lens.visibleClaims).toEqual(expected.claims);
          expect(lens.problems.some(({ code }) => /cycle|too-deep|parent-unknown/.test(code))).toBe(expected.broken);
        }
      }),
    );
  });
});

describe('the name of a context', () => {
  it.each(['a', 'revision-2', 'Revisión_3', '改稿', 'x'.repeat(64)])('may be %s', (name) => {
    expect(isContextName(name)).toBe(true);
  });

  it.each(['', ' ', 'a b', 'a/b', '..', 'a.json', 'con', 'NUL', 'x'.repeat(65), 'e\u0301', 'a\n'])('may not be %j', (name) => {
    expect(isContextName(name)).toBe(false);
  });

  it('is made of anything', () => {
    expect(['draft/2', 'con', ' ', 'feature/Elena’s eyes'].map(contextNameFrom)).toEqual([
      'draft-2',
      'con-context',
      'context',
      'feature-Elena-s-eyes',
    ]);
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        expect(isContextName(contextNameFrom(text))).toBe(true);
      }),
    );
  });
});
