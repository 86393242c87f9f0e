import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, type RunningBrowser, type RunningServer, startServer } from './launch.ts';
import { waitForEnd } from './probe.ts';
import { type Book, createBook, editorOf, isReady, openDocument, saveNothingUnasked, statusOf, typeAtEnd } from './writer.ts';

const path = 'long.md';

describe('a server that is killed in the middle of a save', () => {
  let book: Book;
  let app: RunningBrowser;
  let page: Page;
  let again: RunningServer | null = null;
  /** Told of every save that the page has sent. */
  let onSave: (idem: string) => void = () => {};
  /** Nothing that the server says reaches the page. */
  let isMute = false;
  beforeAll(async () => {
    // Long enough for a save to take a while.
    book = createBook({ [path]: `# Long\n\n${'The tide came in and the tide went out.\n'.repeat(20_000)}` });
    book.stemma.json('init', 'init');
    app = await launchBrowser(book.folder, { home: book.home });
    page = app.page;
    await page.routeWebSocket(/\/socket/u, (socket) => {
      const server = socket.connectToServer();
      socket.onMessage((message) => {
        server.send(message);
        if (String(message).includes('"document/save"')) onSave((JSON.parse(String(message)) as { input: { idem: string } }).input.idem);
      });
      server.onMessage((message) => void (isMute || socket.send(message)));
    });
    await saveNothingUnasked(page);
    await page.reload();
    await isReady(page);
    await openDocument(page, path);
  });
  afterEach(() => {
    onSave = () => {};
    isMute = false;
  });
  afterAll(async () => {
    await again?.stop();
    // It may have been stopped in the other sense.
    await app?.stop('SIGKILL');
    book?.dispose();
  });

  const pid = () => again?.pid ?? app.pid;
  const kill = () => process.kill(pid(), 'SIGKILL');
  const saves = () => book.lines('transformation').filter(({ body }) => (body.intent as { kind: string }).kind === 'editor-save');
  const isLost = () => statusOf(page).getByText('Connection lost, trying again').waitFor();
  const body = () => book.text(path).replace(/^---\nvmark:\n {2}id: \S+\n---\n/u, '');
  /** As a writer does: starts the program once more and opens its new address in the same browser. The page that was there comes back by itself. */
  const startAgain = async () => {
    await waitForEnd(pid());
    again = await startServer(book.folder, book.home, {}, Number(new URL(app.url).port));
    const other = await page.context().newPage();
    await other.goto(again.url);
    await other.close();
    await page.bringToFront();
    await statusOf(page).getByText('Connection lost, trying again').waitFor({ state: 'detached' });
  };
  /** Types a line and saves; answers what the file must be in the end. */
  const write = async (line: string) => {
    const whole = body() + line;
    await typeAtEnd(page, line);
    await page.keyboard.press('ControlOrMeta+S');
    return whole;
  };
  const isOnDisk = (whole: string) => expect.poll(() => body() === whole, { timeout: 15_000 }).toBe(true);
  const isInPage = async (line: string) => {
    await page.keyboard.press('ControlOrMeta+End');
    await editorOf(page).getByText(line).waitFor();
  };

  it('before it has read it: the text stays, and the save is asked again with its own idem', async () => {
    process.kill(app.pid, 'SIGSTOP');
    const sent: string[] = [];
    onSave = (idem) => sent.push(idem);
    const whole = await write('Before it was read.\n');
    await expect.poll(() => sent.length).toBe(1);
    kill();
    await isLost();
    await statusOf(page).getByText('Waiting for the connection to save').waitFor();
    await isInPage('Before it was read.');
    expect(body()).not.toContain('Before it was read.');
    await startAgain();
    await isOnDisk(whole);
    await statusOf(page)
      .getByText(/recorded$/u)
      .waitFor();
    expect(new Set(sent).size).toBe(1);
    expect(sent.length).toBeGreaterThan(1);
    expect(saves().map(({ idem }) => idem)).toEqual([sent[0]]);
  });

  it('after it has written and before its answer has come: there is one entry', async () => {
    const before = saves();
    const sent: string[] = [];
    onSave = (idem) => {
      isMute = true;
      sent.push(idem);
    };
    const whole = await write('Before it was answered.\n');
    await isOnDisk(whole);
    await expect.poll(() => saves().length).toBe(before.length + 1);
    await statusOf(page).getByText('Not saved yet').waitFor();
    kill();
    await isLost();
    isMute = false;
    onSave = (idem) => sent.push(idem);
    await isInPage('Before it was answered.');
    await startAgain();
    await statusOf(page)
      .getByText(/recorded$/u)
      .waitFor();
    expect(body()).toBe(whole);
    expect(new Set(sent).size).toBe(1);
    expect(sent.length).toBeGreaterThan(1);
    expect(saves().map(({ idem }) => idem)).toEqual([...before.map(({ idem }) => idem), sent[0]]);
  });

  it.each([1, 5, 15])('at some moment, %i ms after it was asked: there is one entry and the file is whole', async (delay) => {
    const before = saves().length;
    const idems = new Set<string>();
    onSave = (idem) => {
      if (idems.size === 0) setTimeout(kill, delay);
      idems.add(idem);
    };
    const whole = await write(`Killed after ${delay}.\n`);
    await isLost();
    await isInPage(`Killed after ${delay}.`);
    await startAgain();
    await isOnDisk(whole);
    await statusOf(page)
      .getByText(/recorded$/u)
      .waitFor();
    expect(idems.size).toBe(1);
    expect(
      saves()
        .slice(before)
        .map(({ idem }) => idem),
    ).toEqual([...idems]);
  });

  it('leaves a ledger in which everything is in order', () => {
    expect(book.stemma.json('verify', 'verify')).toMatchObject({ ok: true, problems: [] });
  });
});
