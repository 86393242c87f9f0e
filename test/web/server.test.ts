import { once } from 'node:events';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { networkInterfaces } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WebSocket } from 'ws';
import { connect, type Link } from '#protocol/link';
import { portFromWebSocket } from '#protocol/port';
import { createAnnouncer } from '#protocol/server';
import { startWeb } from '#web/server';
import { handlersWith } from '../helpers/handlers.ts';
import { nothingToAsk, openSite, type Site } from '../helpers/web.ts';
import { createFolder } from '../helpers/workspace.ts';

const tokenOf = (site: Site) => new URL(site.url).searchParams.get('token')!;

async function enteredSite(...args: Parameters<typeof openSite>) {
  const site = await openSite(...args);
  const cookie = await site.enter();
  return { site, cookie, ours: { cookie, origin: site.origin } };
}

async function linkTo(site: Site, headers: { cookie: string; origin: string }, path?: string): Promise<{ link: Link; socket: WebSocket }> {
  const socket = (await site.socket(headers, path)) as WebSocket;
  return { link: connect(portFromWebSocket(socket)), socket };
}

describe('the way in', () => {
  it('is a token of 256 bits, exchanged once for a cookie that no script and no other site can use', async () => {
    const site = await openSite();
    expect(Buffer.from(tokenOf(site), 'base64url')).toHaveLength(32);
    const first = await site.get(`/?token=${tokenOf(site)}`);
    expect(first).toMatchObject({ status: 303, headers: { location: '/', 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' } });
    const [cookie] = first.headers['set-cookie']!;
    expect(cookie).toMatch(/^stemma-\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=\d+$/u);
    expect(cookie).not.toContain(tokenOf(site));
    const page = await site.get('/', { cookie: cookie!.split(';')[0]! });
    expect(page).toMatchObject({ status: 200, text: expect.stringContaining('the page') });
  });

  it('is shut for a token that was used, unless by the browser that is in', async () => {
    const { site, cookie } = await enteredSite();
    const again = await site.get(`/?token=${tokenOf(site)}`);
    expect(again.status).toBe(401);
    expect(again.headers['set-cookie']).toBeUndefined();
    const known = await site.get(`/?token=${tokenOf(site)}`, { cookie });
    expect(known).toMatchObject({ status: 303, headers: { location: '/' } });
  });

  it('leads on to the document that the address names, and to no other page', async () => {
    const site = await openSite();
    const sent = await site.get(`/?token=${tokenOf(site)}&open=${encodeURIComponent('a b&c=//x.md')}`);
    expect(sent.headers.location).toBe('/?open=a%20b%26c%3D%2F%2Fx.md');
  });

  it('is shut for any other token, and that costs the right one nothing', async () => {
    const site = await openSite();
    const token = tokenOf(site);
    for (const wrong of ['', 'x', token.slice(1), `${token}x`, token.toLowerCase(), '%00', `${token}&token=x`.replace(token, 'y')]) {
      const { status, headers } = await site.get(`/?token=${wrong}`);
      expect([status, headers['set-cookie']], wrong).toEqual([401, undefined]);
    }
    expect(await site.enter()).toMatch(/^stemma-/u);
  });

  it.each(['/', '/breakdown', '/assets/app.js', '/index.html', '/nothing'])(
    'shows nothing of %s to a browser that is not in',
    async (path) => {
      const site = await openSite();
      const wrong = `stemma-${site.host.split(':')[1]}=${'A'.repeat(43)}`;
      for (const headers of [{}, { cookie: wrong }, { cookie: 'stemma=x; other=y' }, { authorization: `Bearer ${tokenOf(site)}` }]) {
        const { status, text } = await site.get(path, headers);
        expect(status).toBe(401);
        expect(text).not.toContain('the page');
      }
    },
  );

  it('lets a browser load the page itself that followed a link from elsewhere, and then asks for its cookie', async () => {
    const site = await openSite();
    const elsewhere = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
    expect(await site.get('/', elsewhere)).toMatchObject({ status: 401, text: expect.stringContaining('content="0; url=/"') });
    expect((await site.get('/', { ...elsewhere, 'sec-fetch-site': 'same-origin' })).text).not.toContain('refresh');
    expect((await site.get('//evil.example/', elsewhere)).text).not.toContain('refresh');
  });
});

describe('every request', () => {
  it('is for this server by name, whatever else it brings', async () => {
    const { site, cookie } = await enteredSite();
    const port = site.host.split(':')[1];
    for (const host of ['evil.example', `evil.example:${port}`, `localhost:${port}`, '127.0.0.1', `127.0.0.1:${Number(port) + 1}`]) {
      expect((await site.get('/', { cookie, host })).status, host).toBe(403);
      expect((await site.get(`/?token=${tokenOf(site)}`, { host })).status, host).toBe(403);
      expect(await site.socket({ cookie, host, origin: site.origin }), host).toBe(403);
    }
  });

  it('comes from no other origin', async () => {
    const { site, cookie } = await enteredSite();
    const near = [
      'https://evil.example',
      'null',
      `http://localhost:${site.host.split(':')[1]}`,
      site.origin.replace('http', 'https'),
      `${site.origin}/`,
    ];
    for (const origin of near) {
      const { status, headers } = await site.get('/', { cookie, origin });
      expect([status, headers['access-control-allow-origin']], origin).toEqual([403, undefined]);
      expect(await site.socket({ cookie, origin }), origin).toBe(403);
    }
    expect((await site.get('/', { cookie, origin: site.origin })).status).toBe(200);
  });

  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE'])('only reads: %s is refused', async (method) => {
    const { site, cookie } = await enteredSite();
    const { status, headers } = await site.get('/', { cookie }, method);
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD']);
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  it('is answered with the policy of the page, also when it is refused', async () => {
    const { site, cookie } = await enteredSite();
    for (const path of ['/', '/nothing', '/assets/app.js']) {
      for (const headers of [{}, { cookie }, { host: 'evil.example' }]) {
        const answer = await site.get(path, headers);
        expect(answer.headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' });
        const policy = answer.headers['content-security-policy'] as string;
        expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'/u);
        expect(policy).toContain(`connect-src 'self' ws://${site.host}`);
        expect(policy).not.toMatch(/https:|\*|unsafe-eval/u);
      }
    }
  });

  it('finds one listener, on the loopback address', async () => {
    const site = await openSite();
    const others = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
    const addresses = others.filter(({ internal, family }) => !internal && family === 'IPv4').map(({ address }) => address);
    const reached = await Promise.all(['127.0.0.1', ...addresses].map((address) => canReach(address, Number(site.host.split(':')[1]))));
    expect(reached).toEqual([true, ...addresses.map(() => false)]);
  });
});

function canReach(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host, port, timeout: 2000 });
    const done = (reached: boolean) => () => {
      socket.destroy();
      resolve(reached);
    };
    socket.on('connect', done(true)).on('error', done(false)).on('timeout', done(false));
  });
}

