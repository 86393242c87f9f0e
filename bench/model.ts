// `npm run model [COUNT] [SEED] [ROUNDS]`: plays COUNT random stories (20) of ROUNDS acts each (72): three clones, on each of which two
// installations work at once. Says what was lost: nothing. `npm run model 1 7 500` is one long story.
import { playModel } from '../test/helpers/model.ts';

const [count = 20, seed = Date.now() % 1_000_000, rounds = 72] = process.argv.slice(2).map(Number);
let acknowledged = 0;
for (let story = 0; story < count; story++) {
  const report = await playModel(rounds, seed + story);
  console.log(
    `seed ${report.seed}: ${report.steps} steps, ${report.acknowledged} acknowledged, ${report.meetings} meetings, ${report.rows} rows`,
  );
  acknowledged += report.acknowledged;
}
console.log(`${count} stories, ${acknowledged} acknowledged entries: 0 lost, no two clones that differ`);
