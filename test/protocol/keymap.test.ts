import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commands, keysOf } from '#protocol/commands';
import { canonicalKey, isKeptByBrowser, keyFault, keymapOf, ownKeys, rivals } from '#protocol/keymap';

const systems = ['mac', 'other'] as const;
const settings = fc.dictionary(
  fc.constantFrom(...commands.map(({ id }) => `keys.${id}`), 'keys.none', 'editor.size'),
  fc.oneof(fc.constantFrom('', 'Mod+K', 'Alt+Shift+K Mod+K', 'Ctrl+Alt+Q', 'x', 'Mod+'), fc.integer()),
);

describe('the keys of the writer', () => {
  it('are those of the command list at first, which are keys that a command may have and no two share', () => {
    for (const system of systems) {
      const keymap = keymapOf({}, system);
      for (const command of commands) {
        expect(keymap.get(command.id)).toEqual(keysOf(command, system));
        for (const key of keysOf(command, system)) {
          expect(keyFault(key, system), `${command.id} ${key}`).toBeNull();
          expect(rivals(keymap, command.id, key, system), key).toEqual([]);
        }
      }
    }
  });

  it('are never what types something, whatever stands in the settings', () => {
    fc.assert(
      fc.property(settings, fc.constantFrom(...systems), (written, system) => {
        const keymap = keymapOf(written, system);
        expect([...keymap.keys()]).toEqual(commands.map(({ id }) => id));
        for (const keys of keymap.values()) for (const key of keys) expect(keyFault(key, system)).toBeNull();
        for (const id of ownKeys(written)) expect(typeof written[`keys.${id}`]).toBe('string');
      }),
    );
  });

  it('take the place of the first ones, also by none', () => {
    const keymap = keymapOf({ 'keys.format.bold': 'Mod+Shift+1 F2', 'keys.format.italic': '' }, 'other');
    expect([keymap.get('format.bold'), keymap.get('format.italic')]).toEqual([['Mod+Shift+1', 'F2'], []]);
  });

  it('clash where they are the same key, however they are written', () => {
    const keymap = keymapOf({ 'keys.format.bold': 'Ctrl+I' }, 'other');
    expect(rivals(keymap, 'format.bold', 'Ctrl+I', 'other')).toEqual(['format.italic']);
    expect(rivals(keymap, 'format.italic', 'Mod+I', 'other')).toEqual(['format.bold']);
    expect(rivals(keymapOf({ 'keys.format.bold': 'Ctrl+I' }, 'mac'), 'format.bold', 'Ctrl+I', 'mac')).toEqual([]);
    expect(canonicalKey('Shift+Alt+Mod+X', 'mac')).toBe('Mod+Alt+Shift+X');
  });

  it.each([
    ['b', 'other', 'types'],
    ['Shift+ArrowUp', 'other', 'types'],
    ['Enter', 'other', 'types'],
    ['Alt+P', 'mac', 'types'],
    ['Mod+Alt+Q', 'other', 'alt-gr'],
    ['Mod+Alt+7', 'other', 'alt-gr'],
    ['Mod+C', 'other', 'system'],
    ['Mod+Q', 'mac', 'system'],
    ['Mod++', 'other', 'no-key'],
    ['Mod+Dead', 'other', 'no-key'],
    ['Mod+Alt+P', 'mac', null],
    ['F8', 'other', null],
    ['Alt+P', 'other', null],
    ['Mod+ö', 'other', null],
    ['Mod+Alt+ArrowUp', 'other', null],
  ] as const)('%s on %s: %s', (key, system, fault) => {
    expect(keyFault(key, system)).toBe(fault);
  });

  it('of a browser are known', () => {
    expect(['Mod+W', 'Mod+Shift+T', 'Ctrl+Tab', 'Mod+PageDown'].every((key) => isKeptByBrowser(key, 'other'))).toBe(true);
    expect(['Mod+S', 'Alt+W', 'Mod+1'].some((key) => isKeptByBrowser(key, 'other'))).toBe(false);
  });
});
