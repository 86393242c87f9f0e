import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { MessageChannel } from 'node:worker_threads';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { connect } from '#protocol/link';
import { createMemoryPorts, portFromMessagePort, portFromMessagePortMain, portFromWebSocket } from '#protocol/port';
import { createAnnouncer, serve } from '#protocol/server';
import { handlersWith } from '../helpers/handlers.ts';
import { describeLink, type Ends } from '../helpers/link.ts';

async function openSockets(): Promise<{ page: WebSocket; served: WebSocket }> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => {
    for (const socket of server.clients) socket.terminate();
    server.close();
  });
  await once(server, 'listening');
  const page = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const [[served]] = await Promise.all([once(server, 'connection'), once(page, 'open')]);
  return { page, served: served as WebSocket };
}

function openChannel(): MessageChannel {
  const channel = new MessageChannel();
  onTestFinished(() => channel.port1.close());
  return channel;
}

describeLink('memory', async () => {
  const [page, served] = createMemoryPorts();
  return { page, served };
});

describeLink('a WebSocket on loopback', async () => {
  const { page, served } = await openSockets();
  return { page: portFromWebSocket(page), served: portFromWebSocket(served) };
});

describeLink('a MessagePort between threads', async (): Promise<Ends> => {
  const { port1, port2 } = openChannel();
  return { page: portFromMessagePort(port1), served: portFromMessagePort(port2) };
});

/**
 * The shape of Electron's MessagePortMain over a port of Node: events that carry `data`, messages that wait for `start`, and an end that
 * is told to the other side alone.
 */
function mainPortOf(port: MessageChannel['port1']): Parameters<typeof portFromMessagePortMain>[0] {
  let isClosedHere = false;
  return {
    postMessage: (message) => port.postMessage(message),
    on(event: 'message' | 'close', listener: (event: { data: unknown }) => void) {
      if (event === 'message') port.addEventListener('message', listener as never);
      else port.on('close', () => isClosedHere || listener({ data: undefined }));
    },
    start: () => port.start(),
    close: () => {
      isClosedHere = true;
      port.close();
    },
  };
}

describeLink('a MessagePortMain, in its shape', async (): Promise<Ends> => {
  const { port1, port2 } = openChannel();
  return { page: portFromMessagePortMain(mainPortOf(port1)), served: portFromMessagePortMain(mainPortOf(port2)) };
});

describe('what cannot be carried', () => {
  it('from core is said as our mistake, and the next call is answered', async () => {
    const [page, served] = createMemoryPorts();
    const handlers = handlersWith({
      'settings/read': async () => ({ f: () => 1 }) as never,
      'workspace/files': async () => ({ files: [] }),
    });
    serve(served, { handlers, events: createAnnouncer() });
    const { call } = connect(page);
    await expect(call('settings/read', {})).rejects.toMatchObject({ code: 'bug' });
    expect(await call('workspace/files', {})).toEqual({ files: [] });
  });

  it('from the page fails there', async () => {
    const [page] = createMemoryPorts();
    await expect(connect(page).call('document/open', { path: (() => 1) as never })).rejects.toThrow('could not be cloned');
  });
});

describe('a socket', () => {
  it('answers text that is no JSON, and bytes, with a fault; the next call as ever', async () => {
    const { page, served } = await openSockets();
    serve(portFromWebSocket(served), { handlers: handlersWith({ 'settings/read': async () => ({}) }), events: createAnnouncer() });
    const heard: string[] = [];
    const third = new Promise<void>((resolve) => {
      page.on('message', (data) => {
        if (heard.push(String(data)) === 4) resolve();
      });
    });
    page.send('{"id":1,');
    page.send(Buffer.from([0xff, 0x00]));
    page.send('');
    page.send(JSON.stringify({ id: 4, call: 'settings/read', input: {} }));
    await third;
    const codes = heard.map((text) => JSON.parse(text).reply.code ?? 'ok');
    expect(codes.sort()).toEqual(['call-invalid', 'call-invalid', 'call-invalid', 'ok']);
  });
});
