import { execFileSync } from 'node:child_process';

/** Builds the command line once, so that every story test runs what ships. */
export default function setup(): void {
  execFileSync(process.execPath, ['scripts/build.ts', 'cli'], { stdio: 'inherit' });
}
