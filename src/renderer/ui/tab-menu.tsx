import { MenuItem } from 'react-aria-components/Menu';
import type { CommandId } from '#protocol/commands';
import { behindOf, othersOf } from '#renderer/editor/tab-order.ts';
import { shownKey } from '#renderer/palette/keys.ts';
import { closeTab } from '#renderer/palette/run.ts';
import { useWords } from '#renderer/words.ts';
import { PointerMenu } from './pointer-menu.tsx';
import { useKeymap, useStudio, useTabs } from './studio.ts';
import { closeTabs, togglePin } from './tab-acts.ts';

/** Where the menu of a tab opens, and whose it is. */
export interface TabMenuPlace {
  readonly path: string;
  readonly x: number;
  readonly y: number;
}

/** What can be done with a tab. The keys that are shown do the same with the tab in front. */
export function TabMenu({ path, x, y, close }: TabMenuPlace & { readonly close: () => void }) {
  const words = useWords();
  const studio = useStudio();
  const keymap = useKeymap();
  const tabs = useTabs((state) => state.tabs);
  const [others, behind] = [othersOf(tabs, path), behindOf(tabs, path)];
  const isPinned = tabs.some((tab) => tab.path === path && tab.isPinned);
  const acts = {
    close: () => closeTab(studio, path),
    'close-others': () => void closeTabs(studio, others),
    'close-right': () => void closeTabs(studio, behind),
    pin: () => togglePin(studio, path),
  };
  const item = (id: keyof typeof acts, name: string, command: CommandId) => {
    const [key] = keymap.get(command) ?? [];
    return (
      <MenuItem key={id} id={id} className="menu-item" textValue={name}>
        <span>{name}</span>
        {key !== undefined && <kbd>{shownKey(key, studio.isMac)}</kbd>}
      </MenuItem>
    );
  };
  return (
    <PointerMenu
      x={x}
      y={y}
      name={words('tab.menu.name')}
      close={close}
      disabledKeys={[...(others.length === 0 ? ['close-others'] : []), ...(behind.length === 0 ? ['close-right'] : [])]}
      act={(key) => acts[key as keyof typeof acts]()}
    >
      {item('pin', words(isPinned ? 'tab.menu.unpin' : 'tab.menu.pin'), 'file.pin-tab')}
      {item('close', words('tab.menu.close'), 'file.close-tab')}
      {item('close-others', words('tab.menu.close-others'), 'file.close-others')}
      {item('close-right', words('tab.menu.close-right'), 'file.close-right')}
    </PointerMenu>
  );
}
