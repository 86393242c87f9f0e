import { describe, expect, it } from 'vitest';
import { useDesk } from './desk.ts';
import { editorOf, linkBeside, statusOf } from './writer.ts';

describe('writing by keyboard', () => {
  const desk = useDesk(28, { 'other.md': 'other\n', 'heading.md': '# Head\n' });
  const { type, press, written, run } = desk;

  it.each([
    ['ControlOrMeta+B', '**word**'],
    ['ControlOrMeta+I', '*word*'],
    ['ControlOrMeta+Shift+X', '~~word~~'],
    ['ControlOrMeta+Shift+H', '==word=='],
    ['ControlOrMeta+Shift+8', '- word'],
    ['ControlOrMeta+Shift+7', '1. word'],
    ['ControlOrMeta+Shift+9', '- [ ] word'],
    ['ControlOrMeta+Shift+.', '> word'],
    ['ControlOrMeta+Shift+J', '```\nword\n```'],
  ])('%s makes %j of a word, and undo takes it back', async (key, text) => {
    await type('word');
    await press(key);
    await written(text);
    await press('ControlOrMeta+Z');
    await written('word');
  });

  it('goes on with lists on Enter, ends them on an empty item, and ticks tasks', async () => {
    await type('1. one');
    await press('Enter');
    await type('two');
    await press('Enter', 'Enter');
    await type('- [ ] task');
    await press('ControlOrMeta+Enter');
    await written('1. one\n2. two\n\n- [x] task');
  });

  it('moves, duplicates, joins and deletes lines', async () => {
    await type('one');
    await press('Enter');
    await type('two');
    await press('Alt+ArrowUp');
    await written('two\none');
    await press('Alt+Shift+ArrowDown');
    await written('two\ntwo\none');
    await press('ControlOrMeta+Shift+K');
    await written('two\none');
    await press('ControlOrMeta+Home', 'Alt+J');
    await written('two one');
  });

  it('has several cursors', async () => {
    await type('a b a b a');
    await press('ControlOrMeta+Home', 'ControlOrMeta+D', 'ControlOrMeta+D', 'ControlOrMeta+D');
    await type('x');
    await written('x b x b x');
  });

  it('changes letters and puts a table by the palette', async () => {
    await press('ControlOrMeta+/');
    await type('word');
    await run('Upper case');
    await written('WORD');
    await run('Insert table');
    await type('Name');
    await expect
      .poll(async () => {
        await press('ControlOrMeta+S');
        return desk.book.text(desk.path);
      })
      .toMatch(/^WORD\n\n\| Name/u);
  });

  it.each([
    ['| Bell | Ferry |', '| --- | --- |', '| six | North |', '| seven | South |'],
    ['a | b', '--- | ---', 'c | d'],
    ['> | a | b |', '| :- | -: |', '| 1 | 2 |'],
  ])('leaves a table that is typed sign by sign as it is typed, and draws it once the cursor is behind it: %s', async (...lines) => {
    for (const line of lines) {
      await type(line);
      await press('Enter');
    }
    const isQuoted = lines[0]!.startsWith('>');
    await press('Enter');
    await type('Behind.');
    const table = lines.map((line, at) => (isQuoted && at > 0 ? `> ${line}` : line)).join('\n');
    await written(`${table}\n\nBehind.`);
    await desk.page.getByRole('table').waitFor();
    expect(await desk.page.getByRole('table').getByRole('row').count()).toBe(lines.length - 1);
  });

  it('puts in a symbol by its name, as one step of undo', async () => {
    await type('wait ');
    await press('Alt+Shift+S');
    await type('em dash');
    await desk.page.getByRole('option', { name: 'em dash —' }).waitFor();
    await press('Enter');
    await editorOf(desk.page).and(desk.page.locator(':focus')).waitFor();
    await written('wait —');
    await press('ControlOrMeta+Z');
    await written('wait ');
  });

  it('pairs brackets and quotes, not inside code', async () => {
    await type('("a');
    await written('("a")');
    await press('ControlOrMeta+A');
    await type('```');
    await press('Enter');
    await type('("');
    await written('```\n("');
  });

  it('types signs as they are printed once that is set', async () => {
    const { call, close } = await linkBeside(desk.page);
    await call('settings/write', { key: 'editor.smart', value: 'en' });
    await call('settings/write', { key: 'editor.pairs', value: false });
    close();
    await expect
      .poll(async () => {
        await press('ControlOrMeta+A');
        await type('"It\'s" -- ...');
        await press('ControlOrMeta+S');
        return desk.book.text(desk.path);
      })
      .toBe('“It’s” – …');
    const again = await linkBeside(desk.page);
    await again.call('settings/write', { key: 'editor.smart', value: 'off' });
    await again.call('settings/write', { key: 'editor.pairs', value: true });
    again.close();
  });

  it('finds in the selection alone, and replaces there, longer by a letter', async () => {
    await type('cat cat');
    await press('Enter');
    await type('cat cat');
    await press('ControlOrMeta+Home', 'Shift+End', 'ControlOrMeta+F');
    const find = desk.page.getByRole('search');
    await find.getByRole('textbox', { name: 'Find' }).fill('cat');
    await find.getByText('4 matches').waitFor();
    await press('Escape', 'ControlOrMeta+Home', 'Shift+End', 'ControlOrMeta+H');
    await find.getByRole('textbox', { name: 'Find' }).fill('cat');
    await find.getByRole('textbox', { name: 'Replace with' }).fill('cats');
    await find.getByRole('button', { name: 'Only in the selection' }).click();
    await find.getByText('2 matches').waitFor();
    await find.getByRole('button', { name: 'Replace all' }).click();
    await press('Escape');
    await written('cats cats\ncat cat');
  });

  it('keeps undo over a change of tabs', async () => {
    await type('cut this');
    await press('ControlOrMeta+A', 'ControlOrMeta+X');
    const { path } = desk;
    await desk.open('other.md');
    await desk.open(path);
    await press('ControlOrMeta+Z');
    await written('cut this');
  });

  it('counts words, and those of the selection with their characters', async () => {
    await type('one two three');
    await statusOf(desk.page).getByText('3 words · 1 min to read').waitFor();
    await press('ControlOrMeta+Home', 'ControlOrMeta+Shift+ArrowRight');
    await statusOf(desk.page)
      .getByText(/^1 word selected \((3|4) characters\)$/u)
      .waitFor();
  });

  it('fades all but the paragraph in focus mode, and keeps the line in the middle in typewriter mode', async () => {
    for (let at = 0; at < 30; at++) await press('Enter');
    await type('last');
    await press('F8');
    await expect.poll(() => editorOf(desk.page).locator('.cm-faded').count()).toBeGreaterThan(5);
    await press('F9');
    await type(' word');
    await expect
      .poll(() =>
        desk.page.evaluate(() => {
          const { top, height } = document.querySelector('.cm-scroller')!.getBoundingClientRect();
          const caret = document.querySelector('.cm-cursor-primary')!.getBoundingClientRect();
          return Math.abs(caret.top + caret.height / 2 - top - height / 2) / height;
        }),
      )
      .toBeLessThan(0.1);
    await press('F8', 'F9');
    await expect.poll(() => editorOf(desk.page).locator('.cm-faded').count()).toBe(0);
  });

  it('deletes the last letter of a heading and gets it back with the cursor behind it', async () => {
    await desk.open('heading.md');
    await press('ControlOrMeta+Home', 'End', 'Backspace');
    await written('# Hea\n');
    await press('ControlOrMeta+Z');
    await statusOf(desk.page).getByText('Ln 1, Col 7').waitFor();
    await written('# Head\n');
  });
});