describe('the built page', () => {
  it('is one, at both of its addresses; its parts have their types', async () => {
    const { site, cookie } = await enteredSite();
    for (const path of ['/', '/breakdown', '/index.html', '/?folder=%2Fx', '/breakdown?folder=%2Fx']) {
      expect(await site.get(path, { cookie }), path).toMatchObject({
        status: 200,
        headers: { 'content-type': 'text/html; charset=utf-8' },
      });
    }
    expect(await site.get('/assets/app.js', { cookie })).toMatchObject({
      text: 'console.log(1)',
      headers: { 'content-type': expect.stringContaining('javascript') },
    });
    expect(await site.get('/', { cookie }, 'HEAD')).toMatchObject({ status: 200, text: '' });
  });

  it('lets a browser keep what has the name of its content, and nothing else', async () => {
    const { site, cookie } = await enteredSite();
    const kept = async (path: string) => (await site.get(path, { cookie })).headers['cache-control'];
    expect(await kept('/assets/part-Be7NAuSY.js')).toBe('private, max-age=31536000, immutable');
    for (const path of ['/', '/assets/app.js', '/index.html', '/assets/gone-Be7NAuSY.js']) expect(await kept(path), path).toBe('no-store');
    expect((await site.get('/assets/part-Be7NAuSY.js', {})).status).toBe(401);
  });

  it('has no way out, however it is written', async () => {
    const { site, cookie } = await enteredSite();
    const outside = dirname(site.rendererFolder);
    writeFileSync(join(outside, 'secret.js'), 'secret');
    mkdirSync(join(outside, 'page-beside'));
    writeFileSync(join(outside, 'page-beside', 'secret.js'), 'secret');
    symlinkSync(join(outside, 'secret.js'), join(site.rendererFolder, 'link.js'));
    symlinkSync(join(outside, 'page-beside'), join(site.rendererFolder, 'way'));
    const up = ['..', '%2e%2e', '.%2e', '%2E.', '%252e%252e', '%c0%ae%c0%ae', '..;', '%2e%2e%2f', '..%5c', '..\\'];
    const paths = up.flatMap((step) => [
      `/${step}/secret.js`,
      `/assets/${step}/${step}/secret.js`,
      `/assets%2f${step}%2f${step}%2fsecret.js`,
      `/${step}/page-beside/secret.js`,
    ]);
    const others = [
      '/link.js',
      '/way/secret.js',
      '//secret.js',
      `//${outside}/secret.js`,
      '/assets/app.js%00.js',
      '/%00',
      '/assets%2fapp.js',
      '/assets\\app.js',
      '/C:/secret.js',
      '/%',
      '/assets/',
      '/assets',
      '*',
      `${site.origin}/../secret.js`,
    ];
    for (const path of [...paths, ...others]) {
      const { status, text } = await site.get(path, { cookie });
      expect([status, text.includes('secret')], path).toEqual([404, false]);
    }
  });

  it('gives out no file that is none of its own, whatever is asked for', async () => {
    const { site, cookie } = await enteredSite();
    writeFileSync(join(dirname(site.rendererFolder), 'secret.js'), 'secret');
    const segment = fc.constantFrom('..', '.', '', 'assets', 'app.js', 'secret.js', '%2e%2e', '%2f', '%5c', '%00', '\\', '%252e', 'page');
    await fc.assert(
      fc.asyncProperty(fc.array(segment, { maxLength: 6 }), fc.constantFrom('/', '%2f', '\\'), async (segments, separator) => {
        const { status, text } = await site.get(`/${segments.join(separator)}`, { cookie });
        expect([200, 404]).toContain(status);
        expect(text).not.toContain('secret');
      }),
      { numRuns: 200 },
    );
  });
});

