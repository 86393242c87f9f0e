import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { electronProgram, waitFor } from './electron-app.ts';
import { temporaryHome } from './launch.ts';

it('npm start opens the browser shell, and says why, where Electron cannot be had', async (context) => {
  if (electronProgram() !== null) context.skip('the Electron runtime is here, so the app would open in it');
  const [folder, home] = [mkdtempSync(join(tmpdir(), 'stemma-book-')), temporaryHome()];
  // Nothing listens on the discard port: the place that the runtime comes from cannot be reached.
  const env = { ...process.env, STEMMA_HOME: home, ELECTRON_MIRROR: 'http://127.0.0.1:9/' };
  const program = spawn(process.execPath, [resolve('scripts/start.ts'), folder, '--no-open'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(program, 'exit') as Promise<[number | null]>;
  onTestFinished(async () => {
    program.kill('SIGKILL');
    await ended;
    for (const made of [folder, home]) rmSync(made, { recursive: true, force: true });
  });
  let text = '';
  program.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  await waitFor(() => /\{.*\}\n/u.test(text), 'the browser shell did not start');
  const [why, shell] = text.split('\n');
  expect(why).toMatch(/^Stemma opens in your browser: .+\.$/u);
  const { url } = JSON.parse(shell!) as { url: string };
  expect((await fetch(url, { redirect: 'manual' })).status).toBe(303);
  program.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});
