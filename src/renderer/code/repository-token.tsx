import { type FormEvent, useState } from 'react';
import type { RepositoryEntry, RepositoryList } from '#protocol/repository-calls';
import { takeFocus } from '#renderer/ui/box.tsx';
import { useStudio } from '#renderer/ui/studio.ts';
import { useCodeWords } from './words.ts';

type Ask = (work: () => Promise<RepositoryList>) => Promise<boolean>;

/** Where the token of a repository is, and a way to enter it once, or to forget it, where the system has a store for it. */
export function RepositoryToken(props: { readonly repository: RepositoryEntry; readonly keepsTokens: boolean; readonly ask: Ask }) {
  const { repository, keepsTokens, ask } = props;
  const { name, tokenEnv: variable, token } = repository;
  const words = useCodeWords();
  const { call } = useStudio().connection;
  const [isEntering, setEntering] = useState(false);
  if (variable === null) return null;
  const keep = (value: string | null) => ask(() => call('repository/keep-token', { name, token: value }));
  const said = token ?? (keepsTokens ? 'none' : 'no-store');
  return (
    <div className="repository-token">
      <p className="bd-faint">{words(`repositories.token-${said}`, { variable })}</p>
      {keepsTokens && !isEntering && (
        <button type="button" className="bd-quiet-button" onClick={() => setEntering(true)}>
          {words(token === 'kept' ? 'repositories.token-change' : 'repositories.token-enter', { name })}
        </button>
      )}
      {keepsTokens && !isEntering && token === 'kept' && (
        <button type="button" className="bd-quiet-button" onClick={() => void keep(null)}>
          {words('repositories.token-forget', { name })}
        </button>
      )}
      {isEntering && <TokenForm name={name} keep={keep} close={() => setEntering(false)} />}
    </div>
  );
}

interface TokenFormProps {
  readonly name: string;
  keep(value: string): Promise<boolean>;
  close(): void;
}

function TokenForm({ name, keep, close }: TokenFormProps) {
  const words = useCodeWords();
  const [typed, setTyped] = useState('');
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (await keep(typed)) close();
  };
  return (
    <form className="repository-token" onSubmit={(event) => void submit(event)}>
      <input
        type="password"
        autoComplete="off"
        required
        ref={takeFocus}
        value={typed}
        aria-label={words('repositories.token-of', { name })}
        placeholder={words('repositories.token-of', { name })}
        onChange={({ target }) => setTyped(target.value)}
      />
      <button type="submit" className="bd-button bd-outline">
        {words('repositories.token-keep')}
      </button>
      <button type="button" className="bd-quiet-button" onClick={close}>
        {words('act.cancel')}
      </button>
    </form>
  );
}
