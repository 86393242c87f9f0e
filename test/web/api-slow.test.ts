import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import type { LocalApi } from '#protocol/local-api';
import { createApi } from '#web/api';
import { createGate } from '#web/gate';

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
