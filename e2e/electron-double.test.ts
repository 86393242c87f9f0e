import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { doubleElectron, type RunningElectron } from './electron-app.ts';

const page = `protocol.registerSchemesAsPrivileged([{ scheme: 'app', privileges: { standard: true, secure: true } }]);
const open = (preload) => {
  protocol.handle('app', () => new Response('<title>plain</title>', { headers: { 'content-type': 'text/html' } }));
  const window = new BrowserWindow({ webPreferences: { preload } });
  void window.loadURL('app://stemma/');
  return window;
};`;

describe('the double of Electron', () => {
  let folder: string;
  let app: RunningElectron | undefined;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'stemma-double-'));
    app = undefined;
  });
  afterEach(async () => {
    await app?.dispose();
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  });
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  /** Runs a main program of a few lines. */
  const run = async (text: string) => {
    const imports = `import { app, BrowserWindow, MessageChannelMain, protocol, utilityProcess } from 'electron';
app.setPath('userData', ${JSON.stringify(join(folder, 'data'))});`;
    app = await doubleElectron.launch(folder, { home: folder, entry: file('main.mjs', `${imports}\n${text}`) });
    return app;
  };

  it('ends with a sentence when the entry awaits whenReady at its top level, which in Electron never comes', async () => {
    await expect(run('await app.whenReady();')).rejects.toThrow('awaiting app.whenReady() at its top level');
  });

  it('says what it does not model, and makes no window that could reach Node', async () => {
    const { evaluate } = await run('');
    const messageOf = (work: string) =>
      evaluate(new Function('electron', `try { ${work} } catch (error) { return error.message }`) as never);
    expect(await messageOf('electron.app.dock')).toBe('electron-double: app.dock is not modelled');
    expect(await messageOf('electron.Menu.buildFromTemplate([]).popup()')).toBe('electron-double: Menu.popup is not modelled');
    for (const wish of ['sandbox: false', 'contextIsolation: false', 'nodeIntegration: true', 'webSecurity: false']) {
      expect(await messageOf(`new electron.BrowserWindow({ webPreferences: { ${wish} } })`), wish).toContain('only sandboxed');
    }
  });

  it('grants every permission to an app that sets no handlers, as Electron does', async () => {
    await run(`${page} app.whenReady().then(() => open());`);
    const shown = await app!.window('/');
    const state = (name: string) =>
      shown.evaluate(async (wanted) => (await navigator.permissions.query({ name: wanted as 'midi' })).state, name);
    expect([await state('geolocation'), await state('camera')]).toEqual(['granted', 'granted']);
  });

  it('carries plain data, shared and cyclic references between main, a utility process and a page', async () => {
    const child = file(
      'child.mjs',
      `process.parentPort.on('message', ({ data, ports: [port] }) => {
        port.on('message', ({ data }) => port.postMessage({ echoed: data }));
        port.start();
        process.parentPort.postMessage({ started: data, hasSend: process.send !== undefined, type: process.type });
      });`,
    );
    const preload = file(
      'preload.cjs',
      `require('electron').ipcRenderer.on('port', ({ ports }, given) => window.postMessage({ given }, location.origin, ports));`,
    );
    await run(`${page}
      app.whenReady().then(() => {
        const window = open(${JSON.stringify(preload)});
        const child = utilityProcess.fork(${JSON.stringify(child)});
        child.on('message', (data) => { globalThis.said = data; });
        window.webContents.on('did-finish-load', () => {
          const { port1, port2 } = new MessageChannelMain();
          child.postMessage({ a: new Map([[1, 2n]]) }, [port1]);
          globalThis.neutered = (() => { try { child.postMessage(0, [port1]); } catch (error) { return error.message; } })();
          window.webContents.postMessage('port', { date: new Date(5) }, [port2]);
        });
      });`);
    const shown = await app!.window('/');
    await shown.evaluate(() => {
      Object.assign(window, { got: new Promise((resolve) => window.addEventListener('message', resolve, { once: true })) });
    });
    await app!.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.webContents.emit('did-finish-load'));
    const seen = await shown.evaluate(async () => {
      const { data, ports } = await (window as unknown as { got: Promise<MessageEvent> }).got;
      const port = ports[0]!;
      const shared = { name: 'shared' };
      const message: Record<string, unknown> = { list: [shared, shared], bytes: new Uint8Array([1, 2]), nothing: undefined };
      message.self = message;
      const answer = new Promise<MessageEvent>((resolve) => {
        port.onmessage = resolve;
      });
      port.postMessage(message);
      const { echoed } = (await answer).data;
      return {
        date: data.given.date.getTime(),
        isShared: echoed.list[0] === echoed.list[1],
        isCyclic: echoed.self === echoed,
        bytes: [...echoed.bytes],
        hasNothing: 'nothing' in echoed,
      };
    });
    expect(seen).toEqual({ date: 5, isShared: true, isCyclic: true, bytes: [1, 2], hasNothing: true });
    type Heard = { said: { started: { a: Map<number, bigint> }; hasSend: boolean; type: string }; neutered: string };
    const heard = await app!.evaluate(() => {
      const { said, neutered } = globalThis as unknown as Heard;
      return { map: [...said.started.a].join(), hasSend: said.hasSend, type: said.type, neutered };
    });
    expect(heard).toEqual({ map: '1,2', hasSend: false, type: 'utility', neutered: 'Port at index 0 is already neutered' });
  });

  it('closes the ports of a utility process that is killed, and tells its end', async () => {
    const child = file(
      'child.mjs',
      `process.parentPort.on('message', ({ ports: [port] }) => { port.start(); port.postMessage('hello'); });`,
    );
    await run(`app.whenReady().then(() => {
      const log = (globalThis.log = []);
      const child = utilityProcess.fork(${JSON.stringify(child)});
      const { port1, port2 } = new MessageChannelMain();
      child.postMessage(null, [port1]);
      child.on('exit', (code) => log.push('exit ' + code));
      port2.on('close', () => log.push('close'));
      port2.on('message', ({ data }) => { log.push(data); process.kill(child.pid, 'SIGKILL'); });
      setTimeout(() => port2.start(), 50);
    });`);
    const log = () => app!.evaluate(() => (globalThis as unknown as { log: string[] }).log.toSorted());
    await expect.poll(log).toEqual(['close', 'exit 9', 'hello']);
  });
});
