import { expect, it } from 'vitest';
import { killMany } from '../../helpers/kills';

it('loses nothing that was acknowledged and tears no file, whenever a program that writes is killed', async () => {
  const seed = Date.now() % 1_000_000;
  const reports = await Promise.all([killMany(9, seed), killMany(8, seed + 1), killMany(8, seed + 2, 'edit')]);
  for (const report of reports) console.log(`kills: ${JSON.stringify(report)}`);
  expect(reports.map(({ kills }) => kills)).toEqual([9, 8, 8]);
  expect(reports.reduce((sum, { acknowledged }) => sum + acknowledged, 0)).toBeGreaterThan(10);
});
