import { useCallback, useEffect, useState } from 'react';
import { Button } from 'react-aria-components';
import type { CallOutputs } from '#protocol/calls';
import { useBench } from '#renderer/breakdown/bench.ts';
import { faultOf, type Said } from '#renderer/breakdown/listing.ts';
import { sayAct } from '#renderer/breakdown/log-words.ts';
import { sectionName } from '#renderer/breakdown/row-words.ts';
import { spokenTime, useBreakdownWords, useSaid, useTimeStyle } from '#renderer/breakdown/words.ts';

type Log = CallOutputs['coherence/log'];
type LogRow = Log['rows'][number];
type LoggedAct = LogRow['acts'][number];

/** How many edges of the log come at once. */
const pageSize = 100;

/** What was ever said of edges: checks, decisions, judgments, anchors. Read anew each time it is unfolded. */
export function CoherenceLog() {
  const words = useBreakdownWords();
  const saidOf = useSaid();
  const { log, said, more } = useLog();
  if (said !== null) return <p className="bd-note">{saidOf(said)}</p>;
  if (log === null) return <p className="bd-quiet bd-reading">{words('folded.reading')}</p>;
  if (log.total === 0) return <p className="bd-quiet">{words('log.nothing')}</p>;
  return (
    <>
      <p className="bd-quiet">
        {words('log.tally', log.tally)}
        {log.resolvedAgain > 0 && ` · ${words('log.again', { count: log.resolvedAgain })}`}
      </p>
      <ul className="bd-log">
        {log.rows.map((row) => (
          <Logged key={`${row.edge.txf}:${row.edge.input}`} row={row} />
        ))}
      </ul>
      {log.rows.length < log.total && (
        <div className="bd-more">
          <Button className="bd-button bd-outline" onPress={more}>
            {words('action.show-more')}
          </Button>
          <span className="bd-faint">{words('action.shown', { shown: log.rows.length, total: log.total })}</span>
        </div>
      )}
    </>
  );
}

function Logged({ row }: { readonly row: LogRow }) {
  const words = useBreakdownWords();
  const nameOf = (document: LogRow['source']) => document?.path ?? document?.object ?? words('log.unknown');
  const section = row.section === null ? '' : ` ${sectionName(row.section)}`;
  const name = words('folded.rests-on', { artifact: nameOf(row.artifact), source: `${nameOf(row.source)}${section}` });
  return (
    <li>
      <div>
        <bdi>{name}</bdi>{' '}
        <span className="bd-faint">
          {row.resolutions > 1 ? words('badges.resolved', { count: row.resolutions }) : ''}
          {row.listed ? '' : ` ${words('log.earlier')}`}
        </span>
      </div>
      <ul>
        {row.acts.map((act) => (
          <Act key={act.id} act={act} />
        ))}
      </ul>
    </li>
  );
}

function Act({ act }: { readonly act: LoggedAct }) {
  const words = useBreakdownWords();
  const style = useTimeStyle();
  const { world } = useBench();
  const quotes = act.kind === 'check' ? [...act.evidence, ...(act.downgraded?.evidence ?? [])] : [];
  return (
    <li>
      <time dateTime={act.time} className="bd-faint">
        {spokenTime(act.time, world.now(), words, style)}
      </time>{' '}
      {sayAct(act, words)}
      {quotes.map(({ path, quote }) => (
        <q key={`${path} ${quote}`} className="bd-quote">
          {quote}
        </q>
      ))}
    </li>
  );
}

function useLog() {
  const { world } = useBench();
  const [log, setLog] = useState<Log | null>(null);
  const [said, setSaid] = useState<Said | null>(null);
  const read = useCallback(
    (before: readonly LogRow[]) =>
      void world.call('coherence/log', { offset: before.length, limit: pageSize }).then(
        (answer) => setLog({ ...answer, rows: [...before, ...answer.rows] }),
        (error) => setSaid(faultOf(error)),
      ),
    [world],
  );
  useEffect(() => read([]), [read]);
  return { log, said, more: () => read(log?.rows ?? []) };
}
