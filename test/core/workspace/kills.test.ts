import { expect, it } from 'vitest';
import { killMany } from '../../helpers/kills';

it('loses nothing that was acknowledged and tears no file, whenever a program that writes is killed', async () => {
  const seed = Date.now() % 1_000_000;
  const reports = await Promise.all([killMany(13, seed), killMany(12, seed + 1)]);
  for (const report of reports) console.log(`kills: ${JSON.stringify(report)}`);
  expect(reports.map(({ kills }) => kills)).toEqual([13, 12]);
  for (const { acknowledged } of reports) expect(acknowledged).toBeGreaterThan(10);
});
