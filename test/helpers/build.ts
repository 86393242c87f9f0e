import { execFileSync } from 'node:child_process';

/** Builds once, so that every story test runs what ships; what is newer than its sources is left alone. */
export default function setup(): void {
  execFileSync(process.execPath, ['scripts/build.ts'], { stdio: 'inherit' });
}
