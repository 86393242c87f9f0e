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

const known: Readonly<Record<'mac' | 'other', Map<string, Binding>>> = { mac: new Map(), other: new Map() };

/** Reads a key of the command list (`Mod+Shift+P`); once each, for all are looked at with every key that is pressed. */
function parsed(binding: string, isMac: boolean): Binding {
  const bindings = known[isMac ? 'mac' : 'other'];
  const before = bindings.get(binding);
  if (before !== undefined) return before;
  const made = readBinding(binding, isMac);
  bindings.set(binding, made);
  return made;
}

function readBinding(binding: string, isMac: boolean): Binding {
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

const codes: Readonly<Record<string, string>> = {
  '`': 'Backquote',
  '\\': 'Backslash',
  ',': 'Comma',
  '.': 'Period',
  '/': 'Slash',
  '[': 'BracketLeft',
  ']': 'BracketRight',
  ';': 'Semicolon',
  "'": 'Quote',
  '-': 'Minus',
  '=': 'Equal',
};

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

/** The key that stands at a place of a keyboard with Latin letters. */
function keyAt(code: string): string | undefined {
  const plain = /^(?:Key([A-Z])|Digit(\d))$/u.exec(code);
  return plain?.[1] ?? plain?.[2] ?? Object.keys(codes).find((key) => codes[key] === code);
}

/**
 * A key press as a key of the command list, so that pressing it again is that key; null while only Shift and its like are held, and for what
 * AltGr types.
 */
export function keyOf(event: KeyPress, isMac: boolean): string | null {
  if (/^(?:Shift|Control|Alt|Meta|AltGraph|CapsLock|Dead|Process|Unidentified|Fn|NumLock)$/u.test(event.key)) return null;
  if (event.getModifierState?.('AltGraph') === true || (!isMac && event.metaKey)) return null;
  const isLetter = /^[a-z]$/iu.test(event.key);
  const isElsewhere = event.key.length === 1 && !isLetter && (event.shiftKey || event.altKey || event.key > '\u00ff');
  const key = isLetter ? event.key.toUpperCase() : ((isElsewhere ? keyAt(event.code) : undefined) ?? event.key);
  if (/[\s+]/u.test(key)) return null;
  const held = [
    [isMac ? event.metaKey : event.ctrlKey, 'Mod'],
    [isMac && event.ctrlKey, 'Ctrl'],
    [event.altKey, 'Alt'],
    [event.shiftKey, 'Shift'],
  ] as const;
  return [...held.flatMap(([isHeld, name]) => (isHeld ? [name] : [])), key].join('+');
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
