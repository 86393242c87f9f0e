import { Replace } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { ToggleButton } from 'react-aria-components/ToggleButton';
import { useStore } from 'zustand';
import { SideTitle } from '#renderer/ui/side-title.tsx';
import { useStudio } from '#renderer/ui/studio.ts';
import { useLocale, useWords } from '#renderer/words.ts';
import { closeSearch } from './opening.ts';
import { replaceTicked } from './replacing.ts';
import { ResultList } from './result-list.tsx';
import { replacementsOf, type Wanted } from './search-store.ts';
import './search.css';

/** The search in all documents, in the place of the files. Escape puts it away; Arrow Down goes to what was found. */
export function SearchPanel() {
  const words = useWords();
  const studio = useStudio();
  const frame = useRef<HTMLElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') closeSearch(studio);
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') stepHit(frame.current, event);
    else return;
    event.preventDefault();
  };
  return (
    <section className="side search" data-region="files" tabIndex={-1} aria-label={words('search.name')} ref={frame} onKeyDown={onKeyDown}>
      <SideTitle title={words('search.name')} closing={words('search.close')} close={() => closeSearch(studio)} />
      <Fields />
      <Told />
      <ResultList />
    </section>
  );
}

/** The arrow keys go through what was found, and up into the field. */
function stepHit(frame: HTMLElement | null, { key, target }: KeyboardEvent): void {
  const hits = [...(frame?.querySelectorAll<HTMLElement>('.search-hit') ?? [])];
  const at = hits.indexOf((target as Element).closest<HTMLElement>('.search-hit')!);
  const next = key === 'ArrowDown' ? hits[at + 1] : at > 0 ? hits[at - 1] : frame?.querySelector<HTMLElement>('.search-text');
  next?.focus();
}

function Fields() {
  const words = useWords();
  const { search } = useStudio();
  const { wanted, turn, progress } = useStore(search.store);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (turn > 0) field.current?.select();
    field.current?.focus();
  }, [turn]);
  const input = (key: 'include' | 'exclude' | 'replacement') => (
    <input
      aria-label={words(`search.${key}`)}
      placeholder={words(`search.${key}`)}
      spellCheck={false}
      value={wanted[key]}
      onChange={(event) => search.change({ [key]: event.target.value })}
    />
  );
  return (
    <div className="search-fields">
      <div className="search-row">
        <input
          ref={field}
          type="search"
          className="search-text"
          aria-label={words('search.text')}
          placeholder={words('search.text')}
          aria-invalid={progress === 'invalid'}
          spellCheck={false}
          value={wanted.text}
          onChange={(event) => search.change({ text: event.target.value })}
          onKeyDown={(event) => event.key === 'Enter' && !event.nativeEvent.isComposing && void search.ask()}
        />
        <Switch name="matchesCase" words="find.case" face="Aa" />
        <Switch name="wholeWords" words="find.word" face="“ ”" />
        <Switch name="isExpression" words="find.regexp" face=".*" />
      </div>
      <div className="search-row">
        {wanted.isReplacing ? input('replacement') : <span className="space" />}
        <ToggleButton
          className="quiet switch"
          isSelected={wanted.isReplacing}
          onChange={(isReplacing) => search.change({ isReplacing })}
          aria-label={words('search.replacing')}
        >
          <span title={words('search.replacing')} className="icon-face">
            <Replace size={14} aria-hidden="true" />
          </span>
        </ToggleButton>
      </div>
      <div className="search-row">{input('include')}</div>
      <div className="search-row">{input('exclude')}</div>
    </div>
  );
}

interface SwitchProps {
  readonly name: keyof Wanted & ('matchesCase' | 'wholeWords' | 'isExpression');
  readonly words: string;
  readonly face: string;
}

function Switch({ name, words: key, face }: SwitchProps) {
  const words = useWords();
  const { search } = useStudio();
  const isOn = useStore(search.store, ({ wanted }) => wanted[name]);
  return (
    <ToggleButton className="quiet switch" isSelected={isOn} onChange={(isNow) => search.change({ [name]: isNow })} aria-label={words(key)}>
      <span title={words(key)} aria-hidden="true">
        {face}
      </span>
    </ToggleButton>
  );
}

/** What there is to say of the search, with what can be done about it. */
function Told() {
  const words = useWords();
  const locale = useLocale();
  const studio = useStudio();
  const { search } = studio;
  const state = useStore(search.store);
  const { progress, matches, files, searched, of, wanted, skipped } = state;
  const number = (value: number) => new Intl.NumberFormat(locale).format(value);
  // Of a document with very many the first are listed.
  const shown = files.some(({ more }) => more) ? words('search.many', { number: number(matches) }) : number(matches);
  const documents = words('counted.documents', { count: files.length, shown: number(files.length) });
  const found = words('search.found', { count: matches, matches: shown, documents });
  const sentences: Partial<Record<typeof progress, string>> = {
    running: matches === 0 ? words('search.running', { searched: number(searched), of: number(of) }) : found,
    done: matches === 0 ? words('search.none') : found,
    stopped: words('search.stopped', { found }),
    more: words('search.listed', { matches: number(matches) }),
    invalid: words('find.invalid'),
    'too-slow': words('search.too-slow'),
    failed: words('search.failed'),
  };
  const replaceable = wanted.isReplacing && matches > 0 && progress !== 'running' ? replacementsOf(state) : [];
  const ticked = matches - state.left.size;
  return (
    <div className="search-told">
      <p
        role="status"
        className={progress === 'invalid' || progress === 'too-slow' || progress === 'failed' ? 'lost small' : 'muted small'}
      >
        {sentences[progress] ?? ''}
      </p>
      {skipped.length > 0 && <p className="muted small">{words('search.skipped', { paths: skipped.join(', ') })}</p>}
      {progress === 'running' && (
        <button type="button" className="quiet small" onClick={search.stop}>
          {words('search.stop')}
        </button>
      )}
      {(progress === 'more' || progress === 'stopped') && (
        <button type="button" className="quiet small" onClick={() => void search.more()}>
          {words('search.more')}
        </button>
      )}
      {wanted.isReplacing && matches > 0 && (
        <button type="button" className="solid" disabled={replaceable.length === 0} onClick={() => void replaceTicked(studio)}>
          {words('search.replace-ticked', { count: ticked, matches: number(ticked) })}
        </button>
      )}
    </div>
  );
}
