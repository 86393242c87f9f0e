import { type ComponentProps, useRef } from 'react';
import { Menu } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';

interface PointerMenuProps extends Pick<ComponentProps<typeof Menu<object>>, 'onAction' | 'disabledKeys' | 'children'> {
  /** Where it opens, in px of the window. */
  readonly x: number;
  readonly y: number;
  readonly name: string;
  readonly close: () => void;
}

/** A menu where the pointer is, or where the key that opens menus points to. The focus is in it at once. */
export function PointerMenu({ x, y, name, close, ...menu }: PointerMenuProps) {
  const anchor = useRef<HTMLSpanElement>(null);
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
        <Menu aria-label={name} autoFocus="first" onClose={close} {...menu} />
      </Popover>
    </>
  );
}
