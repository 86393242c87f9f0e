import { useEffect, useId, useState } from 'react';
import type { FoundProviders, ProviderState, ProviderStates } from '#protocol/ai-calls';
import { isProviderId, type ProviderId, providerIds, providers } from '#protocol/ai-provider';
import { usePreference, useStudio } from '#renderer/ui/studio.ts';
import { problemWords, useWords } from '#renderer/words.ts';
import type { SettingKey } from './preferences.ts';
import { TypedField } from './typed-field.tsx';

/** Which AI is asked, by which key, and what of it is on this machine. Nothing is looked for before *Find* is pressed. */
export function AiSection() {
  const words = useWords();
  const { connection, preferences, view } = useStudio();
  const id = usePreference('ai.provider');
  const [states, setStates] = useState<ProviderStates | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const settings = usePreferencesOfAi();
  const attempt = async (work: Promise<unknown>) => {
    try {
      await work;
      setProblem(null);
    } catch (error) {
      setProblem(problemWords(error));
    }
  };
  // Whether something is missing depends on what is set.
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again when a setting becomes another
  useEffect(() => {
    let isGone = false;
    connection.call('ai/providers', {}).then(
      (found) => isGone || setStates(found),
      () => undefined,
    );
    return () => {
      isGone = true;
    };
  }, [connection, settings]);
  const choose = (next: string) => {
    void attempt(preferences.set('ai.provider', next));
    view.announce(words('settings.changed-said', { name: words('ai.provider') }));
  };
  const chosen = isProviderId(id) ? id : null;
  const state = states?.providers.find((one) => one.id === chosen);
  return (
    <section className="ai-settings" aria-label={words('settings.section-ai')}>
      <h3>{words('settings.heading-ai')}</h3>
      <p className="muted small">{words('ai.about')}</p>
      <fieldset className="ai-providers">
        <legend className="unseen">{words('ai.provider')}</legend>
        {['', ...providerIds].map((one) => (
          <label key={one} className="ai-provider">
            <input type="radio" name="ai-provider" checked={id === one} onChange={() => choose(one)} />
            <span>{isProviderId(one) ? (providers[one].name ?? words('ai.compatible')) : words('ai.nobody')}</span>
            {isProviderId(one) && <span className="muted small">{words(`ai.what-${providers[one].kind}`)}</span>}
          </label>
        ))}
      </fieldset>
      {chosen !== null && state !== undefined && (
        <Details id={chosen} state={state} store={states?.store ?? null} took={setStates} attempt={attempt} />
      )}
      {problem !== null && (
        <p className="lost small" role="alert">
          {problem}
        </p>
      )}
      <Finder choose={choose} attempt={attempt} />
    </section>
  );
}

/** All settings of AI as one value, so that a change of any is seen. */
function usePreferencesOfAi(): string {
  const { preferences } = useStudio();
  const [said, setSaid] = useState('');
  useEffect(() => {
    const look = () => setSaid(JSON.stringify(Object.entries(preferences.store.getState()).filter(([key]) => key.startsWith('ai.'))));
    look();
    return preferences.store.subscribe(look);
  }, [preferences]);
  return said;
}

interface DetailsProps {
  readonly id: ProviderId;
  readonly state: ProviderState;
  readonly store: ProviderStates['store'];
  readonly took: (states: ProviderStates) => void;
  readonly attempt: (work: Promise<unknown>) => Promise<void>;
}

function Details({ id, state, store, took, attempt }: DetailsProps) {
  const words = useWords();
  const provider = providers[id];
  return (
    <div className="ai-details">
      <Line
        setting={`ai.${id}.model` as SettingKey}
        name={words('ai.model')}
        shown={provider.model || words('ai.own-choice')}
        attempt={attempt}
      />
      {provider.kind === 'service' && (
        <Line setting={`ai.${id}.address` as SettingKey} name={words('ai.address')} shown={provider.address} attempt={attempt} />
      )}
      {id === 'compatible' && <p className="muted small">{words('ai.address-hint')}</p>}
      {provider.key !== 'none' && <KeyLine id={id} state={state} store={store} took={took} attempt={attempt} />}
      <p className={state.lacks === null ? 'fine small' : 'lost small'} role="status">
        {words(state.lacks === null ? 'ai.ready' : `ai.lacks-${state.lacks}`)}
      </p>
    </div>
  );
}

