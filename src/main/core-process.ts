import type { MessagePortMain } from 'electron';
import { openCore } from '#core';
import { createHost, type Host } from '#core/handlers/host';
import { withSocket } from '#core/handlers/socket';
import { portFromMessagePortMain } from '#protocol/port';
import { failedReply, toReply } from '#protocol/reply';
import { serve } from '#protocol/server';
import type { FromCore, ToCore } from './core-message.ts';
import { createSecretLink } from './core-secret.ts';
import { createFallback } from './fallback.ts';

// Run by `utilityProcess.fork` (core-host.ts) with the folder as its last argument; core lives here, away from windows and menus.
const folder = process.argv.at(-1)!;
const parent = process.parentPort;
const say = (message: FromCore) => parent.postMessage(message);

const secrets = createSecretLink(say);
const opening: Promise<Host> = openCore({ folder, secrets: secrets.store }).then((core) => withSocket(createHost(core)));
const fallback = opening.then(createFallback);

opening.then(
  ({ root }) => say({ kind: 'opened', root }),
  (error: unknown) => {
    say({ kind: 'failed', reply: failedReply(error) });
    process.exit(1);
  },
);
fallback.catch(() => {
  // Said above.
});

parent.on('message', ({ data, ports }) => void hear(data as ToCore, ports));

async function hear(message: ToCore, ports: readonly MessagePortMain[]): Promise<void> {
  if (message.kind === 'close') return close();
  if (message.kind === 'secret') return secrets.hear(message.id, message.reply);
  if (message.kind === 'fallback') {
    const reply = await toReply(async () => (await fallback).address());
    return say({ kind: 'fallback', id: message.id, reply });
  }
  // What the page has asked meanwhile waits in the port until it is served.
  const [port] = ports;
  if (port !== undefined) serve(portFromMessagePortMain(port), await opening);
}

async function close(): Promise<void> {
  try {
    await (await fallback).close();
    await (await opening).close();
  } finally {
    process.exit(0);
  }
}
