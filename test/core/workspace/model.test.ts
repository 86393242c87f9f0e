import { expect, it } from 'vitest';
import { playModel } from '../../helpers/model.ts';

it('several clones, installations and programs: after every merge all say the same, and nothing acknowledged is lost', async () => {
  const seed = Date.now() % 1_000_000;
  const report = await playModel(18, seed, 9);
  console.log(`model: ${JSON.stringify(report)}`);
  expect(report.meetings).toBe(2);
  expect(report.acknowledged).toBeGreaterThan(2);
});