interface LineProps {
  readonly setting: SettingKey;
  readonly name: string;
  /** What counts while nothing is set. */
  readonly shown: string;
  readonly attempt: (work: Promise<unknown>) => Promise<void>;
}

function Line({ setting, name, shown, attempt }: LineProps) {
  const { preferences } = useStudio();
  const value = String(usePreference(setting));
  const id = useId();
  const take = (text: string) => {
    if (text.trim() !== value) void attempt(preferences.set(setting, text.trim() as never));
  };
  return (
    <div className="ai-line">
      <label htmlFor={id}>{name}</label>
      <TypedField id={id} type="text" value={value} take={take} placeholder={shown} spellCheck={false} maxLength={900} />
    </div>
  );
}

/** A key goes from here to core once, and never comes back. */
function KeyLine({ id, state, store, took, attempt }: DetailsProps) {
  const words = useWords();
  const { connection } = useStudio();
  const [typed, setTyped] = useState('');
  const keep = (key: string | null) => attempt(connection.call('ai/keep-key', { provider: id, key }).then(took)).then(() => setTyped(''));
  const kept = state.key === null ? 'none' : state.key;
  return (
    <>
      <div className="ai-line">
        <label htmlFor={`ai-key-${id}`}>{words('ai.key')}</label>
        <input
          id={`ai-key-${id}`}
          type="password"
          autoComplete="off"
          spellCheck={false}
          value={typed}
          maxLength={4096}
          placeholder={words(`ai.key-${kept}`)}
          disabled={store === null}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={(event) => event.key === 'Enter' && typed.trim() !== '' && void keep(typed)}
        />
        <button type="button" className="line" disabled={typed.trim() === ''} onClick={() => void keep(typed)}>
          {words('ai.keep')}
        </button>
        {state.key === 'kept' && (
          <button type="button" className="line" onClick={() => void keep(null)}>
            {words('ai.forget')}
          </button>
        )}
      </div>
      <p className="muted small">
        {words(store === null ? 'ai.store-none' : `ai.store-${store}`)} {words('ai.variables', { names: state.variables.join(', ') })}
      </p>
    </>
  );
}

interface FinderProps {
  readonly choose: (id: string) => void;
  readonly attempt: (work: Promise<unknown>) => Promise<void>;
}

function Finder({ choose, attempt }: FinderProps) {
  const words = useWords();
  const { connection, preferences } = useStudio();
  const [found, setFound] = useState<FoundProviders | null>(null);
  const [isLooking, setIsLooking] = useState(false);
  const look = () => {
    setIsLooking(true);
    void attempt(connection.call('ai/find', {}).then(setFound)).then(() => setIsLooking(false));
  };
  const isNothing = found !== null && found.ollama === null && found.programs.length === 0;
  return (
    <div className="ai-finder">
      <div className="acts">
        <button type="button" className="line" disabled={isLooking} onClick={look}>
          {words('ai.find')}
        </button>
        <span className="muted small">{words('ai.find-about')}</span>
      </div>
      <div role="status">
        {isNothing && <p className="muted small">{words('ai.found-nothing')}</p>}
        {found?.ollama != null && (
          <p className="small">
            {words('ai.found-ollama', { count: found.ollama.models.length })}{' '}
            {found.ollama.models.slice(0, 12).map((model) => (
              <button
                type="button"
                key={model}
                className="line"
                onClick={() => {
                  void attempt(preferences.set('ai.ollama.model', model));
                  choose('ollama');
                }}
              >
                {model}
              </button>
            ))}
          </p>
        )}
        {found?.programs.map(({ id, path }) => (
          <p key={id} className="small">
            <button type="button" className="line" onClick={() => choose(id)}>
              {providers[id].name}
            </button>{' '}
            <span className="muted">{path}</span>
          </p>
        ))}
      </div>
    </div>
  );
}
