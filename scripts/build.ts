// Builds the command line (`cli`), the app (`app`), or both. What is newer than its sources is left alone, but for --force.
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const run = (script: string, ...args: string[]) => execFileSync(process.execPath, [script, ...args], { stdio: 'inherit' });
const mtime = (path: string) => (existsSync(path) ? statSync(path).mtimeMs : 0);
const sources = ['package.json', 'package-lock.json', 'vite.cli.config.ts', 'electron.vite.config.ts', ...globSync('src/**/*.*')];
const newest = Math.max(...sources.map(mtime));
const isNew = (output: string) => mtime(output) > newest && !process.argv.includes('--force');

const asked = (part: string) => process.argv.includes(part) || !process.argv.some((word) => word === 'cli' || word === 'app');

if (asked('cli') && !isNew('out/cli/index.js')) run('node_modules/vite/bin/vite.js', 'build', '--config', 'vite.cli.config.ts');
if (asked('app') && !isNew('out/renderer/index.html'))
  run('node_modules/electron-vite/bin/electron-vite.js', 'build', '--logLevel', 'warn');
copySample('resources/sample', 'out/sample');

/** The sample goes with every build, without what a core that was once opened on it has derived there (index and lock). */
function copySample(from: string, to: string): void {
  const entries = readdirSync(from, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith('index.db'))
    .map((entry) => join(entry.parentPath, entry.name));
  if (mtime(join(to, 'README.md')) > Math.max(...files.map(mtime)) && !process.argv.includes('--force')) return;
  rmSync(to, { recursive: true, force: true });
  for (const file of files) {
    const copy = join(to, relative(from, file));
    mkdirSync(dirname(copy), { recursive: true });
    writeFileSync(copy, readFileSync(file));
  }
}
