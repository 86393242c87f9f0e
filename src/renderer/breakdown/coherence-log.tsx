import type { CallOutputs } from '#protocol/calls';
import { useBench } from '#renderer/breakdown/bench.ts';
import { type AskLog, MoreOfLog, useLogPages } from '#renderer/breakdown/log-pages.tsx';
import { sayAct } from '#renderer/breakdown/log-words.ts';
import { sectionName } from '#renderer/breakdown/row-words.ts';
import { spokenTime, useBreakdownWords, useSaid, useTimeStyle } from '#renderer/breakdown/words.ts';
import { ConfirmationLog } from '#renderer/code/confirmation-log.tsx';

type Log = CallOutputs['coherence/log'];
type LogRow = Log['rows'][number];
type LoggedAct = LogRow['acts'][number];

const edgePage: AskLog<'coherence/log'> = (call, range) => call('coherence/log', range);
const confirmationPage: AskLog<'coherence/confirmations'> = (call, range) => call('coherence/confirmations', range);

/** What was ever said of edges, code and pairs: checks, decisions, judgments, anchors, confirmations. Read anew each time it is unfolded. */
export function CoherenceLog() {
  const words = useBreakdownWords();
  const saidOf = useSaid();
  const { page: log, said, more } = useLogPages(edgePage);
  const confirmed = useLogPages(confirmationPage);
  const trouble = said ?? confirmed.said;
  if (trouble !== null) return <p className="bd-note">{saidOf(trouble)}</p>;
  if (log === null || confirmed.page === null) return <p className="bd-quiet bd-reading">{words('folded.reading')}</p>;
  if (log.total + confirmed.page.total === 0) return <p className="bd-quiet">{words('log.nothing')}</p>;
  return (
    <>
      {log.total > 0 && <EdgeLog log={log} more={more} />}
      {confirmed.page.total > 0 && <ConfirmationLog page={confirmed.page} more={confirmed.more} />}
    </>
  );
}

function EdgeLog({ log, more }: { readonly log: Log; readonly more: () => void }) {
  const words = useBreakdownWords();
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
      <MoreOfLog shown={log.rows.length} total={log.total} more={more} />
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
