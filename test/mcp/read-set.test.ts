import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createReadSet } from '#mcp/read-set';

const served = (path: string, object: string | null = null) => ({ path, hash: `sha256:${'a'.repeat(64)}`, object, revision: null });

describe('a read set', () => {
  it('holds each document once, newest last, directly read where it ever was, and at most 512', () => {
    const reads = fc.array(fc.record({ path: fc.integer({ min: 0, max: 700 }).map(String), direct: fc.boolean() }), { maxLength: 1500 });
    fc.assert(
      fc.property(reads, (all) => {
        const set = createReadSet();
        let kept: { path: string; direct: boolean }[] = [];
        let leftOut = 0;
        for (const read of all) {
          set.add(served(read.path), read.direct ? 'direct' : 'contextual', '');
          const before = kept.find(({ path }) => path === read.path);
          if (before?.direct === true && !read.direct) continue;
          kept = [...kept.filter((one) => one !== before), read];
          if (kept.length > 512) {
            kept.shift();
            leftOut++;
          }
        }
        const taken = set.take();
        expect(taken.reads.map(({ path, role }) => [path, role])).toEqual(
          kept.map(({ path, direct }) => [path, direct ? 'direct' : 'contextual']),
        );
        expect(taken.leftOut).toBe(leftOut);
        expect(set.take()).toEqual({ reads: [], leftOut: 0 });
      }),
      { numRuns: 50 },
    );
  });

  it('that is given back stands before what was read meanwhile', () => {
    const set = createReadSet();
    for (const path of ['a', 'b']) set.add(served(path), 'direct', null);
    const taken = set.take();
    set.add(served('a'), 'contextual', null);
    set.add(served('c'), 'contextual', null);
    set.giveBack(taken);
    expect(set.take().reads.map(({ path, role }) => [path, role])).toEqual([
      ['a', 'direct'],
      ['b', 'direct'],
      ['c', 'contextual'],
    ]);
  });

  it('keeps the text of what is not tracked only, and of that no more than can be held', () => {
    const set = createReadSet();
    const large = 'x'.repeat(12 * 1024 * 1024);
    set.add(served('known', '018f3c7a-9f2e-7cc1-b302-5e9d4a6b21c7'), 'direct', 'text');
    for (const path of ['one', 'two', 'three']) set.add(served(path), 'direct', large);
    expect(set.take().reads.map(({ path, text }) => [path, text?.length ?? null])).toEqual([
      ['known', null],
      ['one', null],
      ['two', large.length],
      ['three', large.length],
    ]);
  });
});
