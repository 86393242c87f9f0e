// `npm start -- [FOLDER]`: the window is not there, so this shows what is.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../out/cli/index.js', import.meta.url));
const folder = process.argv[2] ?? '.';
const { status } = spawnSync(process.execPath, [program, '--help'], { stdio: 'inherit' });
console.log(`\nThe window is not built yet; on the command line, begin with: npm run -s stemma -- -C ${JSON.stringify(folder)} status`);
process.exit(status ?? 1);
