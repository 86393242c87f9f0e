import type { Connection } from '#renderer/connection.ts';

/** What documents need of the connection to core. */
export type Wire = Pick<Connection, 'call' | 'on' | 'onState'>;
