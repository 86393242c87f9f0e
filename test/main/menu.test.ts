import type { MenuItemConstructorOptions } from 'electron';
import { describe, expect, it } from 'vitest';
import { menuTemplate } from '#main/menu';
import { commands } from '#protocol/commands';

type Item = MenuItemConstructorOptions;
const flat = (items: readonly Item[]): Item[] => items.flatMap((item) => [item, ...flat((item.submenu ?? []) as Item[])]);
const made = (platform: NodeJS.Platform, locale = 'en', choose = (_: string) => {}) => menuTemplate({ platform, locale, choose });
const platforms: NodeJS.Platform[] = ['darwin', 'win32', 'linux'];

describe('the menus', () => {
  it.each(platforms)('hold every command of the list once, on %s', (platform) => {
    const ids = flat(made(platform)).flatMap(({ id }) => (id === undefined ? [] : [id]));
    const wanted = commands.filter(({ menu }) => menu !== null).map(({ id }) => id);
    expect(wanted.length).toBeGreaterThan(20);
    expect(ids.filter((id) => wanted.includes(id as never)).sort()).toEqual([...wanted].sort());
  });

  it('stand in the order of their platform', () => {
    const titles = (platform: NodeJS.Platform) => made(platform).map(({ id }) => id);
    expect(titles('linux')).toEqual(['file', 'edit', 'format', 'view', 'window', 'help']);
    expect(titles('darwin')).toEqual(['app', 'file', 'edit', 'format', 'view', 'window', 'help']);
  });

  it('give no key to two things', () => {
    for (const platform of platforms) {
      const keys = flat(made(platform)).flatMap(({ accelerator }) => (accelerator === undefined ? [] : [accelerator]));
      expect(keys.length).toBeGreaterThan(20);
      expect(new Set(keys).size, platform).toBe(keys.length);
    }
  });

  it('show the keys of the writer', () => {
    const items = flat(
      menuTemplate({ platform: 'linux', locale: 'en', choose: () => {}, keys: { 'format.bold': 'Mod+Shift+1', 'format.italic': '' } }),
    );
    const keyOf = (id: string) => items.find((item) => item.id === id)?.accelerator;
    expect([keyOf('format.bold'), keyOf('format.italic'), keyOf('format.link')]).toEqual(['CmdOrCtrl+Shift+1', undefined, 'CmdOrCtrl+K']);
  });

  it('leave what is chosen to its command, and the clipboard to the system', () => {
    const chosen: string[] = [];
    const items = flat(made('linux', 'en', (id) => chosen.push(id)));
    const item = (id: string) => items.find((known) => known.id === id)!;
    (item('window.coherence-breakdown').click as () => void)();
    expect(chosen).toEqual(['window.coherence-breakdown']);
    expect(['copy', 'cut', 'paste', 'selectAll'].map((role) => item(`role.${role}`).role)).toEqual(['copy', 'cut', 'paste', 'selectAll']);
    expect(item('role.copy').click).toBeUndefined();
  });

  it('speak one language, without a label that is a bare key', () => {
    for (const locale of ['en', 'es']) {
      for (const { label, type, id } of flat(made('darwin', locale))) {
        if (type === 'separator') continue;
        expect(label, id).toBeTruthy();
        expect(label, id).not.toMatch(/^\w+\.\w/u);
      }
    }
    expect(flat(made('linux', 'es')).find(({ id }) => id === 'role.copy')?.label).toBe('Copiar');
  });
});
