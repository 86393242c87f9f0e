import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { digest } from '#core/digest';
import { contentHash, parseContentHash, parseRevisionId, revisionId, toContentHash } from '#kernel/revision';
import { vectorsOf } from '../helpers/vectors.ts';

const hash = fc.string().map((text) => contentHash(digest, text));
const revision = fc.string().map((text) => parseRevisionId(`rev1:${digest.sha256(text)}`)!);

describe('a revision id', () => {
  it.each(vectorsOf<{ name: string; content_hash: string; parents: string[]; preimage: string; revision: string }>('revision_id'))(
    'is as in vector "$name"',
    (vector) => {
      const parents = vector.parents.map((parent) => parseRevisionId(parent)!);
      const found = revisionId(digest, parseContentHash(vector.content_hash)!, parents);
      expect(found).toBe(vector.revision);
      expect(found).toBe(`rev1:${digest.sha256(vector.preimage)}`);
      expect(parseRevisionId(found)).toBe(found);
    },
  );

  it('does not depend on the order of its parents and leaves the list alone', () => {
    fc.assert(
      fc.property(hash, fc.array(revision), (content, parents) => {
        const before = [...parents];
        const found = revisionId(digest, content, parents);
        expect(revisionId(digest, content, [...parents].reverse())).toBe(found);
        expect(parents).toEqual(before);
      }),
    );
  });

  it('counts a parent given twice', () => {
    fc.assert(
      fc.property(hash, revision, (content, parent) => {
        expect(revisionId(digest, content, [parent, parent])).not.toBe(revisionId(digest, content, [parent]));
      }),
    );
  });

  it('never returns to an old one when the text does', () => {
    const [a, b] = [contentHash(digest, 'a'), contentHash(digest, 'b')];
    const first = revisionId(digest, a, []);
    const second = revisionId(digest, b, [first]);
    expect(revisionId(digest, a, [second])).not.toBe(first);
  });
});

describe('an id that is not written exactly', () => {
  const digits = '0123456789abcdef'.repeat(4);

  it.each([
    '',
    digits,
    `SHA256:${digits}`,
    `sha256:${digits.toUpperCase()}`,
    `sha256:${digits}0`,
    `sha256:${digits.slice(1)}`,
    `sha256:${digits}\n`,
    ` sha256:${digits}`,
    `rev1:${digits}`,
  ])('is no content hash: %j', (text) => {
    expect(parseContentHash(text)).toBeNull();
  });

  it.each(['', `rev1:${digits.toUpperCase()}`, `rev1:${digits}0`, `rev1:${digits}\n`, `rev2:${digits}`, `sha256:${digits}`])(
    'is no revision id: %j',
    (text) => {
      expect(parseRevisionId(text)).toBeNull();
    },
  );

  it('is not made from a digest that is none', () => {
    expect(() => toContentHash(digits.slice(1))).toThrow(RangeError);
    expect(toContentHash(digits)).toBe(`sha256:${digits}`);
  });
});
