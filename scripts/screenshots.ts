// `npm run screenshots [-- --all]`: the main screens as docs/screenshots/SCREEN-LANGUAGE-THEME-WIDTH.png, from the sample workspace, at a
// fixed moment in UTC. With --all every screen in every language, theme and width, into .tmp/screenshots, to be looked at.
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { BrowserContext, Page } from 'playwright-core';
import { copySample } from '#web/sample';
import { launchBrowser } from '../e2e/launch.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const isAll = process.argv.includes('--all');
const folder = join(root, isAll ? '.tmp/screenshots' : 'docs/screenshots');
/** The moment of every picture. */
const moment = Date.parse('2026-12-01T10:42:00Z');

interface Look {
  readonly language: 'en' | 'es';
  readonly theme: 'light' | 'dark';
  readonly width: 800 | 1600;
}

/** What is kept of all the pictures: each screen once, and both languages, themes and widths where they matter most. */
const kept = new Set(
  `welcome-en-light-1600 editor-en-light-1600 palette-en-light-1600 settings-en-light-1600 compare-en-light-1600 breakdown-en-light-1600
  breakdown-open-en-light-1600 waive-en-light-1600 still-rests-en-light-1600 no-ledger-en-light-1600 nothing-stale-en-light-1600
  editor-en-dark-1600 breakdown-open-en-dark-1600 keys-en-dark-1600 breakdown-open-es-light-1600 settings-es-dark-1600
  palette-es-dark-1600 editor-en-light-800 breakdown-open-en-light-800 welcome-es-dark-800 panel-es-dark-800 breakdown-es-dark-800
  waive-es-dark-800 compare-es-light-800`.split(/\s+/),
);

const looks: Look[] = [];
for (const language of ['en', 'es'] as const)
  for (const theme of ['light', 'dark'] as const) for (const width of [1600, 800] as const) looks.push({ language, theme, width });

/** A page in one look, over a folder, and how it is pictured. */
interface Stage {
  readonly page: Page;
  readonly look: Look;
  readonly folder: string;
  shoot(screen: string): Promise<void>;
}

