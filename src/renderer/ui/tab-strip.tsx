import { X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import type { Tab } from '#renderer/editor/documents.ts';
import { isUntitled } from '#renderer/editor/untitled.ts';
import { closeTab } from '#renderer/palette/run.ts';
import { useWords } from '#renderer/words.ts';
import { useStudio, useTabs } from './studio.ts';

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);

/** The shortest ending of a path that tells it from the other tabs of the same name. */
function shownName(path: string, tabs: readonly Tab[]): { readonly name: string; readonly folder: string | null } {
  const name = nameOf(path);
  const isShared = tabs.some((other) => other.path !== path && nameOf(other.path) === name);
  const folder = path.split('/').at(-2);
  return { name, folder: isShared ? (folder ?? '/') : null };
}

/** The open documents. Arrow keys move between them, Delete closes; a preview is in italics. */
export function TabStrip() {
  const words = useWords();
  const tabs = useTabs((state) => state.tabs);
  const active = useTabs((state) => state.active);
  const strip = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const front = [...(strip.current?.children ?? [])].find((tab) => tab.getAttribute('data-path') === active);
    front?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [active]);
  return (
    <div className="tabs" role="tablist" aria-label={words('regions.tabs')} ref={strip}>
      {tabs.map((tab) => (
        <TabHead key={tab.path} tab={tab} isActive={tab.path === active} {...shownName(tab.path, tabs)} />
      ))}
    </div>
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
  const { path, isDirty, isPreview, outside } = tab;
  const close = () => closeTab(studio, path);
  const isFile = !isUntitled(path);
  const state = [
    !isFile && words('tab.untitled'),
    isDirty && words('tab.unsaved'),
    outside === 'removed' && words('tab.removed'),
    isPreview && words('tab.preview'),
  ];
  const spoken = [name, folder, ...state].filter(Boolean).join(', ');
  return (
    <div
      className="tab"
      role="presentation"
      data-active={isActive}
      data-preview={isPreview}
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
        onDoubleClick={() => studio.documents.pin(path)}
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
      <span className="tab-close" aria-hidden="true" title={words('tab.close', { name })} onClick={close}>
        <X size={13} />
      </span>
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
