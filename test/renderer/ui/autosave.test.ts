import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Buffer, createBuffer } from '#renderer/editor/buffer.ts';
import { createAutosave } from '#renderer/ui/autosave.ts';

const buffer = (): Buffer =>
  createBuffer('a.md', { text: 'a', base: 'x', tracking: { by: null, reason: null } }, { say: (key) => key, follow: () => {} });

describe('saving by itself', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  function start(setting: string) {
    const saved: Buffer[] = [];
    const autosave = createAutosave(
      () => setting,
      async (each) => saved.push(each),
    );
    return { autosave, saved };
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

  it('leaves alone what somebody else wrote or removed', async () => {
    const { autosave, saved } = start('rest');
    for (const outside of [{ kind: 'removed' } as const, { kind: 'changed', text: '', base: '' } as const]) {
      const each = buffer();
      autosave.edited(each);
      each.outside = outside;
    }
    await vi.advanceTimersByTimeAsync(5000);
    expect(saved).toEqual([]);
  });
});
