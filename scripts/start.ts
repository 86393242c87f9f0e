// `npm start -- [FOLDER] [--no-open …]`: opens the app, in Electron where its runtime is or can be fetched, else in the browser. Options
// are those of `stemma serve`.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const electron = join(root, 'node_modules/electron');
const program = join(root, 'out/cli/index.js');
/** How long the place that Electron is fetched from may take to answer, in ms. */
const patience = 8000;
/** An Electron that ends with an error within this time, in ms, did not come up. */
const startTime = 5000;

const given = process.argv.slice(2);
const options = given.filter((argument) => argument.startsWith('-'));
const asked = given.find((argument) => !argument.startsWith('-'));
// npm changes into the project; the folder is meant from where the person stands.
const from = process.env.INIT_CWD ?? process.cwd();
const folder = asked === undefined ? undefined : resolve(from, asked);

if (isStale()) run(join(root, 'scripts/build.ts'));
const reason = (await fetchElectron()) ?? (await openElectron());
if (reason === null) process.exit();
console.log(`Stemma opens in your browser: ${reason}`);
const server = spawn(process.execPath, [program, 'serve', folder ?? from, ...options], { stdio: 'inherit' });
process.exit(await ended(server));

/** Whether something was changed since the last build, or nothing was built yet. */
function isStale(): boolean {
  const built = ['cli/index.js', 'main/index.js', 'renderer/index.html'].map((file) => join(root, 'out', file));
  if (!built.every(existsSync)) return true;
  const oldest = Math.min(...built.map((file) => statSync(file).mtimeMs));
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' });
  return sources.some((file) => statSync(join(root, 'src', file)).mtimeMs > oldest);
}

function run(script: string): void {
  const { status } = spawnSync(process.execPath, [script], { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

/** The program of the runtime that npm's package brings, or null before it was fetched. */
function electronProgram(): string | null {
  const dist = process.env.ELECTRON_OVERRIDE_DIST_PATH ?? join(electron, 'dist');
  const named = join(electron, 'path.txt');
  const file = existsSync(named) ? join(dist, readFileSync(named, 'utf8')) : null;
  return file !== null && existsSync(file) ? file : null;
}

/** Fetches the runtime by its own installer where it is missing; answers why it could not, or would be of no use, or null. */
async function fetchElectron(): Promise<string | null> {
  if (process.platform === 'linux' && process.getuid?.() === 0) return 'Electron does not run for root without giving up its sandbox.';
  if (electronProgram() !== null) return null;
  if (!existsSync(join(electron, 'install.js'))) return 'the Electron package is not installed.';
  const address = process.env.ELECTRON_MIRROR || process.env.npm_config_electron_mirror || 'https://github.com/electron/electron/releases/';
  try {
    await fetch(address, { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(patience) });
  } catch {
    return 'the Electron runtime is not here, and the place that it comes from cannot be reached.';
  }
  console.log('The Electron runtime is fetched once (about 110 MB) …');
  const installer = spawn(process.execPath, [join(electron, 'install.js')], { stdio: ['ignore', 'inherit', 'ignore'] });
  await ended(installer);
  return electronProgram() === null ? 'the Electron runtime could not be fetched.' : null;
}

/** Opens the app and waits for its end; answers why it did not come up, or null. */
async function openElectron(): Promise<string | null> {
  const begin = performance.now();
  const code = await ended(
    spawn(electronProgram()!, [join(root, 'out/main/index.js'), ...(folder === undefined ? [] : [folder])], { stdio: 'inherit' }),
  );
  if (code !== 0 && performance.now() - begin < startTime) return 'Electron did not come up on this machine.';
  process.exitCode = code;
  return null;
}

/**
 * The exit code of a program. What ends this one ends it too: SIGTERM goes on to it; SIGINT comes from the terminal, which tells both, and
 * told twice the server would not end in order.
 */
function ended(child: ChildProcess): Promise<number> {
  const pass = () => void child.kill('SIGTERM');
  const leave = () => {};
  process.on('SIGTERM', pass);
  process.on('SIGINT', leave);
  return new Promise((done) => {
    const finish = (code: number) => {
      process.off('SIGTERM', pass);
      process.off('SIGINT', leave);
      done(code);
    };
    child.once('error', () => finish(1));
    child.once('exit', (code) => finish(code ?? 1));
  });
}
