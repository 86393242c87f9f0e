// `npm run laws [RUNS] [SEED]`: the tests that state laws, with RUNS cases of each law (1,000) that begin at SEED (a new one each time).
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const [runs = '1000', seed = String(randomInt(2 ** 31))] = process.argv.slice(2);
const files = globSync('test/**/*.test.ts').filter((file) => readFileSync(file, 'utf8').includes("from 'fast-check'"));
console.log(`${files.length} files of laws, ${runs} cases each, seed ${seed}`);
const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--testTimeout=1200000', '--reporter=dot', ...files];
const { status } = spawnSync(process.execPath, vitest, {
  stdio: 'inherit',
  env: { ...process.env, STEMMA_SEED: seed, STEMMA_RUNS: runs },
});
process.exit(status ?? 1);
