import { app } from './app.ts';
import { focusOrder, notModelled, record } from './registry.ts';
import type { BrowserWindow } from './window.ts';

type Template = Electron.MenuItemConstructorOptions;
type Role = NonNullable<Template['role']>;

/** Roles that are commands of Chromium's editor, which acts in whatever has the focus of the page. */
const editorCommands: Readonly<Partial<Record<Role, string>>> = {
  undo: 'Undo',
  redo: 'Redo',
  cut: 'Cut',
  copy: 'Copy',
  paste: 'Paste',
  pasteAndMatchStyle: 'PasteAndMatchStyle',
  delete: 'Delete',
  selectAll: 'SelectAll',
};

/** `MenuItem` (electron.d.ts). The keys that roles have of themselves are not modelled. */
export class MenuItem {
  readonly id: string;
  readonly role: Role | undefined;
  readonly type: string;
  readonly accelerator: string | undefined;
  readonly registerAccelerator: boolean;
  readonly submenu: Menu | undefined;
  label: string;
  enabled: boolean;
  visible: boolean;
  checked: boolean;
  menu: Menu | undefined;
  readonly #click: Template['click'];

  constructor(template: Template) {
    this.id = template.id ?? '';
    this.role = template.role;
    this.submenu = Array.isArray(template.submenu) ? Menu.buildFromTemplate(template.submenu) : (template.submenu as Menu | undefined);
    this.type = template.type ?? (this.submenu ? 'submenu' : 'normal');
    if (!['normal', 'submenu', 'separator'].includes(this.type)) throw notModelled(`menu item type ${this.type}`);
    this.accelerator = template.accelerator as string | undefined;
    this.registerAccelerator = template.registerAccelerator ?? true;
    this.label = template.label ?? template.role ?? '';
    this.enabled = template.enabled ?? true;
    this.visible = template.visible ?? true;
    this.checked = template.checked ?? false;
    this.#click = template.click;
  }
  /** What a click on the item does; one that is disabled cannot be clicked. */
  click(): void {
    if (!this.enabled || !this.visible) throw new Error(`electron-double: menu item ${this.label} is disabled or hidden`);
    const window = focusOrder.at(-1);
    if (this.role) playRole(this.role, window);
    else this.#click?.(this as never, window as never, {});
  }
}

function playRole(role: Role, window: BrowserWindow | undefined): void {
  record('menu.role', role);
  const command = editorCommands[role];
  if (command !== undefined) void window?.webContents.runEditorCommand(command);
  else if (role === 'quit') app.quit();
  else if (role === 'close') window?.close();
  else if (role === 'minimize') window?.minimize();
  else throw notModelled(`menu role ${role}`);
}

/** `Menu` (electron.d.ts). */
export class Menu {
  static #application: Menu | null = null;
  readonly items: MenuItem[] = [];
  static buildFromTemplate(template: (Template | MenuItem)[]): Menu {
    const menu = new Menu();
    for (const item of template) menu.append(item instanceof MenuItem ? item : new MenuItem(item));
    return menu;
  }
  static setApplicationMenu(menu: Menu | null): void {
    Menu.#application = menu;
  }
  static getApplicationMenu = (): Menu | null => Menu.#application;
  append(item: MenuItem): void {
    item.menu = this;
    this.items.push(item);
  }
  getMenuItemById(id: string): MenuItem | null {
    for (const item of this.items) {
      const found = item.id === id ? item : (item.submenu?.getMenuItemById(id) ?? null);
      if (found) return found;
    }
    return null;
  }
  popup(): void {
    throw notModelled('Menu.popup');
  }
}

/** A key that the page left alone. */
export interface PressedKey {
  readonly key: string;
  readonly ctrl: boolean;
  readonly meta: boolean;
  readonly alt: boolean;
  readonly shift: boolean;
}

/** Clicks the items of the application's menu whose key is registered and was pressed. */
export function pressInMenu(pressed: PressedKey, menu = Menu.getApplicationMenu()): void {
  for (const item of menu?.items ?? []) {
    if (item.submenu) pressInMenu(pressed, item.submenu);
    if (item.registerAccelerator && item.enabled && item.accelerator && isKeyOf(item.accelerator, pressed)) item.click();
  }
}

function isKeyOf(accelerator: string, pressed: PressedKey): boolean {
  const parts = accelerator.toLowerCase().split('+');
  const has = (...names: string[]) => names.some((name) => parts.includes(name));
  return (
    pressed.key.toLowerCase() === parts.at(-1) &&
    pressed.ctrl === has('cmdorctrl', 'commandorcontrol', 'ctrl', 'control') &&
    pressed.shift === has('shift') &&
    pressed.alt === has('alt', 'option') &&
    pressed.meta === has('super', 'meta')
  );
}
