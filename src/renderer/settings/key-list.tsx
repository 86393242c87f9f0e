import { Plus, RotateCcw, X } from 'lucide-react';
import { useState } from 'react';
import { useStore } from 'zustand';
import { type Command, type CommandId, commands, commandTitle, menus, menuTitle } from '#protocol/commands';
import { isKeptByBrowser, mostKeys, rivals } from '#protocol/keymap';
import { desktop } from '#renderer/connection.ts';
import { shownKey } from '#renderer/palette/keys.ts';
import { useStudio } from '#renderer/ui/studio.ts';
import { problemWords, useLocale, useWords } from '#renderer/words.ts';
import { KeyField } from './key-field.tsx';
import { matchesSearch } from './setting-list.ts';

/** The commands whose name, menu or keys fit a search, in the order of the menus. */
export function useFoundCommands(search: string): readonly Command[] {
  const locale = useLocale();
  const { isMac, preferences } = useStudio();
  const { keymap } = useStore(preferences.keys);
  return commands.filter(({ id, menu }) => {
    const keys = (keymap.get(id) ?? []).map((key) => shownKey(key, isMac));
    return matchesSearch(search, [commandTitle(id, locale), menu === null ? '' : menuTitle(menu, locale), ...keys].join(' '));
  });
}

interface KeyListProps {
  readonly found: readonly Command[];
  /** Whether they are what a search found, and not all. */
  readonly isSearch: boolean;
}

/** Commands with their keys; each can be given others. */
export function KeyList({ found, isSearch }: KeyListProps) {
  const words = useWords();
  const locale = useLocale();
  const { preferences } = useStudio();
  const { own } = useStore(preferences.keys);
  const groups = [...menus, null].map((menu) => ({ menu, list: found.filter((command) => command.menu === menu) }));
  return (
    <>
      {!isSearch && (
        <div className="setting keys-about">
          <p className="muted small">{words('settings.keys.about')}</p>
          <button type="button" className="line" disabled={own.size === 0} onClick={() => void resetAll([...own], preferences.setKeys)}>
            {words('settings.keys.reset-all')}
          </button>
        </div>
      )}
      {groups.map(({ menu, list }) =>
        list.length === 0 ? null : (
          <section key={menu ?? 'other'} aria-label={menu === null ? words('settings.keys.no-menu') : menuTitle(menu, locale)}>
            <h3>{menu === null ? words('settings.keys.no-menu') : menuTitle(menu, locale)}</h3>
            {list.map(({ id }) => (
              <KeyItem key={id} id={id} />
            ))}
          </section>
        ),
      )}
    </>
  );
}

/** One after another: each is a setting of its own. */
async function resetAll(ids: readonly CommandId[], setKeys: (id: CommandId, keys: null) => Promise<void>): Promise<void> {
  for (const id of ids) await setKeys(id, null);
}

function KeyItem({ id }: { readonly id: CommandId }) {
  const words = useWords();
  const locale = useLocale();
  const { preferences, view } = useStudio();
  const { keymap, own } = useStore(preferences.keys);
  const [isAsking, setAsking] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const keys = keymap.get(id) ?? [];
  const name = commandTitle(id, locale);
  const give = async (change: () => Promise<void>) => {
    try {
      await change();
      setProblem(null);
      view.announce(words('settings.changed-said', { name }));
    } catch (error) {
      setProblem(words('settings.failed', { problem: problemWords(error) }));
    }
  };
  /** Gives the command a key, and takes it from those that have it. */
  const take = (key: string, from: readonly CommandId[]) =>
    give(async () => {
      setAsking(false);
      for (const other of from) {
        const left = (keymap.get(other) ?? []).filter((known) => !rivals(new Map([[id, [key]]]), other, known, preferences.system).length);
        await preferences.setKeys(other, left);
      }
      await preferences.setKeys(id, [...keys, key]);
    });
  return (
    <div className="setting key-item" data-changed={own.has(id)}>
      <p className="setting-name">
        {name}
        {own.has(id) && (
          <>
            <span className="setting-mark small">{words('settings.changed')}</span>
            <button
              type="button"
              className="quiet icon"
              aria-label={words('settings.reset', { name })}
              title={words('settings.reset', { name })}
              onClick={() => void give(() => preferences.setKeys(id, null))}
            >
              <RotateCcw size={13} aria-hidden="true" />
            </button>
          </>
        )}
      </p>
      <div className="key-chips">
        {keys.map((key) => (
          <KeyChip
            key={key}
            id={id}
            shown={key}
            remove={() =>
              void give(() =>
                preferences.setKeys(
                  id,
                  keys.filter((known) => known !== key),
                ),
              )
            }
          />
        ))}
        {keys.length < mostKeys && !isAsking && (
          <button
            type="button"
            className="quiet icon"
            aria-label={words('settings.keys.add', { name })}
            title={words('settings.keys.add', { name })}
            onClick={() => setAsking(true)}
          >
            <Plus size={14} aria-hidden="true" />
          </button>
        )}
      </div>
      {isAsking && <KeyField id={id} take={take} leave={() => setAsking(false)} />}
      {problem !== null && (
        <p className="lost small" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

interface KeyChipProps {
  readonly id: CommandId;
  readonly shown: string;
  readonly remove: () => void;
}

/** A key of a command; what it shares it with, or who keeps it, is said beside it. */
function KeyChip({ id, shown, remove }: KeyChipProps) {
  const words = useWords();
  const locale = useLocale();
  const { isMac, preferences } = useStudio();
  const { keymap } = useStore(preferences.keys);
  const others = rivals(keymap, id, shown, preferences.system).map((other) => commandTitle(other, locale));
  const isKept = desktop() === null && isKeptByBrowser(shown, preferences.system);
  const key = shownKey(shown, isMac);
  return (
    <span className="key-chip" data-clash={others.length > 0}>
      <kbd>{key}</kbd>
      {others.length > 0 && <span className="lost small">{words('settings.keys.clash', { others: others.join(', ') })}</span>}
      {isKept && <span className="faint small">{words('settings.keys.kept')}</span>}
      <button
        type="button"
        className="quiet icon"
        aria-label={words('settings.keys.remove', { key, name: commandTitle(id, locale) })}
        title={words('settings.keys.remove', { key, name: commandTitle(id, locale) })}
        onClick={remove}
      >
        <X size={12} aria-hidden="true" />
      </button>
    </span>
  );
}
