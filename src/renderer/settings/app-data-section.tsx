import { useEffect, useState } from 'react';
import type { AppDataPart } from '#protocol/app-data-calls';
import { leftSessions } from '#renderer/ui/recovery.ts';
import { type Studio, useStudio } from '#renderer/ui/studio.ts';
import { problemWords, useLocale, useWords } from '#renderer/words.ts';

/** Where history, search index and recovery live, how large they are, and how to delete them; and how to stop tracking. */
export function AppDataSection() {
  const words = useWords();
  const studio = useStudio();
  const [parts, setParts] = useState<readonly AppDataPart[]>([]);
  const [problem, setProblem] = useState<string | null>(null);
  const attempt = (work: () => Promise<readonly AppDataPart[]>) =>
    work().then(setParts, (error: unknown) => setProblem(problemWords(error)));
  useEffect(() => {
    studio.connection.call('app-data/sizes', {}).then(
      (answer) => setParts(answer.parts),
      (error: unknown) => setProblem(problemWords(error)),
    );
  }, [studio]);
  return (
    <section aria-label={words('app-data.title')}>
      <h3>{words('app-data.title')}</h3>
      {problem !== null && (
        <p className="lost small" role="alert">
          {problem}
        </p>
      )}
      {parts.map((part) => (
        <PartRow key={part.part} part={part} remove={() => attempt(() => deletePart(studio, part.part))} />
      ))}
      <div className="setting">
        <div className="setting-text">
          <p className="setting-name">{words('app-data.stop-name')}</p>
          <p className="muted small">{words('app-data.stop-about')}</p>
        </div>
        <button type="button" className="line" onClick={() => studio.view.ask({ kind: 'stop-tracking' })}>
          {words('app-data.stop')}
        </button>
      </div>
    </section>
  );
}

/** Recovery is forgotten session by session: what a window that lives has is not touched. */
async function deletePart(studio: Studio, part: AppDataPart['part']): Promise<readonly AppDataPart[]> {
  const { call } = studio.connection;
  if (part !== 'recovery') return (await call('app-data/delete', { part })).parts;
  for (const { session } of await leftSessions(studio)) await call('journal/forget', { session, doc: null });
  studio.recovery.found([]);
  return (await call('app-data/sizes', {})).parts;
}

function PartRow({ part: { part, folder, here, all }, remove }: { readonly part: AppDataPart; readonly remove: () => Promise<void> }) {
  const words = useWords();
  const locale = useLocale();
  const [isSure, setSure] = useState(false);
  const name = words(`app-data.${part}`);
  const size = (bytes: number) => {
    const format = { maximumFractionDigits: 1, style: 'unit', unitDisplay: 'short' } as const;
    const isLarge = bytes >= 1_000_000;
    return new Intl.NumberFormat(locale, { ...format, unit: isLarge ? 'megabyte' : 'kilobyte' }).format(
      bytes / (isLarge ? 1_000_000 : 1000),
    );
  };
  return (
    <div className="setting">
      <div className="setting-text">
        <p className="setting-name">{name}</p>
        <p className="muted small">{words(`app-data.${part}-about`)}</p>
        <p className="muted small">{words('app-data.size', { here: size(here), all: size(all) })}</p>
        <p className="picker-path">{folder}</p>
      </div>
      <button
        type="button"
        className="line"
        disabled={here === 0}
        aria-label={words(isSure ? 'app-data.delete-sure-name' : 'app-data.delete-name', { name })}
        onBlur={() => setSure(false)}
        onClick={() => {
          if (isSure) void remove();
          setSure(!isSure);
        }}
      >
        {words(isSure ? 'app-data.delete-sure' : 'app-data.delete')}
      </button>
    </div>
  );
}
