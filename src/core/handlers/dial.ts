import { once } from 'node:events';
import { connect as connectSocket } from 'node:net';
import { readToken, socketPlace, wireVersion } from '#core/handlers/socket-place';
import { type Environment, homeFolder } from '#core/home';
import { realDisk } from '#core/storage/disk';
import { findRoot } from '#core/workspace/place';
import { connect, type Link, socketPath } from '#protocol/link';
import { portFromWebSocket } from '#protocol/port';

/** How long a core may take to take the connection, in ms. */
const patience = 2000;
/** The longest answer that is taken, in bytes. */
const longestMessage = 200 * 1024 * 1024;

/** A link to the running core of this installation that serves a folder's workspace; null where none answers. */
export async function dialCore(folder: string, env: Environment = process.env): Promise<Link | null> {
  const place = socketPlace(homeFolder(env), findRoot(realDisk, folder));
  const kept = readToken(realDisk, place);
  if (kept === null || kept.wire !== wireVersion) return null;
  const { WebSocket } = await import('ws');
  const socket = new WebSocket(`ws://localhost${socketPath}`, {
    // The time-out of a handshake is that of its connection.
    createConnection: () => connectSocket({ path: kept.address, timeout: patience }),
    headers: { authorization: `Bearer ${kept.token}` },
    handshakeTimeout: patience,
    maxPayload: longestMessage,
    perMessageDeflate: false,
  });
  try {
    await once(socket, 'open');
  } catch {
    socket.on('error', () => {});
    socket.terminate();
    return null;
  }
  return connect(portFromWebSocket(socket));
}
