import { type FormEvent, useEffect, useState } from 'react';
import type { CallInput } from '#protocol/calls';
import type { RepositoryEntry, RepositoryList, RepositoryProgress } from '#protocol/repository-calls';
import { faultOf } from '#renderer/breakdown/listing.ts';
import { Box, takeFocus } from '#renderer/ui/box.tsx';
import { useStudio } from '#renderer/ui/studio.ts';
import { faultWords, useLocale } from '#renderer/words.ts';
import type { CodeSaid } from './code-list.ts';
import { useCodeSaid } from './code-said.ts';
import { RepositoryToken } from './repository-token.tsx';
import { useCodeWords } from './words.ts';
import './code.css';
import './repositories.css';

type Ask = (work: () => Promise<RepositoryList>) => Promise<boolean>;

/** The repositories of code that the workspace links: what each may be asked, what was fetched of it, and a new one. */
export function RepositoriesDialog() {
  const words = useCodeWords();
  const { view } = useStudio();
  const { list, keepsTokens, said, ask } = useRepositories();
  const saidOf = useCodeSaid();
  const [isLinking, setLinking] = useState(false);
  return (
    <Box title={words('repositories.title')} className="code-box">
      <p className="muted">{words('repositories.about')}</p>
      {list !== null && list.length === 0 && !isLinking && <p>{words('repositories.none')}</p>}
      <ul className="repositories" aria-label={words('repositories.list')}>
        {list?.map((repository) => (
          <Repository key={repository.name} repository={repository} keepsTokens={keepsTokens} ask={ask} />
        ))}
      </ul>
      {said !== null && (
        <p className="bd-note" role="alert">
          {saidOf(said)}
        </p>
      )}
      {isLinking ? (
        <LinkForm ask={ask} close={() => setLinking(false)} />
      ) : (
        <div className="acts end">
          <button type="button" className="line" onClick={view.answered}>
            {words('repositories.close')}
          </button>
          <button type="button" className="solid" ref={takeFocus} onClick={() => setLinking(true)}>
            {words('repositories.link')}
          </button>
        </div>
      )}
    </Box>
  );
}

/** The list as core has it; what cannot be done is said and changes nothing. */
function useRepositories() {
  const { call } = useStudio().connection;
  const [list, setList] = useState<readonly RepositoryEntry[] | null>(null);
  const [keepsTokens, setKeepsTokens] = useState(false);
  const [said, setSaid] = useState<CodeSaid | null>(null);
  const ask: Ask = async (work) => {
    setSaid(null);
    try {
      const answer = await work();
      setList(answer.repositories);
      setKeepsTokens(answer.keepsTokens);
      return true;
    } catch (error) {
      setSaid(faultOf(error));
      return false;
    }
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once, when the dialog opens.
  useEffect(() => void ask(() => call('repository/list', {})), []);
  return { list, keepsTokens, said, ask };
}

interface RepositoryProps {
  readonly repository: RepositoryEntry;
  readonly keepsTokens: boolean;
  readonly ask: Ask;
}

function Repository({ repository, keepsTokens, ask }: RepositoryProps) {
  const words = useCodeWords();
  const { call } = useStudio().connection;
  const { name, path, url, ref, asks, problem } = repository;
  const [progress, setProgress] = useProgress(name);
  const fetch = async () => {
    setProgress({ name, phase: '', percent: 0 });
    await ask(() => call('repository/fetch', { name }));
    setProgress(null);
  };
  return (
    <li className="repository">
      <div className="repository-head">
        <strong>
          <bdi>{name}</bdi>
        </strong>
        <span className="bd-faint">
          <bdi>{path ?? url}</bdi>
          {ref !== null && <> · {ref}</>}
        </span>
      </div>
      <Standing repository={repository} progress={progress} />
      {asks === null && problem === null && <RepositoryToken repository={repository} keepsTokens={keepsTokens} ask={ask} />}
      <div className="bd-actions">
        {asks !== null && (
          <button type="button" className="bd-button bd-solid" onClick={() => void ask(() => call('repository/confirm', { name }))}>
            {words('repositories.allow', { name })}
          </button>
        )}
        {asks === null && url !== null && progress === null && (
          <button type="button" className="bd-button bd-outline" onClick={() => void fetch()}>
            {words('repositories.fetch', { name })}
          </button>
        )}
        {progress !== null && (
          <button type="button" className="bd-button bd-outline" onClick={() => void call('repository/stop', { name })}>
            {words('repositories.stop', { name })}
          </button>
        )}
        <button type="button" className="bd-quiet-button" onClick={() => void ask(() => call('repository/unlink', { name }))}>
          {words('repositories.unlink', { name })}
        </button>
      </div>
    </li>
  );
}

function Standing({ repository, progress }: { readonly repository: RepositoryEntry; readonly progress: RepositoryProgress | null }) {
  const words = useCodeWords();
  const locale = useLocale();
  const { name, path, url, ref, tokenEnv, asks, fetched, problem } = repository;
  if (problem !== null) {
    const detail = { name, url: url ?? '', path: path ?? '', variable: tokenEnv ?? '', ref: ref ?? '' };
    return <p className="bd-note">{faultWords(problem, detail, locale)}</p>;
  }
  if (asks !== null) {
    const key = url === null ? 'asks-folder' : asks.tokenEnv === null ? 'asks-origin' : 'asks-token';
    return <p className="bd-note">{words(`repositories.${key}`, { place: asks.place, variable: asks.tokenEnv ?? '' })}</p>;
  }
  if (progress !== null) {
    return (
      <div>
        <progress max={100} value={progress.percent} aria-label={words('repositories.fetching', { name })} />
        <p className="bd-faint" role="status">
          {words('repositories.fetching', { name })} {progress.percent} %
        </p>
      </div>
    );
  }
  const at = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <p className="bd-faint" role="status">
      {url === null && words('repositories.local')}
      {url !== null &&
        (fetched === null
          ? words('repositories.unfetched')
          : words('repositories.fetched', { commit: fetched.commit.slice(0, 12), at: at.format(new Date(fetched.at)) }))}
    </p>
  );
}

