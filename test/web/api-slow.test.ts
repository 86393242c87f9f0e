import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { LocalApi } from '#protocol/local-api';
import { createAnnouncer } from '#protocol/server';
import { createApi } from '#web/api';
import { createGate } from '#web/gate';
import { handlersWith } from '../helpers/handlers.ts';
import { nothingToAsk, openSite, type Site } from '../helpers/web.ts';

const served = { handlers: handlersWith({}), events: createAnnouncer(), close: async () => {} };
const id = '018f0000-0000-7000-8000-000000000001';

it('bodies that never come are answered, and keep nobody out', async () => {
  const asked: string[] = [];
  const workspace: Partial<LocalApi> = {
    whose: () => 'Docs bot',
    confirm: async (anchor) => {
      asked.push(anchor);
      return { confirmed: true } as never;
    },
  };
  const server = createServer((request, response) => void api(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const api = createApi({ gate: createGate(port), apiOf: () => workspace as LocalApi, now: Date.now, patience: 150 });
  const head = `POST /api/v1/anchors/${id}/confirm HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer abc\r\nContent-Type: application/json\r\n`;
  const send = async (bytes: string) => {
    const socket = connect(port, '127.0.0.1');
    socket.write(bytes);
    return text(socket);
  };
  const stalled = Array.from({ length: 8 }, () => send(`${head}Content-Length: 90\r\n\r\n{"hash_seen`));
  for (const answer of await Promise.all(stalled)) {
    expect(answer).toContain('408');
    expect(answer).toContain('request-too-slow');
    expect(answer.toLowerCase()).toContain('connection: close');
  }
  expect(asked).toEqual([]);
  const body = JSON.stringify({ hash_seen: 'f'.repeat(64) });
  const whole = await send(`${head}Connection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  expect(whole).toContain('200 OK');
  expect(asked).toEqual([id]);
});

/** Sends bytes to a site; what came back until the connection ended. */
async function sent(site: Site, bytes: string): Promise<string> {
  const socket = connect(Number(new URL(site.origin).port), '127.0.0.1');
  socket.write(bytes);
  return text(socket).catch(() => 'cut off');
}

describe('a connection', () => {
  it('whose head never comes ends, and keeps nobody out', async () => {
    const site = await openSite({}, { patience: 300 });
    const cookie = await site.enter();
    const stalled = ['', 'G', `GET / HTTP/1.1\r\nHost: ${site.host}\r\nX-Slow: `].flatMap((head) =>
      Array.from({ length: 180 }, () => sent(site, head)),
    );
    // Those beyond the limit are hung up on, which may be seen as a reset.
    for (const answer of await Promise.all(stalled)) expect(answer).toMatch(/^(?:HTTP\/1\.1 408|cut off$|$)/u);
    expect(await site.get('/', { cookie })).toMatchObject({ status: 200 });
  });

  it('that drips its head byte by byte ends too', async () => {
    const site = await openSite({}, { patience: 300 });
    const socket = connect(Number(new URL(site.origin).port), '127.0.0.1');
    socket.on('error', () => {});
    const drip = setInterval(() => socket.write('a'), 20);
    onTestFinished(() => clearInterval(drip));
    socket.write(`GET / HTTP/1.1\r\nHost: ${site.host}\r\nX-Slow: `);
    expect(await text(socket).catch(() => 'HTTP/1.1 408')).toContain('HTTP/1.1 408');
  });

  it('that sends what is no request, or too long a head, is told so', async () => {
    const site = await openSite();
    expect(await sent(site, 'GARBAGE\r\n\r\n')).toContain('HTTP/1.1 400');
    expect(await sent(site, `GET / HTTP/1.1\r\nHost: ${site.host}\r\nX-Long: ${'a'.repeat(100_000)}\r\n\r\n`)).toContain('HTTP/1.1 431');
  });

  it('that sends many requests at once has the first answered by the API, and no other begun', async () => {
    const asked: string[] = [];
    const remove = async (anchor: string) => {
      asked.push(anchor);
      return { removed: true } as never;
    };
    const site = await openSite({}, { open: async (root) => ({ ...served, root, api: { ...nothingToAsk, whose: () => 'Bot', remove } }) });
    const one = (last: string) =>
      `DELETE /api/v1/anchors/${id.slice(0, -1)}${last} HTTP/1.1\r\nHost: ${site.host}\r\nAuthorization: Bearer abc\r\n\r\n`;
    const answer = await sent(site, one('1') + one('2') + one('3'));
    expect(answer.match(/HTTP\/1\.1 \d+/gu)).toEqual(['HTTP/1.1 200']);
    expect(asked).toEqual([`${id.slice(0, -1)}1`]);
  });

  it('that asks for pages ahead gets them in order, and is cut off where it asks for too many', async () => {
    const site = await openSite();
    const cookie = await site.enter();
    const get = (path: string, how = 'keep-alive') =>
      `GET ${path} HTTP/1.1\r\nHost: ${site.host}\r\nCookie: ${cookie}\r\nConnection: ${how}\r\n\r\n`;
    const few = await sent(site, get('/assets/app.js') + get('/assets/part-Be7NAuSY.js') + get('/', 'close'));
    expect(few.match(/console\.log\(\d\)|the page/gu)).toEqual(['console.log(1)', 'console.log(2)', 'the page']);
    const many = await sent(site, get('/').repeat(5000));
    expect(many.match(/HTTP\/1\.1 200/gu)?.length ?? 0).toBeLessThan(5000);
    expect(await site.get('/', { cookie })).toMatchObject({ status: 200 });
  });

  it('of somebody who is not let in takes nothing from those who are', async () => {
    const site = await openSite();
    const cookie = await site.enter();
    const strangers = await Promise.all(Array.from({ length: 120 }, () => site.get('/api/v1/breakdown')));
    expect(new Set(strangers.map(({ status }) => status))).toEqual(new Set([401]));
    expect((await site.get('/api/v1/nothing', { cookie })).status).toBe(404);
  });
});
