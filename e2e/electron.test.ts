import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DesktopBridge } from '#protocol/desktop';
import { type Electron, type RunningElectron, runtimes, waitFor } from './electron-app.ts';
import { type LaunchOptions, temporaryHome } from './launch.ts';
import { corePids, isAlive, probe, waitForEnd } from './probe.ts';

type Shown = Window & { stemma: DesktopBridge; heard: string[]; injected?: number };
declare const window: Shown;

describe.each(runtimes)('the app in $name', ({ reason, launch }) => {
  let folder: string;
  let home: string;
  let app: RunningElectron;
  beforeEach((context) => {
    if (reason !== null) context.skip(reason);
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'stemma-book-')));
    home = temporaryHome();
    writeFileSync(join(folder, 'one.md'), '# One\n');
  });
  afterEach(async () => {
    await app?.dispose();
    for (const made of [folder, home]) if (made) rmSync(made, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  });
  const start = async (options: LaunchOptions = {}) => {
    app = await launch(folder, { home, ...options });
    const page = await app.window('/');
    await expect.poll(() => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.isVisible())).toBe(true);
    await isShown(page);
    return page;
  };
  /** The page has heard of the files, and listens. */
  const isShown = (page: Page) => page.getByRole('row', { name: 'one.md' }).waitFor();
  const choose = (id: string) => app.evaluate(({ Menu }, wanted) => Menu.getApplicationMenu()!.getMenuItemById(wanted)!.click(), id);
  const canChoose = (id: string) =>
    expect.poll(() => app.evaluate(({ Menu }, wanted) => Menu.getApplicationMenu()!.getMenuItemById(wanted)!.enabled, id)).toBe(true);
  const titles = () => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().map((one) => one.getTitle()));

  const focusedTitle = () => app.evaluate(({ BrowserWindow }) => BrowserWindow.getFocusedWindow()?.getTitle());

  it('opens a folder in a window and ends when it is quit, core too', async () => {
    await start();
    await expect.poll(titles).toEqual([expect.stringContaining(basename(folder))]);
    const [core] = await waitForCores(1);
    expect(await app.quit()).toBe(0);
    await waitForEnd(core!);
  });

  it('gives the page its bridge and nothing of Node or Electron', async () => {
    const page = await start();
    const seen = await page.evaluate(() => ({
      bridge: Object.keys(window.stemma).sort(),
      isFrozen: Object.isFrozen(window.stemma),
      others: ['require', 'process', 'module', 'Buffer', 'global', 'ipcRenderer', 'electron'].filter((name) => name in window),
      isSecure: isSecureContext,
      id: window.stemma.windowId,
    }));
    const bridge = [
      'droppedPaths',
      'fallback',
      'onClosing',
      'onCommand',
      'onOpen',
      'openFolder',
      'openLink',
      'openPath',
      'platform',
      'report',
      'saveExport',
      'shellCommand',
      'windowId',
    ];
    expect(seen).toEqual({ bridge, isFrozen: true, others: [], isSecure: true, id: 1 });
  });

  it('lets the page ask core, which runs in a process of its own', async () => {
    const page = await start();
    const { ask } = await probe(app, page);
    expect(await ask('workspace/info', {})).toMatchObject({ root: folder });
    expect(await ask('document/open', { path: 'one.md' })).toMatchObject({ kind: 'text', text: '# One\n' });
    await expect(ask('document/open', { path: '../secret.md' })).rejects.toMatchObject({ code: 'outside-workspace' });
    const [core] = await waitForCores(1);
    expect(core).not.toBe(app.pid);
  });

  it('opens the breakdown by Window → Coherence breakdown, in one window of its own', async () => {
    await start();
    await choose('window.coherence-breakdown');
    const breakdown = await app.window('/breakdown');
    const { ask } = await probe(app, breakdown);
    expect(await ask('breakdown/refresh', {})).toMatchObject({ rows: 0 });
    await choose('window.coherence-breakdown');
    expect(app.windows()).toHaveLength(2);
    expect(await corePids(app)).toHaveLength(1);
    await breakdown.evaluate(() => window.stemma.shellCommand('window.coherence-breakdown'));
    await app.evaluate(({ BrowserWindow }) => BrowserWindow.getFocusedWindow()!.close());
    await waitFor(() => app.windows().length === 1, 'the breakdown did not close');
    await expect.poll(titles).toEqual([expect.stringContaining(basename(folder))]);
  });

  it('tells the window in front, and only it, which command was chosen', async () => {
    const editor = await start();
    await choose('window.coherence-breakdown');
    const breakdown = await app.window('/breakdown');
    for (const page of [editor, breakdown]) {
      await page.evaluate(() => {
        window.heard = [];
        window.stemma.onCommand((id) => window.heard.push(id));
      });
    }
    await front('/breakdown');
    await choose('go.command-palette');
    await expect.poll(() => breakdown.evaluate(() => window.heard)).toEqual(['go.command-palette']);
    await front('/');
    await choose('app.settings');
    await expect.poll(() => editor.evaluate(() => window.heard)).toEqual(['app.settings']);
    expect(await breakdown.evaluate(() => window.heard)).toEqual(['go.command-palette']);
  });

  it('speaks the language of the system, greys what the window cannot do, and has its title', async () => {
    const page = await start({ env: { LANGUAGE: 'es' } });
    const items = () =>
      app.evaluate(({ Menu }) =>
        ['file.save', 'app.settings', 'role.copy'].map((id) => {
          const { label, enabled } = Menu.getApplicationMenu()!.getMenuItemById(id)!;
          return [label, enabled];
        }),
      );
    const expected = (canSave: boolean) => [
      ['Guardar', canSave],
      ['Ajustes…', true],
      ['Copiar', true],
    ];
    await expect.poll(items).toEqual(expected(false));
    await page.getByRole('row', { name: 'one.md' }).click();
    await expect.poll(items).toEqual(expected(true));
    await expect.poll(titles).toEqual([`one.md — ${basename(folder)}`]);
  });

  it('does what the Edit menu says in the document that has the focus', async () => {
    const page = await start();
    await page.getByRole('row', { name: 'one.md' }).click();
    const editor = page.locator('.cm-content');
    await editor.click();
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.type('typed');
    await expect.poll(() => editor.textContent()).toContain('typed');
    await canChoose('edit.undo');
    await choose('edit.undo');
    await expect.poll(() => editor.textContent()).not.toContain('typed');
    await choose('edit.redo');
    await expect.poll(() => editor.textContent()).toContain('typed');
    await choose('role.selectAll');
    await choose('role.cut');
    await expect.poll(async () => (await editor.textContent())!.trim()).toBe('');
    await choose('role.paste');
    await expect.poll(() => editor.textContent()).toContain('typed');
    const filter = page.getByRole('searchbox').or(page.getByPlaceholder('Filter files')).first();
    await filter.fill('');
    await filter.pressSequentially('o');
    await choose('edit.undo');
    await expect.poll(() => filter.inputValue()).toBe('');
    expect(await editor.textContent()).toContain('typed');
    await choose('file.save');
    await expect.poll(() => readFileSync(join(folder, 'one.md'), 'utf8')).toBe('# One\ntyped');
  });

  it('opens the folder of a second start in the first', async () => {
    await start();
    const other = realpathSync(mkdtempSync(join(tmpdir(), 'stemma-other-')));
    try {
      expect(await app.startAgain(other)).toBe(0);
      await waitFor(() => app.windows().length === 2, 'the other folder did not open');
      await expect
        .poll(async () => (await titles()).sort())
        .toEqual([basename(folder), basename(other)].sort().map((name) => expect.stringContaining(name)));
      expect(await app.startAgain(folder)).toBe(0);
      await expect.poll(focusedTitle).toContain(basename(folder));
      expect(app.windows()).toHaveLength(2);
      expect(await app.quit()).toBe(0);
    } finally {
      rmSync(other, { recursive: true, force: true });
    }
  });

  it('opens a folder anew that is asked for while its window, or its core, is closing', async () => {
    await start();
    const closeAndAsk = ({ app: program, BrowserWindow }: Electron, given: { when: 'at once' | 'closed'; folder: string }) => {
      const [window] = BrowserWindow.getAllWindows();
      const ask = () => program.emit('second-instance', {} as never, [], '', { folder: given.folder });
      if (given.when === 'closed') window!.once('closed', ask);
      window!.close();
      if (given.when === 'at once') ask();
    };
    for (const [index, when] of (['at once', 'closed'] as const).entries()) {
      await app.evaluate(closeAndAsk, { when, folder });
      const id = async () => (await app.window('/')).evaluate(() => window.stemma.windowId);
      await expect.poll(() => id().catch(() => 0), { timeout: 20_000 }).toBe(index + 2);
      await isShown(await app.window('/'));
      await waitForCores(1);
    }
    expect(await app.quit()).toBe(0);
  });

  it('says so when a folder is not there, and opens nothing', async () => {
    await start();
    await app.evaluate(({ dialog }) => {
      dialog.showMessageBox = async (...given: unknown[]) => {
        (globalThis as { said?: unknown }).said = given.at(-1);
        return { response: 0, checkboxChecked: false };
      };
    });
    const missing = join(folder, 'nowhere');
    expect(await app.startAgain(missing)).toBe(0);
    const said = () => app.evaluate(() => (globalThis as { said?: unknown }).said);
    await expect.poll(said).toMatchObject({ message: `${missing} could not be opened.`, detail: expect.stringContaining('nowhere') });
    expect(app.windows()).toHaveLength(1);
  });

  it('asks for a folder by its own dialog', async () => {
    const page = await start();
    const other = join(folder, 'part');
    mkdirSync(join(other, '.vmark'), { recursive: true });
    await app.evaluate(({ dialog }, path) => {
      dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [path] });
    }, other);
    await page.evaluate(() => window.stemma.openFolder());
    await waitFor(() => app.windows().length === 2, 'the chosen folder did not open');
    await expect.poll(titles).toContainEqual(expect.stringContaining('part'));
  });

  it('stays where it is: no navigation, no popup, no permission', async () => {
    const page = await start();
    const before = page.url();
    await page.evaluate(() => {
      location.href = 'https://example.org/';
    });
    await page.evaluate(() => {
      const link = Object.assign(document.createElement('a'), { href: 'https://example.org/', target: '_top' });
      document.body.append(link);
      link.click();
    });
    await page.evaluate(() => void window.open('https://example.org/popup'));
    const permissions = await page.evaluate(async () => {
      const states = ['geolocation', 'notifications', 'camera', 'microphone', 'midi'].map(async (name) => {
        const { state } = await navigator.permissions.query({ name: name as PermissionName });
        return [name, state];
      });
      return Object.fromEntries(await Promise.all(states));
    });
    expect(permissions).toEqual({ geolocation: 'denied', notifications: 'denied', camera: 'denied', microphone: 'denied', midi: 'denied' });
    expect(await page.evaluate(() => Notification.requestPermission())).toBe('denied');
    expect(page.url()).toBe(before);
    await expect.poll(() => page.context().pages().length).toBe(1);
    expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
  });

  it('runs no script that is not its own, and fetches nothing from outside', async () => {
    const page = await start();
    const tried = await page.evaluate(async () => {
      const blocked: string[] = [];
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => blocked.push(effectiveDirective));
      const script = Object.assign(document.createElement('script'), { textContent: 'window.injected = 1' });
      document.head.append(script);
      const fetched = await fetch('https://example.org/x').then(
        () => 'fetched',
        () => 'refused',
      );
      const image = new Image();
      const shown = new Promise((done) => Object.assign(image, { onload: () => done('shown'), onerror: () => done('refused') }));
      image.src = 'https://example.org/x.png';
      return { injected: typeof window.injected, fetched, shown: await shown, blocked: [...new Set(blocked)].sort() };
    });
    expect(tried).toEqual({
      injected: 'undefined',
      fetched: 'refused',
      shown: 'refused',
      blocked: ['connect-src', 'img-src', 'script-src-elem'],
    });
    const outside = await page.evaluate(async () => (await fetch('/%2e%2e%2fmain%2findex.js')).status);
    expect(outside).toBe(404);
  });

  it('opens links outside only when they are for the web or mail', async () => {
    const page = await start();
    await app.evaluate(({ shell }) => {
      const opened: string[] = [];
      Object.assign(globalThis, { opened });
      shell.openExternal = async (url) => void opened.push(url);
    });
    const addresses = [
      'https://example.org/a',
      'http://example.org/',
      'mailto:ada@example.org',
      'file:///etc/passwd',
      'javascript:1',
      'smb://x',
    ];
    const answers = await page.evaluate((all) => Promise.all(all.map((url) => window.stemma.openLink(url))), addresses);
    expect(answers).toEqual([true, true, true, false, false, false]);
    expect(await app.evaluate(() => (globalThis as { opened?: string[] }).opened)).toEqual(addresses.slice(0, 3));
  });

  it('keeps its windows when core is killed, and asks the next one', async () => {
    const page = await start();
    const { ask, ports, nextPort } = await probe(app, page);
    await page.evaluate(() => {
      window.heard = ['unsaved'];
    });
    const [core] = await waitForCores(1);
    const before = await ports();
    process.kill(core!, 'SIGKILL');
    await waitForEnd(core!);
    await nextPort(before);
    expect(await ask('document/open', { path: 'one.md' })).toMatchObject({ kind: 'text', text: '# One\n' });
    expect(await page.evaluate(() => window.heard)).toEqual(['unsaved']);
    expect(await waitForCores(1)).not.toEqual([core]);
  });

  it('says so when core keeps dying, and starts it once more when it is told to', async () => {
    const page = await start();
    const { ask, ports, nextPort } = await probe(app, page);
    await app.evaluate(({ dialog }) => {
      dialog.showMessageBox = async (...given: unknown[]) => {
        (globalThis as { said?: unknown }).said = given.at(-1);
        return { response: 0, checkboxChecked: false };
      };
    });
    let before = 0;
    for (let death = 0; death < 5; death++) {
      before = await ports();
      const [core] = await waitForCores(1);
      process.kill(core!, 'SIGKILL');
      await waitForEnd(core!);
      if (death < 4) await nextPort(before);
    }
    const said = () => app.evaluate(() => (globalThis as { said?: unknown }).said);
    await expect.poll(said).toMatchObject({ buttons: ['Start again', 'Not now'] });
    await nextPort(before);
    expect(await ask('workspace/info', {})).toMatchObject({ root: folder });
  });

  it('has a carrier on the loopback address for a page to which no port came', async () => {
    const page = await start();
    const { url, token } = await page.evaluate(() => window.stemma.fallback());
    const reply = await page.evaluate((address) => {
      const socket = new WebSocket(address);
      return new Promise<unknown>((resolve) => {
        socket.addEventListener('open', () => socket.send(JSON.stringify({ id: 1, call: 'workspace/info', input: {} })));
        socket.addEventListener('message', ({ data }) => resolve(JSON.parse(data)));
        socket.addEventListener('close', () => resolve('closed'));
      });
    }, `${url}?token=${token}`);
    expect(reply).toMatchObject({ id: 1, reply: { ok: true, value: { root: folder } } });
    // Another program of this machine, even with the token, is not our page.
    const foreign = await new Promise((resolve) => {
      const socket = new WebSocket(`${url}?token=${token}`);
      socket.addEventListener('open', () => resolve('open'));
      socket.addEventListener('error', () => resolve('refused'));
    });
    expect(foreign).toBe('refused');
  });

  it('waits for the page before its window closes', async () => {
    const page = await start();
    const { ask } = await probe(app, page);
    expect(await ask('workspace/info', {})).toMatchObject({ root: folder });
    await isShown(page);
    await page.evaluate(() => {
      const port = (window as unknown as { stemmaPorts: MessagePort[] }).stemmaPorts.at(-1)!;
      const save = { path: 'last.md', text: 'last words\n' };
      window.stemma.onClosing(async () => {
        const answered = new Promise<void>((resolve) => port.addEventListener('message', ({ data }) => data.id === 77 && resolve()));
        port.postMessage({ id: 77, call: 'document/create', input: save });
        await answered;
      });
    });
    expect(await app.quit()).toBe(0);
    expect(readFileSync(join(folder, 'last.md'), 'utf8')).toBe('last words\n');
  });

  it('closes in the end, even when its page does not answer', async () => {
    const page = await start();
    await page.evaluate(() => window.stemma.onClosing(() => new Promise(() => {})));
    expect(await app.quit()).toBe(0);
  });

  it('comes back where it was, and never off the screen', async () => {
    await start();
    const wanted = { x: 70, y: 90, width: 900, height: 640 };
    const bounds = () => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.getBounds());
    await app.evaluate(({ BrowserWindow }, place) => BrowserWindow.getAllWindows()[0]!.setBounds(place), wanted);
    await app.quit();
    await app.dispose();
    await start();
    expect(await bounds()).toEqual(wanted);
    await app.quit();
    await app.dispose();
    const file = join(home, 'electron', 'windows.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('"x": 70', '"x": 50000'));
    await start();
    const { x, width } = await bounds();
    const area = await app.evaluate(({ screen }) => screen.getPrimaryDisplay().workArea);
    expect(x + width).toBeLessThanOrEqual(area.x + area.width);
    expect(width).toBe(900);
  });

  /** Brings the window of a page to the front, as the writer's click would, and waits until it is there. */
  async function front(path: string): Promise<void> {
    const isInFront = () =>
      app.evaluate(({ BrowserWindow }, wanted) => {
        const isIt = (one: InstanceType<Electron['BrowserWindow']>) => new URL(one.webContents.getURL()).pathname === wanted;
        BrowserWindow.getAllWindows().find(isIt)?.focus();
        const focused = BrowserWindow.getFocusedWindow();
        return focused !== null && isIt(focused);
      }, path);
    await expect.poll(isInFront).toBe(true);
  }

  async function waitForCores(count: number): Promise<number[]> {
    await expect.poll(async () => (await corePids(app)).filter(isAlive).length).toBe(count);
    return (await corePids(app)).filter(isAlive);
  }
});