/** How far fetching a repository is; null while it is not fetched. */
function useProgress(name: string) {
  const { connection } = useStudio();
  const [progress, setProgress] = useState<RepositoryProgress | null>(null);
  useEffect(
    () => connection.on('repository-progress', (told) => told.name === name && setProgress((now) => (now === null ? now : told))),
    [connection, name],
  );
  return [progress, setProgress] as const;
}

const empty = { name: '', place: '', ref: '', tokenEnv: '' };

function LinkForm({ ask, close }: { readonly ask: Ask; readonly close: () => void }) {
  const words = useCodeWords();
  const { call } = useStudio().connection;
  const [fields, setFields] = useState(empty);
  const isAddress = /^[a-z][a-z0-9+.-]+:/iu.test(fields.place.trim());
  const link = async (event: FormEvent) => {
    event.preventDefault();
    if (await ask(() => call('repository/link', requestOf(fields, isAddress)))) close();
  };
  const field = (name: keyof typeof empty, isWanted = true) => (
    <label className="code-field">
      <span className="bd-faint">{words(`repositories.${name}`)}</span>
      <input
        value={fields[name]}
        required={isWanted}
        aria-describedby={`repository-${name}`}
        onChange={({ target }) => setFields((now) => ({ ...now, [name]: target.value }))}
      />
      <span className="bd-faint" id={`repository-${name}`}>
        {words(`repositories.${name}-hint`)}
      </span>
    </label>
  );
  return (
    <form className="repository-form" onSubmit={(event) => void link(event)}>
      {field('name')}
      {field('place')}
      {field('ref', false)}
      {isAddress && field('tokenEnv', false)}
      <div className="acts end">
        <button type="button" className="line" onClick={close}>
          {words('act.cancel')}
        </button>
        <button type="submit" className="solid">
          {words('repositories.link-this')}
        </button>
      </div>
    </form>
  );
}

function requestOf({ name, place, ref, tokenEnv }: typeof empty, isAddress: boolean): CallInput<'repository/link'> {
  const where = place.trim();
  const variable = tokenEnv.trim();
  return {
    name: name.trim(),
    place: isAddress ? { kind: 'address', url: where, tokenEnv: variable === '' ? null : variable } : { kind: 'folder', path: where },
    ref: ref.trim() === '' ? null : ref.trim(),
  };
}
