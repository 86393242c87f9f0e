import { useEffect, useState } from 'react';
import type { StampedDocument } from '#protocol/app-data-calls';
import { saveTouched } from '#renderer/explorer/acts.ts';
import { Box, takeFocus } from '#renderer/ui/box.tsx';
import { useStudio } from '#renderer/ui/studio.ts';
import { problemWords, useWords } from '#renderer/words.ts';

/** Shows which lines would be taken out of which documents, and takes them out of those that are ticked, at first all: nothing of ours stands in them then. */
export function StopTracking() {
  const words = useWords();
  const studio = useStudio();
  const [documents, setDocuments] = useState<readonly StampedDocument[] | null>(null);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [problem, setProblem] = useState<string | null>(null);
  const stamped = (documents ?? []).filter(({ lines }) => lines.length > 0);
  const byPath = (documents ?? []).filter(({ lines }) => lines.length === 0);
  const wanted = stamped.filter(({ path }) => !left.has(path));
  const tick = (path: string) => setLeft(left.has(path) ? new Set([...left].filter((other) => other !== path)) : new Set(left).add(path));
  useEffect(() => {
    const plan = async () => {
      const { call } = studio.connection;
      const planned = new Set((await call('tracking/plan-stop', {})).documents.map(({ path }) => path));
      await saveTouched(studio, (path) => planned.has(path));
      setDocuments((await call('tracking/plan-stop', {})).documents);
    };
    plan().catch((error: unknown) => setProblem(problemWords(error)));
  }, [studio]);
  const stop = async () => {
    try {
      const named = wanted.map(({ path, base }) => ({ path, base }));
      const { documents: outcomes } = await studio.connection.call('tracking/stop', { documents: named });
      const left = outcomes.filter(({ kind }) => kind !== 'done').map(({ path }) => path);
      await studio.workspace.list();
      studio.view.answered();
      const said = left.length === 0 ? 'stop.done' : 'stop.partly';
      studio.view.notify(words(said, { count: outcomes.length - left.length, paths: left.join(', ') }));
    } catch (error) {
      setProblem(problemWords(error));
    }
  };
  return (
    <Box title={words('stop.title')} className="links-box" isQuestion>
      <p className="muted">{words('stop.explain')}</p>
      {problem !== null && (
        <p className="lost small" role="alert">
          {problem}
        </p>
      )}
      {documents !== null && stamped.length === 0 && <p>{words('stop.none')}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and keys must be able to scroll it */}
      <ul className="link-plans" tabIndex={0} aria-label={words('stop.documents')}>
        {stamped.map(({ path, lines }) => (
          <li key={path}>
            <label className="link-plan">
              <input type="checkbox" checked={!left.has(path)} onChange={() => tick(path)} />
              <span>{path}</span>
            </label>
            <pre className="small muted">{lines.join('\n')}</pre>
          </li>
        ))}
        {byPath.map(({ path }) => (
          <li key={path}>
            <span className="link-plan">{path}</span>
            <p className="small muted">{words('stop.by-path')}</p>
          </li>
        ))}
      </ul>
      <div className="acts end">
        <button type="button" className="line" ref={takeFocus} onClick={studio.view.answered}>
          {words('dialog.cancel')}
        </button>
        <button type="button" className="solid" disabled={documents === null} onClick={() => void stop()}>
          {documents === null
            ? words('loading')
            : wanted.length === 0
              ? words('stop.act-none')
              : words('stop.act', { count: wanted.length })}
        </button>
      </div>
    </Box>
  );
}
