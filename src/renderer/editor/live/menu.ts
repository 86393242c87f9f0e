import type { EditorView } from '@codemirror/view';

/** A line of a menu; `null` parts others. */
export type MenuItem = { readonly label: string; readonly isOff: boolean; readonly act: () => void } | null;

/** Opens a menu at a place of the window, in the editor's own look. It ends by Escape, a choice, or a press elsewhere; then the focus goes back. */
export function openMenu(view: EditorView, name: string, at: { readonly x: number; readonly y: number }, items: readonly MenuItem[]): void {
  const before = document.activeElement;
  const menu = document.createElement('div');
  menu.className = 'cm-menu';
  menu.setAttribute('role', 'menu');
  menu.setAttribute('aria-label', name);
  menu.tabIndex = -1;
  const close = (isBack: boolean) => {
    menu.remove();
    removeEventListener('pointerdown', elsewhere, true);
    if (isBack && before instanceof HTMLElement && before.isConnected) before.focus();
  };
  const elsewhere = (event: Event) => void (event.target instanceof Node && !menu.contains(event.target) && close(false));
  for (const item of items) menu.append(item === null ? partition() : entry(item, () => close(true)));
  menu.addEventListener('keydown', (event) => onKey(event, menu, () => close(true)));
  menu.addEventListener('contextmenu', (event) => event.preventDefault());
  view.dom.append(menu);
  settle(menu, at);
  addEventListener('pointerdown', elsewhere, true);
  (menu.querySelector<HTMLElement>('[role=menuitem]:not([disabled])') ?? menu).focus();
}

function partition(): HTMLElement {
  const line = document.createElement('div');
  line.setAttribute('role', 'separator');
  return line;
}

function entry({ label, isOff, act }: NonNullable<MenuItem>, close: () => void): HTMLElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.setAttribute('role', 'menuitem');
  button.tabIndex = -1;
  button.disabled = isOff;
  button.textContent = label;
  button.addEventListener('click', () => {
    close();
    act();
  });
  button.addEventListener('pointermove', () => button.focus());
  return button;
}

/** Keeps a menu in the window. */
function settle(menu: HTMLElement, { x, y }: { readonly x: number; readonly y: number }): void {
  const { width, height } = menu.getBoundingClientRect();
  menu.style.left = `${Math.max(4, Math.min(x, innerWidth - width - 4))}px`;
  menu.style.top = `${Math.max(4, Math.min(y, innerHeight - height - 4))}px`;
}

function onKey(event: KeyboardEvent, menu: HTMLElement, close: () => void): void {
  const items = [...menu.querySelectorAll<HTMLButtonElement>('[role=menuitem]:not([disabled])')];
  const at = items.indexOf(document.activeElement as HTMLButtonElement);
  const steps: Readonly<Record<string, number>> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 };
  const next = steps[event.key];
  if (event.key === 'Escape' || event.key === 'Tab') close();
  else if (next !== undefined) items.at(items.length === 0 ? 0 : next % items.length)?.focus();
  else return;
  event.preventDefault();
  event.stopPropagation();
}
