import { PanelLeft, PanelRight } from 'lucide-react';
import { type CommandId, commandTitle } from '#protocol/commands';
import { shownKey } from '#renderer/palette/keys.ts';
import { runCommand } from '#renderer/palette/run.ts';
import { useLocale, useWords } from '#renderer/words.ts';
import { useHasSide } from './room.ts';
import { useKeymap, usePreference, useStudio, useWorkspace } from './studio.ts';
import { TabStrip } from './tab-strip.tsx';

/** The bar at the top: the folder's name, the tabs, the way to everything else. */
export function TitleBar() {
  const words = useWords();
  const studio = useStudio();
  const name = useWorkspace(({ info }) => info?.name ?? '');
  const goKey = useShownKey('go.quick-open');
  return (
    <header className="title" data-region="title">
      <PartSwitch id="view.toggle-sidebar" isOn={useHasSide()}>
        <PanelLeft size={16} aria-hidden="true" />
      </PartSwitch>
      <h1 className="workspace-name">{name}</h1>
      <TabStrip />
      <button type="button" className="quiet go-to" onClick={() => runCommand(studio, 'go.quick-open')}>
        <kbd>{goKey}</kbd> {words('title.go-to')}
      </button>
      <PartSwitch id="view.toggle-coherence" isOn={usePreference('view.coherence')}>
        <PanelRight size={16} aria-hidden="true" />
      </PartSwitch>
    </header>
  );
}

function PartSwitch({ id, isOn, children }: { readonly id: CommandId; readonly isOn: boolean; readonly children: React.ReactNode }) {
  const studio = useStudio();
  const title = useTitle(id);
  return (
    <button type="button" className="quiet icon" aria-pressed={isOn} onClick={() => runCommand(studio, id)} aria-label={title.name}>
      <span title={title.full} className="icon-face">
        {children}
      </span>
    </button>
  );
}

function useTitle(id: CommandId): { name: string; full: string } {
  const name = commandTitle(id, useLocale());
  const key = useShownKey(id);
  return { name, full: key === '' ? name : `${name} (${key})` };
}

/** The key of a command as this system shows it; empty where it has none. */
export function useShownKey(id: CommandId): string {
  const { isMac } = useStudio();
  const [key] = useKeymap().get(id) ?? [];
  return key === undefined ? '' : shownKey(key, isMac);
}
