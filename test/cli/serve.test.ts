import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { connect } from '#protocol/link';
import { portFromWebSocket } from '#protocol/port';
import { createPlace, type Place, program, stemmaIn } from '../helpers/cli.ts';

async function start(place: Place, ...args: string[]): Promise<{ child: ChildProcess; url: URL; lines: string[]; noise: string[] }> {
  const child = spawn(process.execPath, [program, 'serve', ...args], {
    cwd: place.folder,
    env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', STEMMA_HOME: place.home },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines: string[] = [];
  const noise: string[] = [];
  child.stderr.on('data', (data) => noise.push(String(data)));
  child.stdout.on('data', (data) => lines.push(String(data)));
  const ended = once(child, 'close').then(([code]) => Promise.reject(new Error(`it ended with ${code}: ${noise.join('')}`)));
  await Promise.race([once(child.stdout, 'data'), ended]);
  ended.catch(() => {});
  return { child, url: new URL(JSON.parse(lines.join('')).url), lines, noise };
}

async function enter(url: URL) {
  const entered = await fetch(url, { redirect: 'manual' });
  const cookie = entered.headers.get('set-cookie')!.split(';')[0]!;
  const socket = new WebSocket(`ws://${url.host}/socket`, { headers: { cookie }, origin: url.origin });
  await once(socket, 'open');
  return { cookie, socket, call: connect(portFromWebSocket(socket)).call };
}

describe('stemma serve', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('prints one line of JSON, serves the folder, and ends in order on %s', async (signal) => {
    const place = createPlace();
    writeFileSync(join(place.folder, 'a.md'), '# A\n');
    const { child, url, lines, noise } = await start(place, '--no-open');
    expect(JSON.parse(lines.join(''))).toEqual({ url: url.href, pid: child.pid });
    expect(lines.join('').trimEnd()).not.toContain('\n');
    const { call, socket } = await enter(url);
    expect(await call('document/open', { path: 'a.md' })).toMatchObject({ kind: 'text', text: '# A\n' });
    const closed = once(socket, 'close');
    child.kill(signal);
    expect(await once(child, 'exit')).toEqual([0, null]);
    await closed;
    expect(noise).toEqual([]);
  });

  it('serves a folder that is named, on a port that is named; it is taken while it does', async () => {
    const place = createPlace();
    const first = await start(place, place.folder, '--port', '0', '--no-open');
    const port = first.url.port;
    const taken = stemmaIn(place)('serve', '--port', port, '--no-open');
    expect([taken.code, taken.stdout]).toEqual([3, '']);
    expect(taken.stderr).toContain(port);
    first.child.kill('SIGTERM');
    await once(first.child, 'exit');
    const second = await start(place, '--port', port, '--no-open');
    expect(second.url.port).toBe(port);
  });

  it('goes on where there is no browser to open', async () => {
    const place = createPlace();
    const { url } = await start({ ...place }, '--json');
    const { call } = await enter(url);
    expect(await call('workspace/info', {})).toMatchObject({ root: place.folder });
  });

  it('makes nothing in a folder that is only looked at', async () => {
    const place = createPlace();
    const { url, child } = await start(place, '--no-open');
    const { call } = await enter(url);
    await call('workspace/files', {});
    await call('breakdown/refresh', {});
    child.kill('SIGTERM');
    await once(child, 'exit');
    expect(existsSync(join(place.folder, '.vmark'))).toBe(false);
    expect(existsSync(place.home)).toBe(false);
  });

  it('told to end while it saves leaves every file and its ledger whole', async () => {
    const place = createPlace();
    const stemma = stemmaIn(place);
    stemma('init');
    const { url, child } = await start(place, '--no-open');
    const { call } = await enter(url);
    const paths = Array.from({ length: 30 }, (_, index) => `${index}.md`);
    const saves = paths.map((path) => call('document/create', { path, text: `${path}\n`.repeat(1000) }));
    await saves[0];
    child.kill('SIGTERM');
    await Promise.allSettled(saves);
    expect(await once(child, 'exit')).toEqual([0, null]);
    const made = paths.filter((path) => existsSync(join(place.folder, path)));
    expect(made.length).toBeGreaterThan(0);
    for (const path of made) expect(readFileSync(join(place.folder, path), 'utf8')).toMatch(new RegExp(`\\n(${path}\\n){1000}$`, 'u'));
    expect(stemma.json('verify', 'verify')).toMatchObject({ ok: true, by_kind: { transformation: made.length } });
  });

  it.each(['x', '-1', '65536', '1e3', ' 80'])('refuses the port %j', (port) => {
    const { code, stderr } = stemmaIn(createPlace())('serve', `--port=${port}`, '--no-open');
    expect([code, stderr]).toEqual([2, expect.stringContaining('65535')]);
  });

  it('refuses a folder that is not there', () => {
    expect(stemmaIn(createPlace())('serve', 'nowhere', '--no-open')).toMatchObject({ code: 3, stderr: expect.stringContaining('nowhere') });
  });
});