const place = realpathSync.native(mkdtempSync(join(tmpdir(), 'stemma-pictures-')));
mkdirSync(folder, { recursive: true });
try {
  const clock = writeClock();
  for (const look of looks) {
    const sample = () => copySample(join(root, 'resources/sample'), makeFolder());
    await onStage(look, await sample(), clock, {}, showWelcome);
    await onStage(look, await sample(), clock, { 'view.begun': true }, showEditor);
    await onStage(look, await sample(), clock, { 'view.begun': true, 'saving.autosave': 'off' }, showChangeOutside);
    await onStage(look, await sample(), clock, { 'view.begun': true }, showBreakdown);
    await onStage(look, makeNotes(), clock, { 'view.begun': true }, showEmptyStates);
  }
} finally {
  rmSync(place, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}

function makeFolder(): string {
  return mkdtempSync(join(place, 'shelf-'));
}

/** A folder that has no ledger. */
function makeNotes(): string {
  const notes = join(makeFolder(), 'Field notes');
  mkdirSync(notes);
  writeFileSync(join(notes, 'tides.md'), '# Tides\n\nHigh water at Corran Point comes forty minutes after the harbour.\n');
  writeFileSync(join(notes, 'letters.md'), '# Letters\n\nNothing from Anders since the spring.\n');
  return notes;
}

/** A module that moves the clock of the server to the moment; it goes on from there. */
function writeClock(): string {
  const file = join(place, 'clock.mjs');
  const code = `const ahead = ${moment} - Date.now(); const now = Date.now; Date.now = () => now() + ahead;
globalThis.Date = class extends Date { constructor(...given) { given.length === 0 ? super(Date.now()) : super(...given); } };\n`;
  writeFileSync(file, code);
  return pathToFileURL(file).href;
}

async function onStage(look: Look, at: string, clock: string, settings: object, show: (stage: Stage) => Promise<void>): Promise<void> {
  const home = join(makeFolder(), 'home');
  mkdirSync(home);
  writeFileSync(join(home, 'settings.json'), JSON.stringify({ app: settings }));
  const env = { NODE_OPTIONS: `--import ${clock}`, TZ: 'UTC' };
  const app = await launchBrowser(at, { home, env });
  try {
    const state = await app.page.context().storageState();
    const context = await app.browser.newContext({ ...contextOptions(look), storageState: state });
    const page = await openPage(context, new URL(app.url).origin);
    await show({ page, look, folder: at, shoot: (screen) => shoot(page, look, screen) });
  } finally {
    await app.stop();
  }
}

function contextOptions({ language, theme, width }: Look) {
  return {
    viewport: { width, height: 1000 },
    deviceScaleFactor: 1,
    locale: language === 'en' ? 'en-GB' : 'es-ES',
    timezoneId: 'UTC',
    colorScheme: theme,
    reducedMotion: 'reduce' as const,
  };
}

async function openPage(context: BrowserContext, origin: string): Promise<Page> {
  const page = await context.newPage();
  // Later than the server's, whose clock goes on: nothing may lie ahead.
  await page.clock.setFixedTime(moment + 55_000);
  await page.goto(origin);
  await page.locator('[data-region="files"] [role="row"]').first().waitFor();
  return page;
}

async function shoot(page: Page, { language, theme, width }: Look, screen: string): Promise<void> {
  const name = `${screen}-${language}-${theme}-${width}`;
  if (!isAll && !kept.has(name)) return;
  // What comes by a worker or after a rest: counts of words, the list of files.
  await page.waitForTimeout(500);
  await page.screenshot({ path: join(folder, `${name}.png`), caret: 'initial' });
  console.log(name);
}

async function showWelcome({ page, shoot }: Stage): Promise<void> {
  await shoot('welcome');
  // Never kept: it shows folders of this machine.
  await page.locator('.offer button').click();
  await page.locator('.folders').waitFor();
  await shoot('sample-picker');
}

async function showEditor({ page, shoot }: Stage): Promise<void> {
  for (const path of ['bible/mira.md', 'outline.md', 'chapters/03-the-fourth-step.md']) await openDocument(page, path);
  await press(page, 'End', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown');
  await press(page, 'ControlOrMeta+Shift+E');
  await page.locator('.panel article, .panel li').first().waitFor();
  await shoot(page.viewportSize()!.width === 800 ? 'panel' : 'editor');
  await press(page, 'ControlOrMeta+Shift+E');
  if (page.viewportSize()!.width === 800) await shoot('editor');
  await press(page, 'ControlOrMeta+Shift+P');
  await page.keyboard.type('co');
  await shoot('palette');
  await press(page, 'Escape', 'ControlOrMeta+P');
  await shoot('quick-open');
  await press(page, 'Escape', 'ControlOrMeta+F');
  await page.keyboard.type('the');
  await shoot('find');
  await press(page, 'Escape', 'ControlOrMeta+,');
  await page.getByRole('dialog').waitFor();
  await shoot('settings');
}

async function showChangeOutside({ page, folder, shoot }: Stage): Promise<void> {
  await openDocument(page, 'chapters/03-the-fourth-step.md');
  await press(page, 'ControlOrMeta+End');
  await page.keyboard.type('\nNobody wrote that down.\n');
  const chapter = join(folder, 'chapters/03-the-fourth-step.md');
  const theirs = readFileSync(chapter, 'utf8')
    .replace('aloud, as inspectors do', 'under his breath')
    .replace('her left hand', 'her right hand');
  writeFileSync(chapter, theirs);
  await page.locator('.change-bar button').first().waitFor();
  await shoot('change-bar');
  await page.locator('.change-bar button').first().click();
  await page.locator('.cm-merge-b').waitFor();
  await shoot('compare');
}

async function showBreakdown({ page, look, folder, shoot }: Stage): Promise<void> {
  const outline = join(folder, 'outline.md');
  writeFileSync(
    outline,
    readFileSync(outline, 'utf8').replace('who has the page and will not give it up', 'who read the page before it burned'),
  );
  appendFileSync(join(folder, 'bible/corran-point.md'), '\nFrom the stairs one sees the boat-house, and nothing else.\n');
  await press(page, 'ControlOrMeta+Shift+B');
  await page.locator('.bd-row').first().waitFor();
  const rows = page.locator('.bd-row');
  // One difference is waived, so that the list shows what that looks like.
  await rows.nth(2).locator('.bd-head').click();
  await page.locator('.bd-change ins, ins').first().waitFor();
  await page.keyboard.press('w');
  await page
    .locator('form input')
    .first()
    .fill(look.language === 'en' ? 'Anders never saw the boat-house.' : 'Anders nunca vio la caseta.');
  await page.keyboard.press('Enter');
  await page.locator('.bd-header .bd-outline').click();
  await page.locator('[data-state="waived"]').first().waitFor();
  await shoot('breakdown');
  const stale = page.locator('.bd-row', { hasText: 'bible/mira.md' });
  await stale.locator('.bd-head').click();
  await stale.locator('ins').first().waitFor();
  await shoot('breakdown-open');
  await page.keyboard.press('w');
  await page.locator('form input').first().waitFor();
  await shoot('waive');
  await press(page, 'Escape', '?');
  await shoot('keys');
  await press(page, 'Escape', 'r');
  await page.locator('.panel ins').first().waitFor();
  await shoot('revise');
  await press(page, 'ControlOrMeta+End');
  await page.keyboard.type('\nShe changed hands.\n');
  await press(page, 'ControlOrMeta+S');
  await page.locator('.bd-still').waitFor();
  await shoot('still-rests');
}

async function showEmptyStates({ page, shoot }: Stage): Promise<void> {
  await press(page, 'ControlOrMeta+Shift+B');
  await page.locator('.bd-empty').waitFor();
  await shoot('no-ledger');
  await page.locator('.bd-empty button').first().click();
  await page.waitForTimeout(400);
  await shoot('nothing-tracked');
  await page.locator('.back').click();
  await openDocument(page, 'tides.md');
  await press(page, 'ControlOrMeta+End');
  await page.keyboard.type('At springs, fifty.\n');
  await press(page, 'ControlOrMeta+S');
  await page.waitForTimeout(1500);
  await press(page, 'ControlOrMeta+Shift+B');
  await page.locator('.bd-empty').waitFor();
  await shoot('nothing-stale');
}

async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

async function openDocument(page: Page, path: string): Promise<void> {
  await press(page, 'ControlOrMeta+P');
  await page.getByRole('combobox').fill(path);
  await page.getByRole('option', { selected: true }).waitFor();
  await press(page, 'Enter');
  await page.locator('[role="tab"][aria-selected="true"]', { hasText: path.slice(path.lastIndexOf('/') + 1) }).waitFor();
  await page.locator('.cm-content').waitFor();
  await page.waitForTimeout(150);
}
