import { describe, expect, it } from 'vitest';
import { budgetFrom, defaultBudget, startBudget } from '#core/anchors/budget';

const limits = { files: 2, bytes: 100, milliseconds: 1000, repositoryFiles: 3 };

describe('a budget', () => {
  it('lets hinted files and files of the repository each have their own number', () => {
    const budget = startBudget(limits, () => 0);
    expect([1, 2, 3].map(() => budget.takes(1, true))).toEqual([true, true, false]);
    expect(budget.limit).toBe('files');
    expect([1, 2, 3, 4].map(() => budget.takes(1, false))).toEqual([true, true, true, false]);
    expect([budget.limit, budget.filesLeft()]).toEqual(['files', 0]);
  });

  it('counts the bytes of both, whether or not they are read', () => {
    const budget = startBudget(limits, () => 0);
    expect([budget.takes(60, true), budget.takes(41, false), budget.takes(40, false)]).toEqual([true, false, true]);
    expect([budget.limit, budget.filesRead, budget.bytesRead]).toEqual(['bytes', 0, 0]);
    budget.read(60);
    expect([budget.filesRead, budget.bytesRead]).toEqual([1, 60]);
  });

  it('ends when its time is over', () => {
    let now = 5;
    const budget = startBudget(limits, () => now);
    now = 1005;
    expect([budget.isExpired(), budget.takes(1, true), budget.limit]).toEqual([false, true, null]);
    now = 1006;
    expect([budget.isExpired(), budget.takes(1, true), budget.limit, budget.elapsed()]).toEqual([true, false, 'time', 1001]);
  });

  it('is as the contract has it, unless the settings say otherwise in numbers', () => {
    expect(budgetFrom({})).toEqual({ files: 2000, bytes: 33_554_432, milliseconds: 30_000, repositoryFiles: 4000 });
    expect(budgetFrom({ 'anchors.files': 5, 'anchors.megabytes': 1, 'anchors.seconds': 2, 'anchors.repositoryFiles': 9 })).toEqual({
      files: 5,
      bytes: 1_048_576,
      milliseconds: 2000,
      repositoryFiles: 9,
    });
    for (const nonsense of [-1, Number.NaN, '5', true]) expect(budgetFrom({ 'anchors.files': nonsense })).toEqual(defaultBudget);
  });
});
