import type { World } from '#renderer/breakdown/listing.ts';
import type { Connection } from '#renderer/connection.ts';

/** The world of a page: its connection, the clock of the machine, and new ids. */
export function worldOf(connection: Connection): World {
  return {
    call: connection.call,
    now: Date.now,
    newId: () => crypto.randomUUID(),
    reconnected: () => reconnected(connection),
  };
}

function reconnected(connection: Connection): Promise<void> {
  if (connection.state() === 'connected') return Promise.resolve();
  return new Promise((resolve) => {
    const stop = connection.onState((state) => {
      if (state !== 'connected') return;
      stop();
      resolve();
    });
  });
}
