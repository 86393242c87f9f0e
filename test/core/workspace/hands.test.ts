import { expect, it } from 'vitest';
import { playHands } from '../../helpers/hands.ts';

it('loses nothing and records nothing twice while a window, command lines, an agent, an editor and git work at once and are killed', async () => {
  const report = await playHands({ edits: 5 }, Date.now() % 1_000_000);
  console.log(`hands: ${JSON.stringify(report)}`);
  expect(report.acknowledged).toBeGreaterThan(3);
}, 300_000);
