import type { BreakdownStory } from './breakdown-story.ts';

/** A view of the breakdown in the book in which every state occurs: how it is reached, and how it is left as it was. */
export interface Scene {
  readonly name: string;
  show(): Promise<unknown>;
  leave(): Promise<unknown>;
}

/** Every dialog, the rows open that show most, the notices, a menu and the folded groups. By keys and places only, so in any language. */
export function breakdownScenes({ page: of }: { readonly page: () => BreakdownStory['page'] }): readonly Scene[] {
  const row = (artifact: string, nth = 0) => of().locator(`.bd-group[aria-label="${artifact}"] .bd-row`).nth(nth);
  const press = async (...keys: string[]) => {
    for (const key of keys) await of().keyboard.press(key);
  };
  const dialog = () => of().getByRole('dialog');
  const closed = async () => {
    await press('Escape');
    await dialog().waitFor({ state: 'detached' });
  };
  const at = async (artifact: string, ...keys: string[]) => {
    await row(artifact).locator('.bd-head').focus();
    await press(...keys);
  };
  const opened = (artifact: string, nth = 0): Scene => ({
    name: `the row ${nth + 1} of ${artifact}`,
    async show() {
      await row(artifact, nth).locator('.bd-head').focus();
      await press('Enter');
      await row(artifact, nth).locator('.bd-choices').waitFor();
      await row(artifact, nth).locator('.bd-doc, .bd-about').first().waitFor();
    },
    leave: () => press('Escape'),
  });
  const asked = (name: string, artifact: string, key: string, ready: string): Scene => ({
    name,
    async show() {
      await at(artifact, key);
      await dialog().locator(ready).first().waitFor();
    },
    leave: closed,
  });
  const several = (name: string, key: string): Scene => ({
    name,
    async show() {
      for (const artifact of ['chapters/11-a-proof.md', 'chapters/15-later.md', 'chapters/05-marcus.md']) await at(artifact, 'x');
      await press(key);
      await dialog().locator('.bd-recorded').first().waitFor();
    },
    async leave() {
      await closed();
      await press('Escape');
      await of().locator('.bd-selection').waitFor({ state: 'detached' });
    },
  });
  const fold = async (isOpen: boolean) => {
    for (const group of await of().locator('.bd-folded').all())
      if ((await group.getAttribute('open')) === (isOpen ? null : '')) await group.locator('summary').press('Enter');
  };
  return [
    {
      name: 'the notices unfolded',
      show: () => of().locator('.bd-notices > summary').press('Enter'),
      leave: () => of().locator('.bd-notices > summary').press('Enter'),
    },
    opened('chapters/01-the-ferry.md'),
    opened('chapters/02-the-letter.md'),
    opened('chapters/03-low-water.md'),
    opened('chapters/04-north.md'),
    opened('chapters/05-marcus.md'),
    opened('chapters/06-two-endings.md'),
    opened('chapters/07-the-bank.md'),
    opened('chapters/10-afterword.md'),
    opened('chapters/13-comma.md'),
    opened('chapters/16-the-loan.md'),
    opened('chapters/17-the-crane.md'),
    {
      name: 'a waiver that is refused',
      async show() {
        await at('chapters/11-a-proof.md', 'Enter');
        await row('chapters/11-a-proof.md').locator('.bd-choices').waitFor();
        await press('w');
        await row('chapters/11-a-proof.md').locator('form input').first().press('Enter');
        await row('chapters/11-a-proof.md').locator('.react-aria-FieldError').waitFor();
      },
      leave: () => press('Escape', 'Escape'),
    },
    asked('the sections of a source', 'chapters/02-the-letter.md', 's', '.bd-section'),
    asked('the question before a document is finished', 'chapters/15-later.md', 'f', 'input'),
    asked('what a source would touch', 'chapters/15-later.md', 't', 'li'),
    asked('the keys', 'chapters/15-later.md', '?', 'dl'),
    several('accepting several', 'a'),
    several('waiving several', 'w'),
    {
      name: 'joining, in words of one own',
      async show() {
        await row('chapters/06-two-endings.md').locator('.bd-menu-button').press('Enter');
        await of().getByRole('menuitem').first().press('Enter');
        await dialog().getByRole('radio').last().focus();
        await press('Space');
        await dialog().getByRole('textbox').fill('');
        await dialog().locator('.react-aria-FieldError').waitFor();
      },
      leave: closed,
    },
    {
      name: 'the menu of a row',
      async show() {
        await row('chapters/02-the-letter.md').locator('.bd-menu-button').press('Enter');
        await of().getByRole('menuitem').first().waitFor();
      },
      leave: () => press('Escape'),
    },
    {
      name: 'the folded groups',
      async show() {
        await fold(true);
        await of().locator('.bd-log').waitFor();
        await of().locator('.bd-unknown .bd-button').first().press('Enter');
        await of().locator('.bd-proposal').waitFor();
      },
      leave: () => fold(false),
    },
  ];
}
