import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createFolder } from '../../helpers/workspace';

/** A name space of its own in which the system gives out so many watches and no more; elsewhere nothing changes. */
const limited = (watches: number, command: string) => [
  '-Ur',
  'sh',
  '-c',
  `echo ${watches} > /proc/sys/user/max_inotify_watches && ${command}`,
];
const isPossible = process.platform === 'linux' && spawnSync('unshare', limited(4, 'true')).status === 0;

const program = `
  const { follow } = await import('#core/watch/follow');
  const { chokidarWatch } = await import('#core/watch/chokidar-watcher');
  const { statWatch } = await import('#core/watch/stat-watcher');
  const say = (...words) => console.log(JSON.stringify(words));
  const following = { reconcile: async () => true, changed: (paths) => say('changed', ...paths), troubled: (reason) => say('troubled', reason) };
  await follow(process.env.ROOT, following, chokidarWatch, statWatch(30));
  setInterval(() => {}, 1000);
`;

function followIn(root: string, watches: number): { readonly child: ChildProcess; readonly said: string[][] } {
  const env = { ...process.env, ROOT: root, PROGRAM: program };
  const run = limited(watches, `exec "${process.execPath}" --input-type=module -e "$PROGRAM"`);
  const child = spawn('unshare', run, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const said: string[][] = [];
  createInterface(child.stdout).on('line', (line) => said.push(JSON.parse(line) as string[]));
  return { child, said };
}

it.skipIf(!isPossible)(
  'where the system has no more watches it is said, all is looked at, and a change in any folder is seen',
  async () => {
    const root = createFolder('many');
    for (let at = 0; at < 30; at++) {
      mkdirSync(join(root, `${at}`));
      writeFileSync(join(root, `${at}`, 'a.md'), 'one\n');
    }
    const { said } = followIn(root, 12);
    await vi.waitFor(() => expect(said).toContainEqual(['troubled', 'ENOSPC']), 20_000);
    await vi.waitFor(() => expect(said).toContainEqual(['changed']), 20_000);
    for (const at of [0, 15, 29]) writeFileSync(join(root, `${at}`, 'a.md'), 'one, and more\n');
    const heard = () => expect(said.flat()).toEqual(expect.arrayContaining(['0/a.md', '15/a.md', '29/a.md']));
    await vi.waitFor(heard, 20_000);
    expect(said.filter(([kind]) => kind === 'troubled')).toHaveLength(1);
  },
);
