// `npm run bench`: every bench, one after another, into RESULTS.md. Arguments go to each of them (--large, --rounds).
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { load, machine } from './machine.ts';

const before = load();
const parts = ['ledger', 'scan', 'editor', 'search', 'breakdown'].map((name) => {
  console.error(`bench: ${name}`);
  const args = ['--expose-gc', join(import.meta.dirname, `${name}.ts`), ...process.argv.slice(2)];
  const { status, stdout } = spawnSync(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8' });
  if (status !== 0) throw new Error(`bench/${name}.ts ended with ${status}`);
  return stdout.trim();
});
const note =
  'Goals are ratios to what was measured beside, in the same run (`ratio` is the median of the ratios of each round); ms are medians with the least and the most.';
const text = `# Results\n\n${machine()}\n- load average before: ${before}; after: ${load()}\n\n${note}\n\n${parts.join('\n\n')}\n`;
writeFileSync(join(import.meta.dirname, 'RESULTS.md'), text);
console.log(text);
