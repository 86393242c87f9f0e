import { describe, expect, it } from 'vitest';
import { realChance } from '#core/core';

describe('the ids of one process', () => {
  it('are in the order in which they were made, also within one millisecond', () => {
    const ids = Array.from({ length: 1000 }, () => realChance.newId(1_750_000_000_000));
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('carry the instant they were made for', () => {
    expect(realChance.newId(0x0123_4567_89ab).replaceAll('-', '').slice(0, 13)).toBe('0123456789ab7');
  });
});
