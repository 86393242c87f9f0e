import { type CommandId, commands, isCommandId, keysOf } from '#protocol/commands';

/** A kind of system, as far as keys differ. */
export type KeySystem = 'mac' | 'other';

/** The keys of each command, the one to be shown first; as in the command list (`Mod+Shift+P`). */
export type Keymap = ReadonlyMap<CommandId, readonly string[]>;

/** Settings under this prefix are keys of commands: `keys.format.bold`, with the keys between blanks; an empty text: none. */
export const keysPrefix = 'keys.';

/** The most keys that a command has. */
export const mostKeys = 4;

/** The keys of every command: the writer's own where there are such settings, else those of the command list. What is no key is left out. */
export function keymapOf(settings: Readonly<Record<string, unknown>>, system: KeySystem): Keymap {
  return new Map(
    commands.map((command) => {
      const own = settings[keysPrefix + command.id];
      const keys = typeof own === 'string' ? own.split(' ').filter((key) => keyFault(key, system) === null) : keysOf(command, system);
      return [command.id, [...new Set(keys)].slice(0, mostKeys)];
    }),
  );
}

/** The commands that the writer gave keys of their own. */
export const ownKeys = (settings: Readonly<Record<string, unknown>>): ReadonlySet<CommandId> =>
  new Set(
    Object.keys(settings)
      .filter((key) => key.startsWith(keysPrefix) && typeof settings[key] === 'string')
      .map((key) => key.slice(keysPrefix.length))
      .filter(isCommandId),
  );

/** A key with what is held in one order, so that equal keys are equal texts. */
export function canonicalKey(key: string, system: KeySystem): string {
  const parts = key.split('+');
  const held = parts.slice(0, -1).map((part) => (part === 'Ctrl' && system === 'other' ? 'Mod' : part));
  const order = ['Mod', 'Ctrl', 'Alt', 'Shift'];
  return [...order.filter((part) => held.includes(part)), parts.at(-1)!].join('+');
}

/** The other commands that have a key too; the first of the list is the one that hears it. */
export function rivals(keymap: Keymap, id: CommandId, key: string, system: KeySystem): readonly CommandId[] {
  const wanted = canonicalKey(key, system);
  return [...keymap].flatMap(([other, keys]) =>
    other !== id && keys.some((known) => canonicalKey(known, system) === wanted) ? [other] : [],
  );
}

/** Why a key cannot be a command's: it is none, it types something, it is what AltGr sends, or the system has it for itself. */
export type KeyFault = 'no-key' | 'types' | 'alt-gr' | 'system';

const clipboard = ['Mod+C', 'Mod+V', 'Mod+X', 'Mod+A'];
const ofSystem: Readonly<Record<KeySystem, readonly string[]>> = {
  mac: [...clipboard, 'Mod+Q', 'Mod+H', 'Mod+M', 'Mod+Alt+H', 'Mod+Tab', 'Mod+Shift+W'],
  other: [...clipboard, 'Alt+F4', 'Alt+Tab', 'Mod+Q', 'Mod+Shift+W'],
};

/** What is wrong with a key on a system; null: it can be a command's. */
export function keyFault(key: string, system: KeySystem): KeyFault | null {
  const shape = /^((?:(?:Mod|Ctrl|Alt|Shift)\+)*)(\S+)$/u.exec(key);
  const name = shape?.[2] ?? '';
  if (shape === null || name === '+' || (name.length > 1 && !named.test(name))) return 'no-key';
  const has = (part: string) => shape[1]!.includes(part);
  const isNamed = name.length > 1;
  if (!isNamed && system === 'other' && has('Alt') && (has('Mod') || has('Ctrl'))) return 'alt-gr';
  const isCommand = has('Mod') || has('Ctrl');
  const types = isNamed ? !/^F\d/u.test(name) && !has('Alt') : !has('Alt') || system === 'mac';
  if (!isCommand && types) return 'types';
  return ofSystem[system].includes(canonicalKey(key, system)) ? 'system' : null;
}

const named = /^(?:F(?:[1-9]|1\d|2[0-4])|Arrow(?:Up|Down|Left|Right)|Page(?:Up|Down)|Home|End|Insert|Delete|Backspace|Enter|Tab)$/u;

/** Whether a browser keeps a key for itself, so that a command needs a second one there. */
export const isKeptByBrowser = (key: string, system: KeySystem): boolean =>
  /^(?:Mod\+(?:Shift\+)?[WNT]|(?:Mod|Ctrl)\+(?:Shift\+)?Tab|Mod\+Page(?:Up|Down)|F11)$/u.test(canonicalKey(key, system));
