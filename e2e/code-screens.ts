import type { Page } from 'playwright-core';
import { handsOn } from './hands-on.ts';
import type { Screen } from './screens.ts';
import { openBreakdown } from './writer.ts';

/** A function that says something else with another limit. */
export const functionOf = (name: string, limit: number) =>
  `export function ${name}(path: string): string[] {\n  const parts = path.split("/");\n  return parts.length > ${limit} ? [] : parts;\n}\n`;

/** The boxes and rows about code and pairs; a merge is open in the page. `chapter` describes a function, and is paired with `source`. */
export function codeScreens(page: Page, write: (path: string, text: string) => void, chapter: string, source: string): readonly Screen[] {
  const { press, button, box, command, opened } = handsOn(page);
  const row = page.locator('.code-rows li.bd-row').first();
  return [
    [
      'the picker of code',
      async () => {
        await press('Escape');
        await button('Take theirs').click();
        await opened(chapter);
        await command('Anchor to code…');
        await box('Anchor to code').getByRole('combobox', { name: 'File' }).fill('languages');
        await box('Anchor to code').getByRole('option', { name: 'src/languages.ts' }).waitFor();
      },
    ],
    [
      'a declaration before it is picked',
      async () => {
        await press('Enter');
        await box('Anchor to code').getByRole('region', { name: 'Preview of function languageForPath' }).waitFor();
      },
    ],
    [
      'the other document of a pair',
      async () => {
        await command('Pair with…');
        await page.getByRole('combobox', { name: 'The other document' }).fill('ines');
        await page.getByRole('option', { name: source }).waitFor();
      },
    ],
    [
      'the breakdown with a pair that is out of step',
      async () => {
        await press('Enter');
        await page.getByText(/are a pair now\./u).waitFor();
        write(source, '# Ines\n\nInes is right-handed.\n');
        write('src/languages.ts', functionOf('languageForPath', 9));
        await openBreakdown(page);
        await page
          .getByRole('listitem', { name: new RegExp(`${source}: `, 'u') })
          .first()
          .getByRole('button', { expanded: false })
          .click();
        await page.locator('.bd-row ins').first().waitFor();
      },
    ],
    [
      'code that has changed',
      async () => {
        await row.getByRole('button', { expanded: false }).click();
        await button('Confirm reviewed', row).waitFor();
      },
    ],
    [
      'other code for a text',
      async () => {
        await row.getByRole('button', { expanded: true }).focus();
        await press('b');
        await box('Rebind to other code').getByRole('region', { name: 'Preview of function languageForPath' }).waitFor();
      },
    ],
    [
      'lines instead of a declaration',
      async () => {
        await button('Lines instead', box('Rebind to other code')).click();
        await box('Rebind to other code').getByLabel('From line').waitFor();
      },
    ],
    [
      'an anchor that is removed',
      async () => {
        await press('Escape');
        await box('Rebind to other code').waitFor({ state: 'detached' });
        await button('Remove', row).click();
        await box('Remove this anchor?').waitFor();
      },
    ],
    [
      'anchors that are confirmed together',
      async () => {
        await press('Escape');
        await box('Remove this anchor?').waitFor({ state: 'detached' });
        await row.getByRole('button', { expanded: true }).focus();
        await press('x');
        await page.getByRole('region', { name: 'Selected rows about code' }).getByText('1 row').waitFor();
        await press('a');
        await box('Confirm 1 code anchor').locator('ins').first().waitFor();
      },
    ],
    [
      'code that is gone',
      async () => {
        await press('Escape');
        await box('Confirm 1 code anchor').waitFor({ state: 'detached' });
        await button('Clear selection').click();
        await row.getByRole('button', { expanded: true }).press('Enter');
        write('src/languages.ts', 'export const other = () => ["something", "else", "altogether", 1, 2, 3];\n');
        await button('Refresh').click();
        await page.locator('.code-rows li.bd-row[data-state=lost]').waitFor();
        await row.getByRole('button', { expanded: false }).click();
        await button('Describes removed code', row).waitFor();
      },
    ],
    [
      'why a text describes code that is gone',
      async () => {
        await button('Describes removed code', row).click();
        await box('This text describes removed code').getByRole('textbox', { name: 'Reason' }).waitFor();
      },
    ],
  ];
}
