import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AddRead, createReadSet, type ReadSet } from '#mcp/read-set';

/** A read that is answered at once. */
const add = (set: ReadSet, ...read: Parameters<AddRead>) => set.during(new AbortController().signal, async (put) => put(...read));

const served = (path: string, object: string | null = null) => ({ path, hash: `sha256:${'a'.repeat(64)}`, object, revision: null });

describe('a read set', () => {
  it('holds each document once, newest last, directly read where it ever was, and at most 512', async () => {
    const reads = fc.array(fc.record({ path: fc.integer({ min: 0, max: 700 }).map(String), direct: fc.boolean() }), { maxLength: 1500 });
    await fc.assert(
      fc.asyncProperty(reads, async (all) => {
        const set = createReadSet();
        let kept: { path: string; direct: boolean }[] = [];
        let leftOut = 0;
        for (const read of all) {
          void add(set, served(read.path), read.direct ? 'direct' : 'contextual', '');
          const before = kept.find(({ path }) => path === read.path);
          if (before?.direct === true && !read.direct) continue;
          kept = [...kept.filter((one) => one !== before), read];
          if (kept.length > 512) {
            kept.shift();
            leftOut++;
          }
        }
        const taken = await set.take();
        expect(taken.reads.map(({ path, role }) => [path, role])).toEqual(
          kept.map(({ path, direct }) => [path, direct ? 'direct' : 'contextual']),
        );
        expect(taken.leftOut).toBe(leftOut);
        expect(await set.take()).toEqual({ reads: [], leftOut: 0 });
      }),
      { numRuns: 50 },
    );
  });

  it('that is given back stands before what was read meanwhile', async () => {
    const set = createReadSet();
    for (const path of ['a', 'b']) void add(set, served(path), 'direct', null);
    const taken = await set.take();
    void add(set, served('a'), 'contextual', null);
    void add(set, served('c'), 'contextual', null);
    set.giveBack(taken);
    expect((await set.take()).reads.map(({ path, role }) => [path, role])).toEqual([
      ['a', 'direct'],
      ['b', 'direct'],
      ['c', 'contextual'],
    ]);
  });

  it('keeps the text of what is not tracked only, and of that no more than can be held', async () => {
    const set = createReadSet();
    const large = 'x'.repeat(3 * 1024 * 1024);
    void add(set, served('known', '018f3c7a-9f2e-7cc1-b302-5e9d4a6b21c7'), 'direct', 'text');
    for (const path of ['one', 'two', 'three']) void add(set, served(path), 'direct', large);
    expect((await set.take()).reads.map(({ path, text }) => [path, text?.length ?? null])).toEqual([
      ['known', null],
      ['one', null],
      ['two', large.length],
      ['three', large.length],
    ]);
  });

  it('gives a write what was asked for before it, however late that is answered, and nothing that was asked for after it', async () => {
    const set = createReadSet();
    const [early, later] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const ask = (path: string, answer: Promise<void>) =>
      set.during(new AbortController().signal, async (put) => {
        await answer;
        put(served(path), 'direct', null);
      });
    const asked = ask('a', early.promise);
    const first = set.take();
    const late = ask('b', later.promise);
    const second = set.take();
    later.resolve();
    await late;
    early.resolve();
    await asked;
    expect((await first).reads.map(({ path }) => path)).toEqual(['a']);
    expect((await second).reads.map(({ path }) => path)).toEqual(['b']);
  });

  it('waits for no read that was cancelled or that failed, and has nothing of it', async () => {
    const set = createReadSet();
    const cancelling = new AbortController();
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancelled = set.during(cancelling.signal, async (put) => {
      await promise;
      put(served('a'), 'direct', null);
    });
    const failed = set.during(new AbortController().signal, async () => {
      throw new Error('gone');
    });
    const taken = set.take();
    cancelling.abort();
    expect(await taken).toEqual({ reads: [], leftOut: 0 });
    await expect(failed).rejects.toThrow('gone');
    resolve();
    await cancelled;
    expect(await set.take()).toEqual({ reads: [], leftOut: 0 });
  });
});
