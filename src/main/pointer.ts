import { BrowserWindow, Menu, type WebContents } from 'electron';
import { contextTemplate } from './context-menu.ts';

/** Shows the system's menu where the writer points, in text and fields; pages' own menus come first. */
export function offerContextMenu(contents: WebContents, locale: () => string): void {
  contents.on('context-menu', (_event, params) => {
    const template = contextTemplate(params, locale(), {
      replace: (word) => contents.replaceMisspelling(word),
      learn: (word) => void contents.session.addWordToSpellCheckerDictionary(word),
    });
    const window = BrowserWindow.fromWebContents(contents);
    if (template.length > 0 && window !== null) Menu.buildFromTemplate(template).popup({ window });
  });
}
