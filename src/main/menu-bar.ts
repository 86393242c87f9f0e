import { app, BrowserWindow, Menu } from 'electron';
import { type CommandId, commands } from '#protocol/commands';
import type { WindowReport } from '#protocol/desktop';
import { menuTemplate } from './menu.ts';
import { followSpelling } from './spelling.ts';

/** The menu bar of the program: it follows the window in front. */
export interface MenuBar {
  /** The language of the window that reported last, before the first report that of the system. */
  locale(): string;
  report(state: WindowReport, window: BrowserWindow): void;
  focused(window: BrowserWindow): void;
}

/** Sets the menus of the program. `choose` is told the chosen command and the window in front, if there is one. */
export function createMenuBar(systemLocale: string, choose: (id: CommandId, window: BrowserWindow | undefined) => void): MenuBar {
  const reports = new WeakMap<BrowserWindow, WindowReport>();
  let locale = systemLocale;
  let keys: WindowReport['keys'] = {};
  let last: BrowserWindow | undefined;
  const build = () => {
    // While a menu is open, some systems count no window as focused.
    const front = () => BrowserWindow.getFocusedWindow() ?? (last?.isDestroyed() ? undefined : last);
    Menu.setApplicationMenu(
      Menu.buildFromTemplate(menuTemplate({ platform: process.platform, locale, keys, choose: (id) => choose(id, front()) })),
    );
  };
  const follow = (window: BrowserWindow) => {
    last = window;
    const can = reports.get(window)?.can;
    const menu = Menu.getApplicationMenu();
    for (const { id, needs } of commands) {
      const item = menu?.getMenuItemById(id);
      if (item) item.enabled = can === undefined || needs === 'nothing' || can.includes(needs);
    }
  };
  build();
  return {
    locale: () => locale,
    report(state, window) {
      reports.set(window, state);
      followSpelling(window.webContents.session, state.spelling, app.getPreferredSystemLanguages(), process.platform === 'darwin');
      window.setTitle(state.title);
      if (process.platform === 'darwin') window.setDocumentEdited(state.edited);
      const isOther = state.locale !== locale || JSON.stringify(state.keys) !== JSON.stringify(keys);
      locale = state.locale;
      keys = state.keys;
      if (isOther) build();
      // A menu that was made anew knows nothing of what can be done.
      if (isOther && last !== undefined && !last.isDestroyed()) follow(last);
      if (window.isFocused() || last === undefined) follow(window);
    },
    focused: follow,
  };
}
