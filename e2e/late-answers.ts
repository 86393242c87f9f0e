// Loaded into a server by `launch.ts`: what it says over WebSockets comes late by the milliseconds of STEMMA_LATE, in its order.
import { Socket } from 'node:net';

const milliseconds = Number(process.env.STEMMA_LATE);
const upgraded = new WeakSet<Socket>();
const write = Socket.prototype.write as (this: Socket, ...args: unknown[]) => boolean;

Socket.prototype.write = function late(this: Socket, ...args: unknown[]): boolean {
  if (upgraded.has(this)) {
    setTimeout(() => write.apply(this, args), milliseconds);
    return true;
  }
  if (String(args[0]).startsWith('HTTP/1.1 101')) upgraded.add(this);
  return write.apply(this, args);
};
