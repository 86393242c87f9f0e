import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { contentPolicy, servePage } from '#main/page';
import { temporaryFolder } from '../helpers/temporary';

let root: string;
const get = (url: string, method = 'GET') => servePage(root, { method, url });

beforeEach(() => {
  const folder = temporaryFolder();
  root = join(folder, 'renderer');
  mkdirSync(join(root, 'assets'), { recursive: true });
  writeFileSync(join(root, 'index.html'), '<title>page</title>');
  writeFileSync(join(root, 'assets', 'main.js'), 'export {};');
  writeFileSync(join(folder, 'secret.js'), 'secret');
});

describe('the address of the page', () => {
  it('never gives a file outside its folder', async () => {
    const piece = fc.oneof(
      fc.constantFrom('..', '.', '%2e%2e', '%2E.', '/', '//', '%2f', '%5c', '\\', '%00', '~', '?', '#', 'secret.js', '%'),
      fc.string(),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
        const answer = await get(`app://stemma/${pieces.join('')}`);
        expect(await answer.text()).not.toContain('secret');
      }),
    );
    expect((await get('app://stemma/..%2fsecret.js')).status).toBe(404);
  });

  it('shows the page for the editor and the breakdown, and its files under their names', async () => {
    for (const path of ['/', '/index.html', '/breakdown']) {
      const answer = await get(`app://stemma${path}`);
      expect([answer.status, await answer.text()], path).toEqual([200, '<title>page</title>']);
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    }
    const script = await get('app://stemma/assets/main.js');
    expect([script.status, script.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8']);
  });

  it('answers only reading, only our own host, and says so when there is nothing', async () => {
    expect((await get('app://stemma/')).headers.get('content-security-policy')).toBe(contentPolicy);
    expect((await get('app://stemma/', 'POST')).status).toBe(405);
    expect((await get('app://other/index.html')).status).toBe(403);
    expect((await get('https://stemma/index.html')).status).toBe(403);
    expect((await get('app://stemma/nowhere.js')).status).toBe(404);
    expect((await get('app://stemma/assets')).status).toBe(404);
  });

  it('lets the page run nothing but its own scripts', () => {
    expect(contentPolicy).toContain("default-src 'none'");
    expect(contentPolicy).toContain("script-src 'self';");
    expect(contentPolicy).not.toContain('unsafe-eval');
  });
});
