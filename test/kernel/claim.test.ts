import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { digest } from '#core/digest';
import type { Claim } from '#kernel/body-check';
import { claimsFingerprint, currentClaims, fedClaims } from '#kernel/claim';
import { Facts } from '#kernel/facts';
import type { Uuid } from '#kernel/uuid';
import { namedUuid } from '../helpers/history.ts';
import { vectorsOf } from '../helpers/vectors.ts';

const claim = namedUuid('claim');
const plain: Claim = {
  claim,
  statement: 'Her eyes are green.',
  valid_at: null,
  invalid_at: null,
  established_by: [],
  supersedes: null,
  maturity: 'established',
  actor: { type: 'human', id: 'Ana' },
};

/** Entries of claims, a second apart, in this order. */
function factsOf(...entries: (Partial<Claim> & { id?: Uuid })[]): Facts {
  const facts = new Facts();
  for (const [at, { id = namedUuid(`entry ${at}`), ...said }] of entries.entries()) {
    facts.claims.set(id, { id, time: at * 1000, value: { ...plain, ...said } });
  }
  return facts;
}

const superseding = (at: number) => ({ supersedes: namedUuid(`entry ${at}`) });
const isFed = (facts: Facts) => fedClaims(facts, [claim]).length === 1;

describe('the vectors of the fingerprint', () => {
  it.each(vectorsOf<{ fed: { claim: string; current_entry: string }[]; fingerprint: string }>('claims_fingerprint'))(
    'of $fed.length claims',
    ({ fed, fingerprint }) => {
      const given = fed.map((one) => ({ claim: one.claim, currentEntry: one.current_entry }));
      expect(claimsFingerprint(digest, given)).toBe(fingerprint);
      expect(claimsFingerprint(digest, given.toReversed())).toBe(fingerprint);
      const facts = factsOf(...fed.map((one) => ({ claim: one.claim, id: one.current_entry as Uuid })));
      expect(
        claimsFingerprint(
          digest,
          fedClaims(
            facts,
            fed.map((one) => one.claim),
          ),
        ),
      ).toBe(fingerprint);
    },
  );
});

describe('a claim', () => {
  it('is what the entry says that no other supersedes', () => {
    const facts = factsOf({}, { statement: 'Her eyes are grey.', ...superseding(0) });
    expect(currentClaims(facts)).toMatchObject([{ claim, value: { statement: 'Her eyes are grey.' }, contested: false }]);
  });

  it('that two corrected is contested, and the later one counts', () => {
    const facts = factsOf({}, { statement: 'grey', ...superseding(0) }, { statement: 'blue', ...superseding(0) });
    expect(currentClaims(facts)).toMatchObject([{ value: { statement: 'blue' }, contested: true }]);
  });

  it('that names itself as superseded stands', () => {
    expect(currentClaims(factsOf(superseding(0)))).toHaveLength(1);
  });

  it('is fed where it is visible, established and not retired', () => {
    expect(isFed(factsOf({}))).toBe(true);
    expect(fedClaims(factsOf({}), [])).toEqual([]);
    expect(isFed(factsOf({ maturity: 'draft' }))).toBe(false);
    expect(isFed(factsOf({ maturity: 'draft' }, { ...superseding(0) }))).toBe(true);
    expect(isFed(factsOf({}, { invalid_at: '2026-08-01T00:00:00Z', ...superseding(0) }))).toBe(false);
    expect(fedClaims(factsOf({ claim: 'no id' }), ['no id'])).toEqual([]);
  });

  it('is the same whatever the order of its entries', () => {
    const entry = fc.record({
      supersedes: fc.option(
        fc.nat(6).map((at) => namedUuid(`entry ${at}`)),
        { nil: null },
      ),
    });
    fc.assert(
      fc.property(fc.array(entry, { minLength: 1, maxLength: 6 }), fc.nat(), (entries, cut) => {
        const facts = factsOf(...entries);
        const turned = new Facts();
        const all = [...facts.claims];
        for (const [id, dated] of [...all.slice(cut % all.length), ...all.slice(0, cut % all.length)]) turned.claims.set(id, dated);
        expect(currentClaims(turned)).toEqual(currentClaims(facts));
      }),
    );
  });
});
