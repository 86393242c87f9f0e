// Builds what there is to build: the command line, and the app where its sources are.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const run = (script: string, ...args: string[]) => execFileSync(process.execPath, [script, ...args], { stdio: 'inherit' });

run('node_modules/vite/bin/vite.js', 'build', '--config', 'vite.cli.config.ts');
if (existsSync('src/renderer/index.html')) run('node_modules/electron-vite/bin/electron-vite.js', 'build', '--logLevel', 'warn');
