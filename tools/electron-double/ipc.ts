import { EventEmitter } from 'node:events';
import { strict } from './registry.ts';

type Listener = (event: unknown, ...args: unknown[]) => unknown;

class IpcMain extends EventEmitter {
  readonly handlers = new Map<string, Listener>();
  handle(channel: string, listener: Listener): void {
    if (this.handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`);
    this.handlers.set(channel, listener);
  }
  removeHandler(channel: string): void {
    this.handlers.delete(channel);
  }
}

/** `ipcMain` (electron.d.ts, `interface IpcMain`). */
export const ipcMain = strict('ipcMain', new IpcMain());
