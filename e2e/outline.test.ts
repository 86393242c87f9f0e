import { describe, expect, it } from 'vitest';
import { useDesk } from './desk.ts';
import { editorOf, statusOf } from './writer.ts';

const body = (name: string) => `${name} words.\n\n`.repeat(14);
const chapter = `# The Ferry\n\n${body('Ferry')}## The quay\n\n${body('Quay')}## The crossing\n\n${body('Crossing')}### Fog\n\n${body('Fog')}## North\n\nNorth words. #tide\n`;

describe('the outline of a document', () => {
  const desk = useDesk(6, {
    'chapter.md': chapter,
    'bible/ines.md': '# Ines\n\nSee [[chapter#North]] here.\n',
    'tides.md': '---\ntags: [tide]\n---\n',
  });
  const panel = () => desk.page.getByRole('region', { name: 'Outline' });
  const rows = () => panel().getByRole('row').locator('.outline-face');
  const current = () => panel().locator('[data-current="true"] .outline-face');
  const position = (text: RegExp) => statusOf(desk.page).getByText(text).waitFor();
  const order = (names: string[]) => expect.poll(() => rows().allTextContents()).toEqual(names);
  const all = ['The Ferry', 'The quay', 'The crossing', 'Fog', 'North'];

  it('follows the cursor, and leads to a heading by keys', async () => {
    await desk.open('chapter.md');
    await desk.press('Alt+Shift+O');
    await order(all);
    await desk.press('End', 'Enter');
    await position(/^Ln 121,/u);
    await editorOf(desk.page).and(desk.page.locator(':focus')).waitFor();
    await expect.poll(() => current().textContent()).toBe('North');
    await desk.press('ControlOrMeta+Home');
    await expect.poll(() => current().textContent()).toBe('The Ferry');
  });

  it('moves a section by keys, with what is below it, as one step of undo', async () => {
    await desk.open('chapter.md');
    await rows().getByText('The crossing', { exact: true }).click();
    await position(/^Ln 61,/u);
    await editorOf(desk.page).and(desk.page.locator(':focus')).waitFor();
    await desk.press('Alt+Shift+O');
    await panel().locator('[data-current="true"]').and(desk.page.locator(':focus')).waitFor();
    await desk.press('Alt+ArrowUp');
    await order(['The Ferry', 'The crossing', 'Fog', 'The quay', 'North']);
    await panel().getByRole('row', { name: 'The crossing, level 2, where you are' }).and(desk.page.locator(':focus')).waitFor();
    const moved = chapter.replace(/(## The quay[\s\S]*)(## The crossing[\s\S]*)(?=## North)/u, '$2$1');
    await desk.written(moved);
    await desk.press('Alt+ArrowDown');
    await order(all);
    await desk.written(chapter);
    await desk.press('ControlOrMeta+Z');
    await desk.written(moved);
    await editorOf(desk.page).focus();
    await desk.press('ControlOrMeta+Z');
    await desk.written(chapter);
  });

  it('lets a heading be dragged before another', async () => {
    await desk.open('chapter.md');
    await order(all);
    const box = async (name: string) => (await rows().getByText(name, { exact: true }).boundingBox())!;
    const [from, to] = [await box('North'), await box('The quay')];
    await desk.page.mouse.move(from.x + 20, from.y + 13);
    await desk.page.mouse.down();
    await desk.page.mouse.move(to.x + 24, to.y + 20, { steps: 6 });
    await desk.page.mouse.move(to.x + 24, to.y + 2, { steps: 4 });
    await desk.page.mouse.up();
    await order(['The Ferry', 'North', 'The quay', 'The crossing', 'Fog']);
    await desk.press('ControlOrMeta+Z');
    await desk.written(chapter);
  });

  it('leads through what is read, and follows it', async () => {
    await desk.open('chapter.md');
    await desk.press('ControlOrMeta+E');
    const article = desk.page.getByRole('article');
    await article.getByRole('heading', { name: 'Fog' }).waitFor();
    await rows().getByText('Fog', { exact: true }).click();
    await expect
      .poll(() => article.getByRole('heading', { name: 'Fog' }).evaluate((head) => head.getBoundingClientRect().top))
      .toBeLessThan(300);
    await expect.poll(() => current().textContent()).toBe('Fog');
    await desk.press('ControlOrMeta+Home');
    await desk.page.locator('.reading').evaluate((scroller) => {
      scroller.dispatchEvent(new WheelEvent('wheel'));
      scroller.scrollTop = 0;
    });
    await expect.poll(() => current().textContent()).toBe('The Ferry');
    await desk.press('ControlOrMeta+E');
  });

  it('shows what links here, and the documents of a tag', async () => {
    await desk.open('chapter.md');
    await panel().getByRole('button', { name: 'See [[chapter#North]] here.' }).waitFor();
    await panel().getByRole('button', { name: '#tide' }).click();
    await panel().getByRole('button', { name: 'tides.md' }).waitFor();
    await panel().getByRole('button', { name: 'See [[chapter#North]] here.' }).click();
    await position(/^Ln 3,/u);
    await panel().getByText('No document links here.').waitFor();
    await panel().getByRole('button', { name: 'Back to the files' }).click();
    await desk.page.getByRole('navigation', { name: 'Files' }).waitFor();
  });
});