describe('a socket', () => {
  it('needs the cookie, the origin and the path', async () => {
    const { site, cookie, ours } = await enteredSite();
    expect(await site.socket({ origin: site.origin })).toBe(403);
    expect(await site.socket({ cookie })).toBe(403);
    expect(await site.socket({ origin: site.origin, cookie: `${cookie}x` })).toBe(403);
    expect(await site.socket({ origin: site.origin }, `/socket?token=${tokenOf(site)}`)).toBe(403);
    expect(await site.socket(ours, '/')).toBe(403);
    expect(await site.socket(ours, '/socket/more')).toBe(403);
    expect(await site.socket(ours)).toBeTypeOf('object');
  });

  it('shows the first folder, another one once it was opened, and none that was not', async () => {
    const { site, ours } = await enteredSite({ 'settings/read': async () => ({}) });
    const { link } = await linkTo(site, ours);
    expect(await link.call('settings/read', {})).toEqual({});
    expect(await site.socket(ours, '/socket?folder=%2Fother')).toBe(403);
    expect(await link.shell('shell/open-folder', { path: '/other' })).toEqual({ root: '/other' });
    expect(await link.shell('shell/open-folder', { path: '/other' })).toEqual({ root: '/other' });
    expect(await site.socket(ours, '/socket?folder=%2Fother')).toBeTypeOf('object');
    expect(site.opened).toEqual(['/first', '/other']);
  });

  it('lists folders for choosing one, and nothing else of them', async () => {
    const { site, ours } = await enteredSite();
    const { link } = await linkTo(site, ours);
    const folder = createFolder('choose');
    for (const name of ['b', 'a', '.hidden', 'node_modules', 'a/.vmark']) mkdirSync(join(folder, name));
    writeFileSync(join(folder, 'file.md'), '');
    symlinkSync('a', join(folder, 'link'));
    symlinkSync('nowhere', join(folder, 'dead'));
    expect(await link.shell('shell/folders', { path: folder })).toEqual({
      path: folder,
      parent: dirname(folder),
      folders: ['a', 'b', 'link'],
      isWorkspace: false,
    });
    expect(await link.shell('shell/folders', { path: join(folder, 'a') })).toMatchObject({ isWorkspace: true });
    expect(await link.shell('shell/folders', { path: '/' })).toMatchObject({ path: '/', parent: null });
    expect(await link.shell('shell/folders', { path: null })).toMatchObject({ isWorkspace: expect.any(Boolean) });
    await expect(link.shell('shell/folders', { path: 'relative' })).rejects.toMatchObject({ code: 'path-invalid' });
    await expect(link.shell('shell/folders', { path: join(folder, 'gone') })).rejects.toMatchObject({ code: 'folder-missing' });
    await expect(link.shell('shell/folders', { path: join(folder, 'file.md') })).rejects.toMatchObject({ code: 'not-a-folder' });
  });

  it('that sends too much is closed, and every other one goes on', async () => {
    const { site, ours } = await enteredSite({ 'settings/read': async () => ({}) }, { messageLimit: 10_000 });
    const [large, small] = [await linkTo(site, ours), await linkTo(site, ours)];
    const closed = once(large.socket, 'close');
    const call = large.link.call('document/open', { path: 'x'.repeat(20_000) });
    await expect(call).rejects.toMatchObject({ code: 'core-restarted' });
    expect((await closed)[0]).toBe(1009);
    expect(await small.link.call('settings/read', {})).toEqual({});
  });

  it('that breaks the protocol takes nothing else with it', async () => {
    const { site, ours } = await enteredSite({ 'settings/read': async () => ({}) });
    const broken = await linkTo(site, ours);
    const raw = (broken.socket as unknown as { _socket: NodeJS.WritableStream })._socket;
    const closed = once(broken.socket, 'close');
    raw.write(Buffer.from([0xff, 0xff, 0xff, 0xff]));
    await closed;
    const { link } = await linkTo(site, ours);
    expect(await link.call('settings/read', {})).toEqual({});
  });

  it('carries 1,000 calls at once', async () => {
    const { site, ours } = await enteredSite({ 'settings/write': async ({ key, value }) => (value === null ? {} : { [key]: value }) });
    const { link } = await linkTo(site, ours);
    const calls = Array.from({ length: 1000 }, (_, value) => link.call('settings/write', { key: 'k', value }));
    expect(await Promise.all(calls)).toEqual(calls.map((_, value) => ({ k: value })));
  });
});

describe('the end', () => {
  it('closes every socket and workspace, and the port is free', async () => {
    const { site, ours } = await enteredSite();
    const { socket } = await linkTo(site, ours);
    const closed = once(socket, 'close');
    await site.close();
    await closed;
    expect(site.opened).toEqual([]);
    expect(await canReach('127.0.0.1', Number(site.host.split(':')[1]))).toBe(false);
  });

  it('of a start on a port that is taken is a fault, and the workspace is closed', async () => {
    const site = await openSite();
    let isOpen = false;
    const open = async (root: string) => {
      isOpen = true;
      const close = async () => {
        isOpen = false;
      };
      return { root, handlers: handlersWith({}), events: createAnnouncer(), api: nothingToAsk, close };
    };
    const port = Number(site.host.split(':')[1]);
    await expect(startWeb({ folder: '/x', port, rendererFolder: site.rendererFolder, open })).rejects.toMatchObject({ code: 'port-taken' });
    expect(isOpen).toBe(false);
  });
});
