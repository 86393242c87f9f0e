import { type ComponentProps, useRef } from 'react';
import { Menu } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';

interface PointerMenuProps extends Pick<ComponentProps<typeof Menu<object>>, 'disabledKeys' | 'children'> {
  /** Where it opens, in px of the window. */
  readonly x: number;
  readonly y: number;
  readonly name: string;
  readonly close: () => void;
  /** Does what was chosen, once the menu is gone. */
  readonly act: (key: string) => void;
}

/** A menu where the pointer is, or where the key that opens menus points to. The focus is in it at once. */
export function PointerMenu({ x, y, name, close, act, ...menu }: PointerMenuProps) {
  const anchor = useRef<HTMLSpanElement>(null);
  const choose = (key: string | number) => {
    close();
    afterMenu(() => act(String(key)));
  };
  return (
    <>
      <span ref={anchor} style={{ position: 'fixed', left: x, top: y, width: 1, height: 1 }} />
      <Popover
        isOpen
        onOpenChange={(isOpen) => !isOpen && close()}
        triggerRef={anchor}
        placement="bottom start"
        className="menu"
        aria-label={name}
      >
        <Menu aria-label={name} autoFocus="first" onClose={close} onAction={choose} {...menu} />
      </Popover>
    </>
  );
}

/** The menu gives the focus back some frames after it is gone, and would take it from what is opened before that. */
function afterMenu(act: () => void, frames = 30): void {
  requestAnimationFrame(() => {
    const isBack = document.querySelector('.menu') === null && document.activeElement !== document.body;
    if (isBack || frames === 0) act();
    else afterMenu(act, frames - 1);
  });
}
