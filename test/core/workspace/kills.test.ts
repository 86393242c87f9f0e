import { expect, it } from 'vitest';
import { killMany } from '../../helpers/kills';

it('loses nothing that was acknowledged and tears no file, whenever a program that writes is killed', async () => {
  const report = await killMany(25, Date.now() % 1_000_000);
  console.log(`kills: ${JSON.stringify(report)}`);
  expect(report.kills).toBe(25);
  expect(report.acknowledged).toBeGreaterThan(25);
});
