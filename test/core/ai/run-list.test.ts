import { describe, expect, it } from 'vitest';
import { createRunList } from '#core/ai/run-list';

describe('an answer on its way', () => {
  it('is told in parts to whoever asks, and ended where nobody does any more', async () => {
    const runs = createRunList({ news: 5000, idle: 30 });
    const ended = Promise.withResolvers<void>();
    runs.begin('a', async (told, signal) => {
      told.text('One');
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      ended.resolve();
      signal.throwIfAborted();
    });
    expect(await runs.next('a', 0)).toMatchObject({ text: 'One', done: false });
    await ended.promise;
    expect(await runs.next('a', 3)).toMatchObject({ text: '', done: true, fault: { code: 'ai-gone' } });
  });

  it('answers a question without news after a while, so that no connection hangs', async () => {
    const runs = createRunList({ news: 10, idle: 60_000 });
    runs.begin('a', (_, signal) => new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))));
    expect(await runs.next('a', 0)).toEqual({ text: '', done: false, model: null, waits: null, fault: null });
    const waiting = runs.next('a', 0);
    runs.close();
    expect((await waiting).done).toBe(true);
  });
});
