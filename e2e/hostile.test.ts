import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { type OutgoingHttpHeaders, request } from 'node:http';
import { dirname, join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { type Link, socketPath } from '#protocol/link';
import { launchBrowser, type RunningBrowser } from './launch.ts';
import {
  type Book,
  createBook,
  editorOf,
  isReady,
  linkBeside,
  openBreakdown,
  openDocument,
  rowOf,
  saveNothingUnasked,
  statusOf,
  typeAtEnd,
} from './writer.ts';

/** What a page of ours would show had it let a document do something. */
type Attacked = Window & { attacked?: unknown; violations: string[] };
declare const window: Attacked;

const script = '<script>window.attacked = 1</script>';
const hostile = `---
title: "<img src=x onerror='window.attacked=1'>"
---

# ${script}<img src=x onerror="window.attacked=1">

${script}

<script src="https://evil.example/x.js"></script>
<img src=x onerror="window.attacked=1">
<svg onload="window.attacked=1"><use href="https://evil.example/x.svg#a"/></svg>
<iframe src="https://evil.example/"></iframe>
<link rel="stylesheet" href="https://evil.example/x.css">
<style>@import "https://evil.example/y.css"; body { background: url(https://evil.example/b.png) }</style>
<meta http-equiv="refresh" content="0; url=https://evil.example/">
<a href="javascript:window.attacked=1">link</a>

[run](javascript:window.attacked=1) and [run](<data:text/html,${script}>) and [out](../../../etc/passwd)

![remote](https://evil.example/pixel.png) ![](//evil.example/pixel.png) ![vector](vector.svg)

<javascript:window.attacked=1>

| ${script} | <img src=x onerror="window.attacked=1"> |
| --- | --- |
`;
const vector = `<svg xmlns="http://www.w3.org/2000/svg" onload="window.attacked=1">${script}</svg>\n`;
const namedBadly = '"><img src=x onerror=window.attacked=1>.md';

describe('a folder that means harm', () => {
  let book: Book;
  let app: RunningBrowser;
  let page: Page;
  let context: BrowserContext;
  const requests: string[] = [];
  beforeAll(async () => {
    book = createBook({ 'harm.md': hostile, 'rests.md': hostile, 'vector.svg': vector, [namedBadly]: hostile, 'plain.md': 'plain\n' });
    writeFileSync(join(dirname(book.folder), 'secret.md'), 'secret\n');
    app = await launchBrowser(book.folder, { home: book.home });
    ({ page } = app);
    context = page.context();
    context.on('request', (sent) => requests.push(sent.url()));
    context.on('page', (opened) => requests.push(`a new page ${opened.url()}`));
    await context.addInitScript(() => {
      window.violations = [];
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
        window.violations.push(`${effectiveDirective} ${blockedURI}`),
      );
    });
    await saveNothingUnasked(page);
    await page.reload();
    await isReady(page);
  });
  afterAll(async () => {
    await app?.stop();
    book?.dispose();
  });

  const origin = () => new URL(app.url).origin;
  const isUnharmed = async () => {
    expect(await page.evaluate(() => window.attacked)).toBeUndefined();
    expect(await page.evaluate(() => window.violations)).toEqual([]);
    expect(requests.filter((url) => !url.startsWith(`${origin()}/`))).toEqual([]);
    expect(new URL(page.url()).origin).toBe(origin());
    expect(
      await page.locator('iframe, object, embed, .page img[src]:not([src^="/file/"]), main script, main link, main meta').count(),
    ).toBe(0);
  };

  it('is text in the editor, and nothing of it runs', async () => {
    await openDocument(page, 'harm.md');
    await editorOf(page).getByText('window.attacked').first().waitFor();
    await typeAtEnd(page, `${script}\n`);
    await page.keyboard.press('ControlOrMeta+F');
    await page.keyboard.type('<img src=x onerror=window.attacked=1>');
    await page.keyboard.press('Escape');
    await page.getByRole('row', { name: namedBadly }).click();
    await page.getByRole('tab', { name: namedBadly }).waitFor();
    await page.getByRole('row', { name: 'vector.svg' }).click();
    await editorOf(page).getByText('http://www.w3.org/2000/svg').waitFor();
    await isUnharmed();
  });

  it('cannot make its links do anything but what they say', async () => {
    await openDocument(page, 'harm.md');
    for (const [text, answer] of [
      ['run', 'That link was not followed: javascript:window.attacked=1'],
      ['out', 'That link was not followed: ../../../etc/passwd'],
    ] as const) {
      await editorOf(page)
        .getByText(text, { exact: true })
        .first()
        .click({ modifiers: ['ControlOrMeta'] });
      await statusOf(page).getByText(answer).waitFor();
    }
    await isUnharmed();
  });

  it('is text beside what is on disk, and in the breakdown too', async () => {
    book.write('harm.md', `${hostile}\n${script}\nTheirs.\n`);
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.getByRole('textbox', { name: 'On disk, read only' }).getByText('Theirs.').waitFor();
    await page.getByRole('button', { name: 'Take theirs' }).click();
    book.stemma.json('init', 'init');
    book.stemma.json('record', 'record', 'rests.md', '--from', 'harm.md', '--intent', script);
    book.write('harm.md', book.text('harm.md').replaceAll('attacked = 1', 'attacked = 2'));
    await openBreakdown(page);
    const row = rowOf(page, 'rests.md', 'harm.md', 'changed');
    await row.getByRole('button', { expanded: false }).click();
    await row.getByRole('insertion').first().waitFor();
    await page.keyboard.press('w');
    await page.keyboard.type(`${script}<img src=x onerror=window.attacked=1>`);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Refresh' }).click();
    await rowOf(page, 'rests.md', 'harm.md', 'waived').getByText(script).waitFor();
    await isUnharmed();
  });

  it('would be stopped by the policy of the page, had something of it come into the page', async () => {
    const stopped = await page.evaluate(async () => {
      const host = document.createElement('div');
      document.body.append(host);
      host.innerHTML = '<img src="https://evil.example/p.png" onerror="window.attacked=1"><iframe src="https://evil.example/"></iframe>';
      host.append(Object.assign(document.createElement('script'), { textContent: 'window.attacked = 1' }));
      const sent = await fetch('https://evil.example/').then(
        () => true,
        () => false,
      );
      await new Promise((resolve) => setTimeout(resolve, 100));
      host.remove();
      return { attacked: window.attacked ?? null, sent, directives: window.violations.map((one) => one.split(' ')[0]).sort() };
    });
    expect(stopped.attacked).toBe(null);
    expect(stopped.sent).toBe(false);
    expect(new Set(stopped.directives)).toEqual(new Set(['connect-src', 'frame-src', 'img-src', 'script-src-attr', 'script-src-elem']));
  });

  describe('by the names of files', () => {
    let link: Link;
    beforeAll(async () => {
      mkdirSync(join(book.folder, '.git'), { recursive: true });
      writeFileSync(join(book.folder, '.git/config'), '[core]\n');
      symlinkSync('..', join(book.folder, 'way'));
      symlinkSync('../secret.md', join(book.folder, 'link.md'));
      link = await linkBeside(page);
    });
    afterAll(() => link?.close());

    it.each([
      ['../secret.md', 'outside-workspace'],
      ['./../secret.md', 'outside-workspace'],
      ['a/../../secret.md', 'outside-workspace'],
      ['/etc/passwd', 'outside-workspace'],
      ['way/secret.md', 'outside-workspace'],
      ['way/book/../secret.md', 'outside-workspace'],
      ['..%2fsecret.md', 'file-missing'],
      ['%2e%2e/secret.md', 'file-missing'],
      ['%2e%2e%2fsecret.md', 'file-missing'],
      ['..\\secret.md', 'file-missing'],
      ['．．/secret.md', 'file-missing'],
      ['file:///etc/passwd', 'file-missing'],
      ['.git/config', 'path-invalid'],
      ['.GIT/config', 'path-invalid'],
      ['.vmark/index.db', 'path-invalid'],
      ['plain.md\0.png', 'path-invalid'],
      ['plain.md\n', 'path-invalid'],
      ['.', 'outside-workspace'],
      ['', 'call-invalid'],
    ])('reads nothing outside: %j', async (path, code) => {
      await expect(link.call('document/open', { path })).rejects.toMatchObject({ code });
      // What is a plain, if odd, name of a file here may be saved under it.
      if (code !== 'file-missing') {
        const saved = link.call('document/save', { path, text: 'x', base: null, idem: crypto.randomUUID() });
        await expect(saved).rejects.toMatchObject({ code });
      }
      expect(readFileSync(join(book.folder, '../secret.md'), 'utf8')).toBe('secret\n');
    });

    it('gets a link that leads out neither into its ledger nor past the command line', async () => {
      // A person may open their own file through a link (editor.md §2); it is never tracked, and no program follows it.
      expect(await link.call('document/open', { path: 'link.md' })).toMatchObject({ kind: 'text', tracking: { by: null } });
      for (const args of [
        ['record', 'link.md', '--from', 'harm.md'],
        ['track', 'link.md'],
      ])
        expect(book.stemma(...args, '--json').json()).toMatchObject({ error: { code: 'is-a-link' } });
      expect(JSON.stringify(book.lines())).not.toContain('link.md');
    });
  });

  describe('by another page or program of this machine', () => {
    const cookie = async () => {
      const [{ name, value } = { name: '', value: '' }] = await context.cookies(origin());
      return `${name}=${value}`;
    };
    const answerTo = (path: string, headers: OutgoingHttpHeaders) =>
      new Promise<{ status: number; text: string }>((resolve, reject) => {
        const { hostname, port, host } = new URL(app.url);
        const asked = request({ host: hostname, port, path, headers: { host, ...headers } }, async (response) => {
          let text = '';
          for await (const chunk of response.setEncoding('utf8')) text += chunk;
          resolve({ status: response.statusCode!, text });
        });
        asked.on('error', reject).end();
      });
    const upgrade = (headers: Record<string, string>, path: string = socketPath) =>
      new Promise<string>((resolve) => {
        const socket = new WebSocket(origin().replace('http', 'ws') + path, { headers });
        socket.on('open', () => {
          socket.terminate();
          resolve('open');
        });
        socket.on('unexpected-response', (_, { statusCode }) => resolve(String(statusCode)));
        socket.on('error', () => {});
      });

    it('is answered to nobody but our own page in the browser that was let in', async () => {
      const known = await cookie();
      expect(await answerTo('/', { cookie: known })).toMatchObject({ status: 200 });
      expect(await answerTo('/', {})).toMatchObject({ status: 401 });
      expect(await answerTo('/', { cookie: `${known.split('=')[0]}=guessed` })).toMatchObject({ status: 401 });
      expect(await answerTo('/', { cookie: known, host: 'evil.example' })).toMatchObject({ status: 403 });
      expect(await answerTo('/', { cookie: known, host: `localhost:${new URL(app.url).port}` })).toMatchObject({ status: 403 });
      expect(await answerTo('/', { cookie: known, origin: 'https://evil.example' })).toMatchObject({ status: 403 });
      expect(await answerTo('/', { cookie: known, origin: 'null' })).toMatchObject({ status: 403 });
    });

    it('opens no socket to a foreign origin, a wrong host, or without the cookie', async () => {
      const headers = { cookie: await cookie(), origin: origin() };
      expect(await upgrade(headers)).toBe('open');
      expect(await upgrade({ ...headers, origin: 'https://evil.example' })).toBe('403');
      expect(await upgrade({ cookie: headers.cookie })).toBe('403');
      expect(await upgrade({ ...headers, host: 'evil.example' })).toBe('403');
      expect(await upgrade({ origin: headers.origin })).toBe('403');
      expect(await upgrade({ ...headers, cookie: 'a=b' })).toBe('403');
      expect(await upgrade(headers, `${socketPath}/../x`)).toBe('403');
      expect(await upgrade(headers, `${socketPath}?folder=${encodeURIComponent(dirname(book.folder))}`)).toBe('403');
    });

    it('lets in once by its token, which stays in no address and goes with no referrer', async () => {
      expect(await answerTo(new URL(app.url).pathname + new URL(app.url).search, {})).toMatchObject({ status: 401 });
      expect(page.url()).not.toContain('token');
      expect(await page.evaluate(() => [document.referrer, document.cookie, localStorage.length > 9])).toEqual(['', '', false]);
      expect(requests.filter((url) => url.includes('token'))).toEqual([]);
      const response = await page.request.get(`${origin()}/`);
      expect(response.headers()).toMatchObject({ 'referrer-policy': 'no-referrer', 'x-content-type-options': 'nosniff' });
    });

    it.each([
      '/../secret.md',
      '/../../../../etc/passwd',
      '/%2e%2e/secret.md',
      '/assets/..%2f..%2fcli%2findex.js',
      '/assets/%2e%2e/%2e%2e/cli/index.js',
      '/..%5csecret.md',
      '/%252e%252e/secret.md',
      '/harm.md',
      '/vector.svg',
      '//etc/passwd',
      '/index.html%00.js',
    ])('serves no file but those of the page: %s', async (path) => {
      expect(await answerTo(path, { cookie: await cookie() })).toMatchObject({ status: 404, text: expect.not.stringContaining('secret') });
    });
  });
});
