import { Pin, X } from 'lucide-react';
import { type KeyboardEvent, lazy, type MouseEvent, Suspense, useEffect, useRef, useState } from 'react';
import type { Tab } from '#renderer/editor/documents.ts';
import { isUntitled } from '#renderer/editor/untitled.ts';
import { closeTab } from '#renderer/palette/run.ts';
import { useWords } from '#renderer/words.ts';
import { useStudio, useTabs } from './studio.ts';
import { togglePin } from './tab-acts.ts';
import type { TabMenuPlace } from './tab-menu.tsx';

/** Loaded when it is first asked for. */
const TabMenu = lazy(async () => ({ default: (await import('./tab-menu.tsx')).TabMenu }));

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);

/** The shortest ending of a path that tells it from the other tabs of the same name. */
function shownName(path: string, tabs: readonly Tab[]): { readonly name: string; readonly folder: string | null } {
  const name = nameOf(path);
  const isShared = tabs.some((other) => other.path !== path && nameOf(other.path) === name);
  const folder = path.split('/').at(-2);
  return { name, folder: isShared ? (folder ?? '/') : null };
}

/** The open documents. Arrow keys move between them, Delete closes; a preview is in italics, and pinned ones stand first with a sign. */
export function TabStrip() {
  const words = useWords();
  const tabs = useTabs((state) => state.tabs);
  const active = useTabs((state) => state.active);
  const strip = useRef<HTMLDivElement>(null);
  const [menu, setMenu] = useState<TabMenuPlace | null>(null);
  useEffect(() => {
    const front = [...(strip.current?.children ?? [])].find((tab) => tab.getAttribute('data-path') === active);
    front?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [active]);
  const openMenu = (event: MouseEvent<HTMLElement>) => {
    const tab = (event.target as Element).closest('.tab');
    const path = tab?.getAttribute('data-path') ?? null;
    if (tab === null || path === null) return;
    event.preventDefault();
    const { left, bottom } = tab.getBoundingClientRect();
    // By the keyboard it has no place of its own.
    setMenu(event.button === 2 ? { path, x: event.clientX, y: event.clientY } : { path, x: left, y: bottom });
  };
  return (
    <>
      <div className="tabs" role="tablist" aria-label={words('regions.tabs')} ref={strip} onContextMenu={openMenu}>
        {tabs.map((tab) => (
          <TabHead key={tab.path} tab={tab} isActive={tab.path === active} {...shownName(tab.path, tabs)} />
        ))}
      </div>
      <Suspense fallback={null}>{menu !== null && <TabMenu {...menu} close={() => setMenu(null)} />}</Suspense>
    </>
  );
}

interface TabHeadProps {
  readonly tab: Tab;
  readonly isActive: boolean;
  readonly name: string;
  readonly folder: string | null;
}

function TabHead({ tab, isActive, name, folder }: TabHeadProps) {
  const words = useWords();
  const studio = useStudio();
  const { path, isDirty, isPreview, isPinned, outside } = tab;
  const close = () => closeTab(studio, path);
  const isFile = !isUntitled(path);
  const state = [
    !isFile && words('tab.untitled'),
    isDirty && words('tab.unsaved'),
    outside === 'removed' && words('tab.removed'),
    isPreview && words('tab.preview'),
    isPinned && words('tab.pinned'),
  ];
  const spoken = [name, folder, ...state].filter(Boolean).join(', ');
  return (
    <div
      className="tab"
      role="presentation"
      data-active={isActive}
      data-preview={isPreview}
      data-pinned={isPinned}
      data-removed={outside === 'removed'}
      data-path={path}
    >
      <button
        type="button"
        role="tab"
        aria-selected={isActive}
        aria-keyshortcuts="Delete"
        aria-label={spoken}
        title={isFile ? path : `${name} (${words('tab.untitled')})`}
        tabIndex={isActive ? 0 : -1}
        onClick={() => studio.documents.activate(path)}
        onDoubleClick={() => studio.documents.keep(path)}
        onAuxClick={(event) => event.button === 1 && close()}
        onKeyDown={(event) => moveBy(event, studio.documents.step, close)}
      >
        <span>{name}</span>
        {folder !== null && <span className="faint small"> {folder}</span>}
        {isDirty && (
          <span className="dot" aria-hidden="true">
            ●
          </span>
        )}
      </button>
      {/* For the mouse alone: with the keyboard Delete closes, and in a list of tabs there may be nothing but tabs. */}
      {isPinned ? (
        <span className="tab-close" aria-hidden="true" title={words('tab.unpin', { name })} onClick={() => togglePin(studio, path)}>
          <Pin size={13} />
        </span>
      ) : (
        <span className="tab-close" aria-hidden="true" title={words('tab.close', { name })} onClick={close}>
          <X size={13} />
        </span>
      )}
    </div>
  );
}

function moveBy(event: KeyboardEvent<HTMLElement>, step: (by: number) => void, close: () => void): void {
  const strip = event.currentTarget.closest('[role=tablist]');
  if (event.key === 'Delete') close();
  else if (event.key === 'ArrowRight' || event.key === 'ArrowLeft') step(event.key === 'ArrowRight' ? 1 : -1);
  else return;
  event.preventDefault();
  requestAnimationFrame(() => strip?.querySelector<HTMLElement>('[aria-selected=true]')?.focus());
}
