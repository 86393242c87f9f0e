import { spawnSync } from 'node:child_process';
import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { removeAtExit } from './data.ts';

const top = join(import.meta.dirname, '..');
const frozen = join(top, 'out', 'bench');

/** Starts a program and waits for it; what it prints is dropped. Throws where it fails. */
export function run(file: string, args: readonly string[], options: { cwd?: string; env?: NodeJS.ProcessEnv } = {}): void {
  const env = { ...process.env, ...options.env };
  const { status, error, stderr } = spawnSync(file, args, { ...options, env, stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' });
  if (error !== undefined || status !== 0) throw new Error(`${file} ${args.join(' ')}: ${error?.message ?? stderr}`);
}

/** Starts Node. */
export const runNode = (args: readonly string[], options: { cwd?: string; env?: NodeJS.ProcessEnv } = {}) =>
  run(process.execPath, args, options);

/** A copy of the built command line, so that a build meanwhile does not change what is measured; it must stand in this repository to find its packages. */
export function frozenProgram(): string {
  const built = join(top, 'out', 'cli');
  if (!existsSync(join(built, 'index.js'))) throw new Error('out/cli/index.js is not there: npm run build');
  const folder = join(frozen, `cli-${process.pid}`);
  cpSync(built, folder, { recursive: true });
  removeAtExit(folder);
  return join(folder, 'index.js');
}

/** Bundles a program of this folder as the build bundles ours; Node would else strip the types of every file anew. */
export async function bundled(name: string): Promise<string> {
  const folder = join(frozen, `${name}-${process.pid}`);
  await build({
    configFile: false,
    logLevel: 'error',
    root: top,
    ssr: { noExternal: true, external: ['better-sqlite3'] },
    build: {
      ssr: `bench/${name}.ts`,
      outDir: folder,
      target: 'node22',
      minify: false,
      rollupOptions: { output: { entryFileNames: '[name].js' } },
    },
  });
  removeAtExit(folder);
  return join(folder, `${name}.js`);
}
