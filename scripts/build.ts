// Builds the command line (`cli`), the app (`app`), or both. What is newer than its sources is left alone, but for --force.
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';

const run = (script: string, ...args: string[]) => execFileSync(process.execPath, [script, ...args], { stdio: 'inherit' });
const mtime = (path: string) => (existsSync(path) ? statSync(path).mtimeMs : 0);
const sources = ['package.json', 'package-lock.json', 'vite.cli.config.ts', 'electron.vite.config.ts', ...globSync('src/**/*.*')];
const newest = Math.max(...sources.map(mtime));
const isNew = (output: string) => mtime(output) > newest && !process.argv.includes('--force');

const asked = (part: string) => process.argv.includes(part) || !process.argv.some((word) => word === 'cli' || word === 'app');

if (asked('cli') && !isNew('out/cli/index.js')) run('node_modules/vite/bin/vite.js', 'build', '--config', 'vite.cli.config.ts');
if (asked('app') && !isNew('out/renderer/index.html'))
  run('node_modules/electron-vite/bin/electron-vite.js', 'build', '--logLevel', 'warn');
copyFolder('resources/sample', 'out/sample');
copyFolder('grammars', 'out/grammars');
copyFolder('resources/genies', 'out/genies');

/** Sample, grammars and genies go with every build, without what a core that was once opened on the sample has derived there (index and lock). */
function copyFolder(from: string, to: string): void {
  const wanted = filesOf(from).filter((file) => !basename(file).startsWith('index.db'));
  const isSame = (file: string) => readFileSync(join(from, file)).equals(readFileSync(join(to, file)));
  // Programs that run from this build may be reading it.
  if (`${wanted}` === `${filesOf(to)}` && wanted.every(isSame)) return;
  rmSync(to, { recursive: true, force: true });
  for (const file of wanted) {
    mkdirSync(dirname(join(to, file)), { recursive: true });
    writeFileSync(join(to, file), readFileSync(join(from, file)));
  }
}

function filesOf(folder: string): string[] {
  const entries = existsSync(folder) ? readdirSync(folder, { recursive: true, withFileTypes: true }) : [];
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return files.map((file) => relative(folder, file)).sort();
}
