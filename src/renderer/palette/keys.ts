/** A key as it was pressed. */
export type KeyPress = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'> & {
  getModifierState?(name: string): boolean;
};

interface Binding {
  readonly key: string;
  readonly ctrl: boolean;
  readonly meta: boolean;
  readonly alt: boolean;
  readonly shift: boolean;
}

/** Reads a key of the command list (`Mod+Shift+P`). */
function parsed(binding: string, isMac: boolean): Binding {
  const parts = binding.split('+');
  const has = (name: string) => parts.slice(0, -1).includes(name);
  return {
    key: parts.at(-1)!.toLowerCase(),
    ctrl: has('Ctrl') || (!isMac && has('Mod')),
    meta: isMac && has('Mod'),
    alt: has('Alt'),
    shift: has('Shift'),
  };
}

const codes: Readonly<Record<string, string>> = { '`': 'Backquote', '\\': 'Backslash', ',': 'Comma', '.': 'Period', '/': 'Slash' };

/** The place of a key on a keyboard, for where the character says nothing: Shift changes it, or the layout has no such letters. */
function codeOf(key: string): string | undefined {
  if (/^[a-z]$/.test(key)) return `Key${key.toUpperCase()}`;
  return /^\d$/.test(key) ? `Digit${key}` : codes[key];
}

/**
 * Whether a key press is a binding. It goes by the character that the layout makes; by the place only where Shift makes another one of a
 * sign or digit, or the character is of no Latin letters. What AltGr types is never a command.
 */
export function isPressed(binding: string, event: KeyPress, isMac: boolean): boolean {
  const wanted = parsed(binding, isMac);
  const isAltGr = event.getModifierState?.('AltGraph') === true;
  if (isAltGr || wanted.ctrl !== event.ctrlKey || wanted.meta !== event.metaKey) return false;
  if (wanted.alt !== event.altKey || wanted.shift !== event.shiftKey) return false;
  const key = event.key.toLowerCase();
  if (key === wanted.key) return true;
  const isOtherScript = key.length === 1 && key > '\u00ff';
  const isShifted = (wanted.shift || wanted.alt) && !/^[a-z]$/.test(key);
  return (isOtherScript || isShifted) && codeOf(wanted.key) === event.code;
}

const macSigns: Readonly<Record<string, string>> = { Mod: '⌘', Ctrl: '⌃', Alt: '⌥', Shift: '⇧' };
const named: Readonly<Record<string, string>> = { PageDown: 'PgDn', PageUp: 'PgUp', ArrowUp: '↑', ArrowDown: '↓' };

/** How a key is shown on this system: `⇧⌘P`, `Ctrl+Shift+P`. */
export function shownKey(binding: string, isMac: boolean): string {
  const parts = binding.split('+');
  const key = parts.at(-1)!;
  const name = named[key] ?? key;
  const held = parts.slice(0, -1);
  if (!isMac) return [...held.map((part) => (part === 'Mod' ? 'Ctrl' : part)), name].join('+');
  const order = ['Ctrl', 'Alt', 'Shift', 'Mod'];
  return (
    held
      .sort((a, b) => order.indexOf(a) - order.indexOf(b))
      .map((part) => macSigns[part])
      .join('') + name
  );
}
