import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Buffer, createBuffer } from '#renderer/editor/buffer.ts';
import type { SaveOutcome } from '#renderer/editor/saving.ts';
import { createAutosave } from '#renderer/ui/autosave.ts';

const buffer = (): Buffer =>
  createBuffer(
    'a.md',
    { text: 'a', base: 'x', content: null, tracking: { by: null, reason: null } },
    { say: (key) => key, follow: () => {} },
  );

describe('saving by itself', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  function start(setting: string, outcomes: SaveOutcome[] = []) {
    const saved: Buffer[] = [];
    const recorded: Buffer[] = [];
    const hows: boolean[] = [];
    const autosave = createAutosave(() => setting, {
      async save(each, { auto }) {
        saved.push(each);
        hows.push(auto);
        return outcomes.shift() ?? 'saved';
      },
      record: async (each) => recorded.push(each),
    });
    return { autosave, saved, hows, recorded };
  }

  it('waits until the writer rests, from the last key on', async () => {
    const { autosave, saved } = start('rest');
    const each = buffer();
    autosave.edited(each);
    await vi.advanceTimersByTimeAsync(900);
    autosave.edited(each);
    await vi.advanceTimersByTimeAsync(900);
    expect(saved).toEqual([]);
    await vi.advanceTimersByTimeAsync(100);
    expect(saved).toEqual([each]);
  });

  it('tries again what failed, each time later, and no more in the end; typing begins that anew', async () => {
    const failing = Array.from({ length: 8 }, (): SaveOutcome => 'failed');
    const { autosave, saved } = start('rest', failing);
    const each = buffer();
    autosave.edited(each);
    await vi.advanceTimersByTimeAsync(1000);
    for (const [at, delay] of [1000, 2000, 4000, 8000, 16_000, 32_000].entries()) {
      await vi.advanceTimersByTimeAsync(delay - 1);
      expect(saved).toHaveLength(at + 1);
      await vi.advanceTimersByTimeAsync(1);
      expect(saved).toHaveLength(at + 2);
    }
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(saved).toHaveLength(7);
    autosave.edited(each);
    await vi.advanceTimersByTimeAsync(1000);
    autosave.edited(each);
    await vi.advanceTimersByTimeAsync(1000);
    expect(saved).toHaveLength(9);
  });

  it('tries again what the writer saved, as the writer’s, also where nothing is saved by itself', async () => {
    const { autosave, saved, hows } = start('off');
    autosave.failed(buffer());
    await vi.advanceTimersByTimeAsync(1000);
    expect([saved.length, hows]).toEqual([1, [false]]);
  });

  it('does not wait when the writer turns away, or the window goes', async () => {
    const { autosave, saved } = start('rest');
    const [left, flushed] = [buffer(), buffer()];
    autosave.edited(left);
    autosave.edited(flushed);
    autosave.left(left);
    await autosave.flush();
    await vi.advanceTimersByTimeAsync(5000);
    expect(saved).toEqual([left, flushed]);
  });

  it('is only on leaving, or never, where the setting says so', async () => {
    const leaving = start('blur');
    const never = start('off');
    for (const { autosave } of [leaving, never]) autosave.edited(buffer());
    await vi.advanceTimersByTimeAsync(5000);
    expect([leaving.saved, never.saved]).toEqual([[], []]);
    for (const { autosave } of [leaving, never]) autosave.left(buffer());
    expect([leaving.saved.length, never.saved.length]).toEqual([1, 0]);
  });

  it('is recorded later while the writer rests, and at once on turning away, where also what is due is recorded', async () => {
    const { autosave, saved, hows, recorded } = start('rest');
    const [resting, leaving, due] = [buffer(), buffer(), buffer()];
    autosave.edited(resting);
    await vi.advanceTimersByTimeAsync(1000);
    autosave.edited(leaving);
    autosave.left(leaving);
    autosave.left(due);
    expect([saved, hows, recorded]).toEqual([[resting, leaving], [true, false], [due]]);
  });

  it('leaves alone what somebody else wrote or removed', async () => {
    const { autosave, saved } = start('rest');
    for (const outside of [{ kind: 'removed', before: null } as const, { kind: 'changed', text: '', base: '', content: null } as const]) {
      const each = buffer();
      autosave.edited(each);
      each.outside = outside;
    }
    await vi.advanceTimersByTimeAsync(5000);
    expect(saved).toEqual([]);
  });
});
