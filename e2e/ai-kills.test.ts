import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ProviderServer, startProviderServer } from '../test/helpers/provider-server.ts';
import { type Mortality, useMortalWindow } from './mortal.ts';
import { keptIn } from './window-kill.ts';
import { editorOf, isReady, linkBeside, openDocument, save, saveNothingUnasked } from './writer.ts';

const canary = 'sk-canary-0123456789abcdef';
const text = (name: string) => `# ${name}\n\nThe sea was very, very grey.\n`;
const deaths: readonly Mortality[] = ['page', 'core', 'all'];

/** A page, a core, or all of it is killed while an answer comes: the request ends, and text and ledger are as they were or as was accepted. */
describe('an answer that is coming when the program is killed', () => {
  const said: string[] = [];
  const frames: string[] = [];
  const mortal = useMortalWindow(
    Object.fromEntries(deaths.flatMap((how) => [`${how}.md`, `taken-${how}.md`]).map((path) => [path, text(path)])),
    { said },
  );
  let server: ProviderServer;
  beforeAll(async () => {
    server = await startProviderServer();
    await mortal.book.stemma('init');
    await mortal.book.stemma('track', '--all', '--yes');
    const { page } = mortal;
    await saveNothingUnasked(page);
    const { call, close } = await linkBeside(page);
    await call('settings/write', { key: 'ai.provider', value: 'anthropic' });
    await call('settings/write', { key: 'ai.anthropic.address', value: `${server.origin}/v1` });
    await call('ai/keep-key', { provider: 'anthropic', key: canary });
    close();
    page.context().on('page', (other) => hear(other));
    hear(page);
    await page.reload();
    await isReady(page);
  });
  afterAll(() => server?.close());

  const hear = (page: typeof mortal.page) =>
    page.on('websocket', (socket) => {
      for (const event of ['framesent', 'framereceived'] as const)
        socket.on(event as 'framesent', ({ payload }) => frames.push(String(payload)));
    });
  const bar = () => mortal.page.getByRole('region', { name: 'Suggestions', exact: true });
  const ask = async (wish: string) => {
    const { page } = mortal;
    await page.keyboard.press('ControlOrMeta+J');
    await page.getByRole('combobox', { name: 'Ask AI' }).fill(wish);
    await page.getByRole('option', { selected: true }).waitFor();
    await page.keyboard.press('Enter');
    const send = page.getByRole('button', { name: 'Send', exact: true });
    await bar().or(send).first().waitFor();
    if ((await send.count()) > 0) await send.press('Enter');
  };
  const isComing = () =>
    bar()
      .getByText(/[1-9]\S* characters so far/u)
      .waitFor();
  const shown = async () => (await editorOf(mortal.page).locator('.cm-line').allTextContents()).join('\n');
  const recover = async () => {
    const list = mortal.page.getByRole('dialog', { name: 'Recovered texts' });
    await list.getByRole('button', { name: /^Open (?:it|all)$/u }).click();
    await list.waitFor({ state: 'detached' });
  };
  const argumentsOfAll = () =>
    readdirSync('/proc').flatMap((pid) => {
      try {
        return /^\d+$/u.test(pid) ? [readFileSync(`/proc/${pid}/cmdline`, 'utf8')] : [];
      } catch {
        return [];
      }
    });

  it.each(deaths)('leaves the text as it was, and the server sees it end: %s', async (how) => {
    const path = `${how}.md`;
    await openDocument(mortal.page, path);
    const [before, text] = [mortal.book.bytes(path), await shown()];
    server.behave({ kind: 'endless', pause: 100 });
    await ask('Write on and on.');
    await isComing();
    if (process.platform === 'linux') expect(argumentsOfAll().join('\n')).not.toContain(canary);
    await mortal.kill(how);
    expect(await server.requests.at(-1)!.gone).toBe(true);
    await mortal.openAgain();
    await openDocument(mortal.page, path);
    await bar().waitFor({ state: 'detached' });
    expect(await shown()).toBe(text);
    expect(mortal.book.bytes(path)).toEqual(before);
  });

  it.each(deaths)('leaves what was accepted before, which is the model’s once it is saved: %s', async (how) => {
    const path = `taken-${how}.md`;
    await openDocument(mortal.page, path);
    await mortal.page.keyboard.press('ControlOrMeta+End');
    server.behave({ kind: 'answer', parts: [`The sea was wine-${how}.`] }, { kind: 'endless', pause: 100 });
    await ask('Say less.');
    await bar().getByText('1 of 1').waitFor();
    await mortal.page.keyboard.press('Alt+Enter');
    await bar().waitFor({ state: 'detached' });
    const taken = await shown();
    expect(taken).toContain(`The sea was wine-${how}.`);
    await ask('Write on and on.');
    await isComing();
    await expect.poll(() => keptIn(mortal.book.home)).toContain(`wine-${how}`);
    await mortal.kill(how);
    expect(await server.requests.at(-1)!.gone).toBe(true);
    await mortal.openAgain();
    if (how !== 'core') await recover();
    await openDocument(mortal.page, path);
    await bar().waitFor({ state: 'detached' });
    expect(await shown()).toBe(taken);
    await save(mortal.page);
    expect(mortal.book.text(path)).toContain(`\nThe sea was wine-${how}.\n`);
    const { body } = mortal.book.lines('transformation').at(-1)!;
    expect(body).toMatchObject({ agent: { type: 'model', id: 'a-model-of-the-server' }, inputs: [{ role: 'direct' }] });
    expect(mortal.book.stemma.json('verify', 'verify')).toMatchObject({ ok: true, problems: [] });
  });

  it('has told the key to nobody but the provider', () => {
    expect(server.requests.map(({ headers }) => headers['x-api-key'])).toEqual(server.requests.map(() => canary));
    const files = [mortal.book.folder, mortal.book.home].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .map((name) => join(folder, name))
        .filter((file) => statSync(file).isFile() && readFileSync(file, 'latin1').includes(canary)),
    );
    expect(files).toEqual([join(mortal.book.home, 'secrets.json')]);
    expect(frames.length).toBeGreaterThan(100);
    expect(frames.join('\n')).not.toContain(canary);
    expect(said.join('')).not.toContain(canary);
  });
});
