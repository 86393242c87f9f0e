// Builds the command line (`cli`), the app (`app`), or both. What is newer than its sources is left alone, but for --force.
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, statSync } from 'node:fs';

const run = (script: string, ...args: string[]) => execFileSync(process.execPath, [script, ...args], { stdio: 'inherit' });
const mtime = (path: string) => (existsSync(path) ? statSync(path).mtimeMs : 0);
const sources = ['package.json', 'package-lock.json', 'vite.cli.config.ts', 'electron.vite.config.ts', ...globSync('src/**/*.*')];
const newest = Math.max(...sources.map(mtime));
const isNew = (output: string) => mtime(output) > newest && !process.argv.includes('--force');

const asked = (part: string) => process.argv.includes(part) || !process.argv.some((word) => word === 'cli' || word === 'app');

if (asked('cli') && !isNew('out/cli/index.js')) run('node_modules/vite/bin/vite.js', 'build', '--config', 'vite.cli.config.ts');
if (asked('app') && !isNew('out/renderer/index.html')) run('node_modules/electron-vite/bin/electron-vite.js', 'build', '--logLevel', 'warn');
