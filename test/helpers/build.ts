import { execFileSync } from 'node:child_process';

/** Builds the command line once, so that every story test runs what ships. */
export default function setup(): void {
  execFileSync(process.execPath, ['node_modules/electron-vite/bin/electron-vite.js', 'build', '--logLevel', 'warn'], { stdio: 'inherit' });
}
