import { RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { Box, takeFocus } from '#renderer/ui/box.tsx';
import { usePreference, useStudio, useWorkspace } from '#renderer/ui/studio.ts';
import { problemWords, useWords } from '#renderer/words.ts';
import { AiSection } from './ai-section.tsx';
import { AppDataSection } from './app-data-section.tsx';
import { KeyList, useFoundCommands } from './key-list.tsx';
import { defaults, type SettingKey } from './preferences.ts';
import { SettingControl } from './setting-control.tsx';
import { matchesSearch, matchingSettings, type Section, type Setting, sections, wordsKeyOf } from './setting-list.ts';
import './settings.css';

/** The settings: by section, or all that a search finds. What is changed has its effect at once. */
export function SettingsDialog({ section: first }: { readonly section: Section }) {
  const words = useWords();
  const { view } = useStudio();
  const [section, setSection] = useState<Section>(first);
  const [search, setSearch] = useState('');
  const found = matchingSettings(search, (setting) => textOf(setting, words));
  const isSearch = search.trim() !== '';
  const foundCommands = useFoundCommands(search.trim());
  const hasAi = isSearch ? matchesSearch(search, words('ai.search')) : section === 'ai';
  const isNothingFound = isSearch && found.length === 0 && foundCommands.length === 0 && !hasAi;
  const shown = !isSearch ? found.filter((setting) => setting.section === section) : found;
  return (
    <Box title={words('settings.title')} className="settings">
      <input
        ref={takeFocus}
        type="search"
        className="settings-search"
        aria-label={words('settings.search')}
        placeholder={words('settings.search')}
        value={search}
        onChange={(event) => setSearch(event.target.value)}
      />
      <nav className="settings-sections" aria-label={words('settings.sections')}>
        {sections.map((name) => (
          <button
            type="button"
            key={name}
            className="quiet"
            aria-current={search.trim() === '' && name === section ? 'page' : undefined}
            onClick={() => {
              setSection(name);
              setSearch('');
            }}
          >
            {words(`settings.section-${name}`)}
          </button>
        ))}
      </nav>
      <div className="settings-list">
        {isNothingFound && <p className="muted">{words('settings.none')}</p>}
        {shown.map((setting, at) => (
          <div key={setting.key}>
            {setting.section !== shown[at - 1]?.section && <h3>{words(`settings.heading-${setting.section}`)}</h3>}
            <Item setting={setting} />
          </div>
        ))}
        {hasAi && <AiSection />}
        {!isSearch && section === 'files' && <AppDataSection />}
        {(isSearch || section === 'keys') && <KeyList found={foundCommands} isSearch={isSearch} />}
      </div>
      <div className="acts end settings-foot">
        <button type="button" className="line" onClick={view.answered}>
          {words('dialog.close')}
        </button>
      </div>
    </Box>
  );
}

function textOf({ key, section, control }: Setting, words: ReturnType<typeof useWords>): string {
  const at = wordsKeyOf(key);
  const options = control.kind === 'choice' ? control.options.map((option) => words(`${at}.options.${option}`)) : [];
  return [words(`${at}.name`), words(`${at}.about`), words(`settings.section-${section}`), ...options].join(' ');
}

function Item({ setting }: { readonly setting: Setting }) {
  return setting.key === 'identity' ? <IdentityItem setting={setting} /> : <PreferenceItem setting={setting} name={setting.key} />;
}

/** Provenance of this workspace: kept by core and not among the settings of the app. */
function IdentityItem({ setting }: { readonly setting: Setting }) {
  const { workspace } = useStudio();
  const isOn = useWorkspace(({ info }) => info?.setting === 'on');
  return (
    <Frame
      setting={setting}
      value={isOn}
      isChanged={isOn}
      change={(value) => workspace.setProvenance(value === true)}
      reset={() => workspace.setProvenance(false)}
    />
  );
}

function PreferenceItem({ setting, name }: { readonly setting: Setting; readonly name: SettingKey }) {
  const { preferences } = useStudio();
  const value = usePreference(name);
  const change = (next: string | number | boolean) => preferences.set(name, next as never);
  return (
    <Frame setting={setting} value={value} isChanged={value !== defaults[name]} change={change} reset={() => change(defaults[name])} />
  );
}

interface FrameProps {
  readonly setting: Setting;
  readonly value: string | number | boolean;
  readonly isChanged: boolean;
  readonly change: (value: string | number | boolean) => Promise<void>;
  readonly reset: () => Promise<void>;
}

function Frame({ setting, value, isChanged, change, reset }: FrameProps) {
  const words = useWords();
  const { view } = useStudio();
  const [problem, setProblem] = useState<string | null>(null);
  const at = wordsKeyOf(setting.key);
  const name = words(`${at}.name`);
  const attempt = (work: Promise<void>) =>
    work.then(
      () => {
        setProblem(null);
        view.announce(words('settings.changed-said', { name }));
      },
      (error: unknown) => setProblem(words('settings.failed', { problem: problemWords(error) })),
    );
  return (
    <div className="setting" data-changed={isChanged}>
      <div className="setting-text">
        <p className="setting-name" id={`${at}-name`}>
          {name}
          {isChanged && (
            <>
              <span className="setting-mark small">{words('settings.changed')}</span>
              <button
                type="button"
                className="quiet icon"
                aria-label={words('settings.reset', { name })}
                title={words('settings.reset', { name })}
                onClick={() => void attempt(reset())}
              >
                <RotateCcw size={13} aria-hidden="true" />
              </button>
            </>
          )}
        </p>
        <p className="muted small" id={`${at}-about`}>
          {words(`${at}.about`)}
        </p>
        {problem !== null && (
          <p className="lost small" role="alert">
            {problem}
          </p>
        )}
      </div>
      <SettingControl setting={setting} value={value} change={(next) => void attempt(change(next))} />
    </div>
  );
}
