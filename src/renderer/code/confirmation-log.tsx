import type { ConfirmationOutputs, ConfirmationRow, LoggedConfirmation } from '#protocol/confirmation-calls';
import type { Words } from '#protocol/words';
import { useBench } from '#renderer/breakdown/bench.ts';
import { MoreOfLog } from '#renderer/breakdown/log-pages.tsx';
import { spokenTime, useBreakdownWords, useTimeStyle } from '#renderer/breakdown/words.ts';
import { documentOf, whatOf } from './code-words.ts';
import { nameOf } from './pair-words.ts';
import { useCodeWords } from './words.ts';

/** The part of the coherence log that tells who confirmed which code and which pair, and when. */
export function ConfirmationLog({
  page: { rows, total },
  more,
}: {
  readonly page: ConfirmationOutputs['coherence/confirmations'];
  readonly more: () => void;
}) {
  const words = useCodeWords();
  return (
    <>
      <p className="bd-quiet">{words('log.confirmed', { count: total })}</p>
      <ul className="bd-log" aria-label={words('log.label')}>
        {rows.map((row) => (
          <li key={row.kind === 'code' ? row.anchor : row.pair}>
            <div>
              <bdi>{confirmedName(row, words)}</bdi> <span className="bd-faint">{row.isGone ? words(`log.gone-${row.kind}`) : ''}</span>
            </div>
            <ul>
              {row.acts.map((act) => (
                <Act key={act.id} act={act} />
              ))}
            </ul>
          </li>
        ))}
      </ul>
      <MoreOfLog shown={rows.length} total={total} more={more} />
    </>
  );
}

/** What was confirmed: a document, its section and the code; or both documents of a pair. */
function confirmedName(row: ConfirmationRow, words: Words): string {
  if (row.kind === 'pair') {
    if (row.documents === null) return words('log.unknown');
    return words('log.pair', { technical: nameOf(row.documents.technical), human: nameOf(row.documents.human) });
  }
  const what = whatOf(row.declared, words);
  if (row.document === null) return what;
  return words('folded.describes', { document: documentOf({ document: { ...row.document, section: [...row.section] } }), what });
}

function Act({ act: { time, by, note, from } }: { readonly act: LoggedConfirmation }) {
  const words = useCodeWords();
  const breakdownWords = useBreakdownWords();
  const style = useTimeStyle();
  const { world } = useBench();
  const program = by.type === 'external' ? '-program' : '';
  const said =
    from === null
      ? words(`log.in-step${program}`, { by: by.id })
      : words(`log.reviewed${program}`, { by: by.id, from: words(`marks.${from}`) });
  return (
    <li>
      <time dateTime={time} className="bd-faint">
        {spokenTime(time, world.now(), breakdownWords, style)}
      </time>{' '}
      {said}
      {note !== '' && <q className="bd-quote">{note}</q>}
    </li>
  );
}
