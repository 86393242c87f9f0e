import type { MenuItemConstructorOptions } from 'electron';
import { type Command, type CommandId, commands, commandTitle, keysOf, type Menu, menus, menuTitle } from '#protocol/commands';
import { shellWords } from './words.ts';

type Item = MenuItemConstructorOptions;
type Role = NonNullable<Item['role']>;

/** What a menu is made for. */
export interface MenuMaking {
  readonly platform: NodeJS.Platform;
  readonly locale: string;
  readonly choose: (id: CommandId) => void;
  /** The writer's own keys, where they are others than those of the command list; empty: none. */
  readonly keys?: Readonly<Partial<Record<CommandId, string>>>;
}

/** Commands that stand in the application's own menu on macOS. */
const appCommands: readonly CommandId[] = ['help.about', 'app.settings'];

/**
 * The menus of the program in the platform's order: every command at its place with its key, and what the system does by roles. The page
 * hears the keys first and itself; here they are shown (`registerAccelerator`), so that a key never acts twice. Undo and redo are no roles:
 * Chromium knows nothing of the editor's history, and its own redo stays empty.
 */
export function menuTemplate(making: MenuMaking): Item[] {
  const isMac = making.platform === 'darwin';
  const bars = menus.map((menu) => barOf(menu, making)).filter(({ submenu }) => (submenu as Item[]).length > 0);
  return isMac ? [appMenu(making), ...bars] : bars;
}

function barOf(menu: Menu, making: MenuMaking): Item {
  const isMac = making.platform === 'darwin';
  const own = commands.filter((command) => command.menu === menu && !(isMac && appCommands.includes(command.id)));
  const groups = Map.groupBy(own, ({ group }) => group);
  const parts = [...groups.values()].map((group) => group.map((command) => commandItem(command, making)));
  const role: Partial<Item> = menu === 'window' ? { role: 'window' } : menu === 'help' ? { role: 'help' } : {};
  return { ...role, id: menu, label: menuTitle(menu, making.locale), submenu: parted([...parts, ...nativeParts(menu, making)]) };
}

/** What the system does in a menu, after the commands. */
function nativeParts(menu: Menu, making: MenuMaking): Item[][] {
  const isMac = making.platform === 'darwin';
  const roles = (...names: Role[]) => names.map((name) => roleItem(name, making.locale));
  // Mod+W closes a tab; the window has the key that browsers and editors give it.
  const close: Item = { ...roleItem('close', making.locale), accelerator: 'CmdOrCtrl+Shift+W' };
  if (menu === 'file') return isMac ? [[close]] : [[close], roles('quit')];
  if (menu === 'edit') return [roles('cut', 'copy', 'paste', 'pasteAndMatchStyle', 'selectAll')];
  if (menu === 'view') return [roles('resetZoom', 'zoomIn', 'zoomOut'), roles('togglefullscreen')];
  if (menu === 'window') return [isMac ? roles('minimize', 'zoom', 'front') : roles('minimize')];
  return [];
}

function appMenu(making: MenuMaking): Item {
  const item = (id: CommandId) => commandItem(commands.find((command) => command.id === id)!, making);
  const roles = (...names: Role[]) => names.map((name) => roleItem(name, making.locale));
  const parts = [...appCommands.map((id) => [item(id)]), roles('services'), roles('hide', 'hideOthers', 'unhide'), roles('quit')];
  return { id: 'app', label: 'Stemma', submenu: parted(parts) };
}

function commandItem(command: Command, { platform, locale, choose, keys = {} }: MenuMaking): Item {
  const [first = ''] = keysOf(command, platform === 'darwin' ? 'mac' : 'other');
  const key = keys[command.id] ?? first;
  const shown = key === '' ? {} : { accelerator: acceleratorOf(key), registerAccelerator: false };
  const label = commandTitle(command.id, locale);
  return { id: command.id, label, ...shown, click: () => choose(command.id) };
}

/** A key of the command list as Electron writes it. */
function acceleratorOf(key: string): string {
  return key.replace('Mod+', 'CmdOrCtrl+').replace('Arrow', '');
}

const roleItem = (role: Role, locale: string): Item => ({ id: `role.${role}`, role, label: shellWords(locale)(`roles.${role}`) });

function parted(parts: Item[][]): Item[] {
  const filled = parts.filter((part) => part.length > 0);
  return filled.flatMap((part, index) => (index === 0 ? part : [{ type: 'separator' }, ...part]));
}
