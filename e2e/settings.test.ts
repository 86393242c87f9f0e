import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaults } from '#renderer/settings/preferences.ts';
import { type Setting, settingList, wordsKeyOf } from '#renderer/settings/setting-list.ts';
import { wordsIn } from '#renderer/words.ts';
import { launchBrowser, type RunningBrowser } from './launch.ts';
import { type Book, createBook, editorOf, isReady, openDocument, statusOf, typeAtEnd } from './writer.ts';

const words = wordsIn('en');
const square = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const tracked = '---\nvmark:\n  id: 01998f2e-7c1a-7d2b-9c3d-4e5f60718293\n  schema: 1\n---\n# Tracked\n';

describe('the settings', () => {
  let book: Book;
  let app: RunningBrowser;
  let page: Page;
  beforeAll(async () => {
    const text = '# One\n\nFirst words.\n\nOther words.\n';
    book = createBook({ 'one.md': text, 'two.md': text, 'tracked.md': tracked, 'forms/letter.md': '# {{title}}\n\nDear\n' });
    app = await launchBrowser(book.folder, { home: book.home });
    page = app.page;
    page.setDefaultTimeout(10_000);
    await isReady(page);
    await openDocument(page, 'one.md');
  });
  afterAll(async () => {
    await app?.stop();
    book?.dispose();
  });

  const dialog = () => page.getByRole('dialog', { name: /^(Settings|Ajustes)$/u });
  /** Shows one setting, by searching its name. */
  const shown = async ({ key }: Setting): Promise<Locator> => {
    await page.keyboard.press('ControlOrMeta+,');
    const name = words(`${wordsKeyOf(key)}.name`);
    await dialog().getByRole('searchbox').fill(name);
    const item = dialog().locator('.setting', { has: page.locator(`[id="${wordsKeyOf(key)}-name"]`) });
    await item.waitFor();
    return item;
  };
  /** Gives a setting a value by its control. */
  const change = async (setting: Setting, value: string | number | boolean) => {
    const item = await shown(setting);
    const { control, key } = setting;
    if (control.kind === 'switch') await item.getByRole('switch').press('Space');
    else if (control.kind === 'choice')
      await item.getByRole('radio', { name: words(`${wordsKeyOf(key)}.options.${value}`), exact: true }).click();
    else {
      const field = item.locator('input');
      await field.focus();
      await page.keyboard.press('ControlOrMeta+A');
      // Key by key, as what counts already must not take the field away.
      await page.keyboard.type(String(value));
      await page.keyboard.press('Enter');
      expect(await field.evaluate((shown) => shown === document.activeElement)).toBe(true);
    }
    await item.locator('.setting-mark').waitFor();
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
  };
  const reset = async (setting: Setting) => {
    const item = await shown(setting);
    await item.getByRole('button', { name: `Reset ${words(`${wordsKeyOf(setting.key)}.name`)}` }).click();
    await item.locator('.setting-mark').waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
  };
  const style = (name: string, of = '.cm-scroller') =>
    page
      .locator(of)
      .first()
      .evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), name);
  const content = (name: string) => editorOf(page).getAttribute(name);
  const typed = async (text: string) => {
    await typeAtEnd(page, `\n${text}`);
    const line = await page.evaluate(() => document.querySelector('.cm-content')?.lastElementChild?.textContent ?? '');
    for (let steps = 0; steps < 3; steps++) await page.keyboard.press('ControlOrMeta+Z');
    return line;
  };
  const pastePicture = () =>
    editorOf(page).evaluate((element, base64) => {
      const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File([bytes], 'p.png', { type: 'image/png' }));
      element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    }, square);

  /** Whether a browser would ask before it leaves a page in which something was just typed. */
  const leavesAsked = async () => {
    await typeAtEnd(page, '.');
    return page.evaluate(() => !window.dispatchEvent(new Event('beforeunload', { cancelable: true })));
  };

  /** What each setting is changed to, and how that is seen; afterwards it is put back, and `back` sees that too. */
  const effects: Readonly<
    Record<string, readonly [value: string | number | boolean, seen: () => Promise<unknown>, back?: () => Promise<unknown>]>
  > = {
    identity: [true, () => statusOf(page).getByText('Provenance on').waitFor(), () => statusOf(page).getByText('Provenance off').waitFor()],
    'saving.autosave': [
      'off',
      async () => {
        await typeAtEnd(page, 'Unsaved.');
        await statusOf(page).getByText('Not saved yet').waitFor();
        await openDocument(page, 'two.md');
        await openDocument(page, 'one.md');
        expect(book.text('one.md')).not.toContain('Unsaved.');
      },
      async () => {
        await typeAtEnd(page, ' Saved.');
        await expect.poll(() => book.text('one.md')).toContain('Unsaved. Saved.');
      },
    ],
    'saving.ask': [
      true,
      () => expect.poll(leavesAsked).toBe(true),
      async () => {
        expect(await leavesAsked()).toBe(false);
        await expect.poll(() => statusOf(page).getByText('Not saved yet').count()).toBe(0);
      },
    ],
    'files.assets': [
      'pictures/here',
      async () => {
        await pastePicture();
        await expect
          .poll(() => existsSync(join(book.folder, 'pictures/here')) && readdirSync(join(book.folder, 'pictures/here')).length)
          .toBe(1);
      },
    ],
    'files.templates': [
      'forms',
      async () => {
        await page.keyboard.press('Alt+Shift+U');
        await page.getByRole('dialog', { name: 'New document' }).getByRole('textbox').fill('letter-one');
        await page.getByRole('combobox', { name: 'Template' }).selectOption('forms/letter.md');
        await page.keyboard.press('Enter');
        await expect
          .poll(() => existsSync(join(book.folder, 'letter-one.md')) && book.text('letter-one.md'))
          .toBe('# letter-one\n\nDear\n');
        await openDocument(page, 'one.md');
      },
    ],
    'editor.mode': [
      'source',
      () => statusOf(page).getByRole('button', { name: 'Shown as: Source' }).waitFor(),
      () => statusOf(page).getByRole('button', { name: 'Shown as: Live preview' }).waitFor(),
    ],
    'editor.font': ['mono', async () => expect(await style('font-family')).toContain('Mono')],
    'editor.size': [24, async () => expect(await style('font-size')).toBe('24px')],
    'editor.measure': [
      44,
      async () => expect(await page.locator('html').evaluate((root) => root.style.getPropertyValue('--measure'))).toBe('44ch'),
    ],
    'editor.identity': [
      true,
      async () => {
        await openDocument(page, 'tracked.md');
        await editorOf(page).getByText('01998f2e').waitFor();
      },
      async () => {
        await editorOf(page).getByText('01998f2e').waitFor({ state: 'detached' });
        await openDocument(page, 'one.md');
      },
    ],
    'editor.pairs': [false, async () => expect(await typed('(')).toBe('('), async () => expect(await typed('(')).toBe('()')],
    'editor.smart': ['es', async () => expect(await typed('"a"')).toBe('«a»'), async () => expect(await typed('"a"')).toBe('"a"')],
    'editor.focus': [
      true,
      async () => {
        await typeAtEnd(page, '');
        expect(await page.locator('.cm-faded').count()).toBeGreaterThan(0);
      },
      async () => expect(await page.locator('.cm-faded').count()).toBe(0),
    ],
    'editor.typewriter': [true, async () => expect(Number.parseFloat(await style('padding-top', '.cm-content'))).toBeGreaterThan(200)],
    'editor.goal': [
      1200,
      () =>
        statusOf(page)
          .getByText(/of 1,200/u)
          .waitFor(),
    ],
    'spelling.check': [
      false,
      async () => expect(await content('spellcheck')).toBe('false'),
      async () => expect(await content('spellcheck')).toBe('true'),
    ],
    'spelling.language': ['fr', async () => expect(await content('lang')).toBe('fr'), async () => expect(await content('lang')).toBeNull()],
    'appearance.theme': [
      'dark',
      async () => expect(await page.locator('html').getAttribute('data-theme')).toBe('dark'),
      async () => expect(await page.locator('html').getAttribute('data-theme')).toBeNull(),
    ],
    language: ['es', async () => expect(await page.locator('html').getAttribute('lang')).toBe('es')],
  };

  it('are all tried here', () => {
    expect(Object.keys(effects).sort()).toEqual(settingList.map(({ key }) => key as string).sort());
  });

  it.each(settingList.filter(({ key }) => key !== 'language').map((setting) => [setting.key, setting] as const))(
    'have an effect each: %s',
    async (key, setting) => {
      const [value, seen, back] = effects[key]!;
      if (key !== 'identity') expect(value).not.toBe(defaults[key as keyof typeof defaults]);
      await change(setting, value);
      await seen();
      await reset(setting);
      await back?.();
    },
  );

  it('take the keys of commands: one that types is refused, one of another command is asked about', async () => {
    await page.keyboard.press('ControlOrMeta+,');
    await dialog().getByRole('button', { name: 'Keys' }).click();
    await dialog().getByRole('searchbox').fill('Bold');
    await dialog().getByRole('button', { name: 'Add a key for Bold' }).click();
    const status = dialog().locator('.key-asking [role=status]');
    await page.keyboard.press('b');
    await status.getByText('types something').waitFor();
    await page.keyboard.press('Control+Alt+q');
    await status.getByText('AltGr').waitFor();
    await page.keyboard.press('ControlOrMeta+i');
    await status.getByText(/is the key of Italic/u).waitFor();
    await dialog().getByRole('button', { name: 'Take it from there' }).click();
    await dialog()
      .getByRole('button', { name: /^Remove .*I from Bold$/u })
      .waitFor();
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    await editorOf(page).focus();
    await page.keyboard.press('ControlOrMeta+Home');
    await page.keyboard.press('ControlOrMeta+Shift+End');
    const before = await editorOf(page).textContent();
    await page.keyboard.press('ControlOrMeta+I');
    await expect.poll(() => editorOf(page).textContent()).toContain('**');
    await page.keyboard.press('ControlOrMeta+Z');
    expect(await editorOf(page).textContent()).toBe(before);
    await page.keyboard.press('ControlOrMeta+,');
    await dialog().getByRole('button', { name: 'Keys' }).click();
    await dialog().getByRole('button', { name: 'Reset all keys' }).click();
    await dialog().getByRole('button', { name: 'Reset all keys' }).and(page.locator(':disabled')).waitFor();
    await page.keyboard.press('Escape');
  });

  it('are found by what they say, and keep the language for last', async () => {
    await page.keyboard.press('ControlOrMeta+,');
    await dialog().getByRole('searchbox').fill('zzz');
    await dialog().getByText('No setting fits').waitFor();
    await page.keyboard.press('Escape');
    const language = settingList.find(({ key }) => key === 'language')!;
    const item = await shown(language);
    await item.getByRole('radio', { name: 'Español' }).click();
    await page.getByRole('dialog', { name: 'Ajustes' }).waitFor();
    await effects.language![1]();
  });
});
