import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Delegation } from '#kernel/body-act';
import { type GrantScope, grantFor, grants } from '#kernel/delegation';
import { Facts } from '#kernel/facts';
import type { Uuid } from '#kernel/uuid';
import { namedUuid } from '../helpers/history.ts';
import { vectorsOf } from '../helpers/vectors.ts';

const now = Date.UTC(2026, 6, 18);
const future = '2026-07-25T00:00:00.000Z';
const scope = ['resolve.accept-newer', 'resolve.waive'];

const given: Delegation = {
  delegation: namedUuid('grant'),
  actor: { type: 'human', id: 'Ana' },
  delegate: { type: 'external', id: 'codex-cli' },
  scope,
  expires: future,
  supersedes: null,
};

/** Entries of grants, a second apart, in this order. */
function factsOf(...entries: Partial<Delegation>[]): Facts {
  const facts = new Facts();
  for (const [at, said] of entries.entries()) {
    const id = namedUuid(`entry ${at}`);
    facts.delegations.set(id, { id, time: now - 60_000 + at * 1000, value: { ...given, ...said } });
  }
  return facts;
}

const superseding = (at: number) => ({ supersedes: namedUuid(`entry ${at}`) as Uuid });
const ask = { principal: 'codex-cli', scope: 'resolve.accept-newer', now } as const;
const isAllowed = (facts: Facts, question: Partial<typeof ask> | { scope: GrantScope } = {}) =>
  grantFor(facts, { ...ask, ...question }) !== null;

interface GateVector {
  grant?: { delegate: string; scope: string[]; expires: string };
  principal?: string;
  ask?: GrantScope;
  case?: string;
  authorised: boolean;
}

const cases: Record<string, () => boolean> = {
  expired: () =>
    isAllowed(factsOf({ expires: '2026-07-17T23:59:59.999Z' })) || isAllowed(factsOf({ expires: new Date(now).toISOString() })),
  'superseded by an entry with empty scope': () => isAllowed(factsOf({}, { scope: [], ...superseding(0) })),
  'expires unparseable': () => isAllowed(factsOf({ expires: 'next week' })),
};

describe('the vectors of the gate', () => {
  it.each(vectorsOf<GateVector>('delegation_gate'))('$principal $ask $case', ({ grant, principal, ask: asked, case: name, authorised }) => {
    if (name !== undefined) return expect(cases[name]!()).toBe(authorised);
    const facts = factsOf({ delegate: { type: 'external', id: grant!.delegate }, scope: grant!.scope });
    expect(isAllowed(facts, { principal: principal!, scope: asked! } as never)).toBe(authorised);
  });
});

describe('a grant', () => {
  it('ends when its time comes, and not before', () => {
    expect(isAllowed(factsOf({}), { now: Date.parse(future) - 1 } as never)).toBe(true);
    expect(isAllowed(factsOf({}), { now: Date.parse(future) } as never)).toBe(false);
  });

  it('is what its standing entry says: longer, narrower, or for somebody else', () => {
    expect(isAllowed(factsOf({ expires: '2026-07-01T00:00:00Z' }, superseding(0)))).toBe(true);
    expect(isAllowed(factsOf({}, { scope: ['resolve.waive'], ...superseding(0) }))).toBe(false);
    expect(isAllowed(factsOf({}, { delegate: { type: 'external', id: 'claude-code' }, ...superseding(0) }))).toBe(false);
  });

  it('that was revoked in one clone and prolonged in another is revoked, whichever came later', () => {
    const revoked = { scope: [], ...superseding(0) };
    expect(isAllowed(factsOf({}, revoked, superseding(0)))).toBe(false);
    expect(isAllowed(factsOf({}, superseding(0), revoked))).toBe(false);
    expect(isAllowed(factsOf({}, revoked, superseding(1)))).toBe(true);
  });

  it('of entries that supersede each other in a circle allows nothing', () => {
    expect(isAllowed(factsOf(superseding(1), superseding(0)))).toBe(false);
    expect(isAllowed(factsOf(superseding(0)))).toBe(true);
  });

  it('that an agent gave, or that has no id to act under, allows nothing', () => {
    expect(isAllowed(factsOf({ actor: { type: 'agent', id: 'codex-cli' } }))).toBe(false);
    expect(isAllowed(factsOf({ delegation: 'mine' }))).toBe(false);
    expect(isAllowed(factsOf({ actor: null }))).toBe(true);
  });

  it('is for exactly one name', () => {
    for (const principal of ['Codex-cli', 'codex-cli ', 'codex', '']) expect(isAllowed(factsOf({}), { principal } as never)).toBe(false);
  });

  it('beside another of the same agent: the one that lasts longest is named', () => {
    const other = { delegation: namedUuid('other'), expires: '2026-07-30T00:00:00Z' };
    expect(grantFor(factsOf({}, other), ask)?.grant).toBe(other.delegation);
    expect(grants(factsOf({}, { ...other, scope: [] }), now).map(({ state }) => state)).toEqual(['revoked', 'live']);
  });

  it('is the same whatever the order of its entries', () => {
    const entry = fc.record({
      supersedes: fc.option(
        fc.nat(4).map((at) => namedUuid(`entry ${at}`)),
        { nil: null },
      ),
      scope: fc.subarray(scope),
      expires: fc.constantFrom(future, 'soon', '2026-01-01T00:00:00Z'),
      delegation: fc.constantFrom(namedUuid('grant'), namedUuid('other')),
    });
    fc.assert(
      fc.property(fc.array(entry, { minLength: 1, maxLength: 6 }), fc.nat(), (entries, cut) => {
        const facts = factsOf(...entries);
        const turned = new Facts();
        const all = [...facts.delegations];
        for (const [id, dated] of [...all.slice(cut % all.length), ...all.slice(0, cut % all.length)]) turned.delegations.set(id, dated);
        expect(grants(turned, now)).toEqual(grants(facts, now));
        expect(grantFor(turned, ask)).toEqual(grantFor(facts, ask));
      }),
    );
  });
});
