import { useCallback, useEffect, useRef } from 'react';
import type { BreakdownRow, VersionText } from '#protocol/breakdown-calls';
import { useBench } from '#renderer/breakdown/bench.ts';
import { ChangeView } from '#renderer/breakdown/change-view.tsx';
import type { ListedRow } from '#renderer/breakdown/listing.ts';
import type { PageVerbs } from '#renderer/breakdown/page-verbs.ts';
import { RowActions } from '#renderer/breakdown/row-actions.tsx';
import { RowQuiet } from '#renderer/breakdown/row-quiet.tsx';
import { joinable, labelOf, markOf, percentOf } from '#renderer/breakdown/row-words.ts';
import { WaiveForm } from '#renderer/breakdown/waive-form.tsx';
import { spokenDay, useBreakdownWords, useTimeStyle } from '#renderer/breakdown/words.ts';

/** An open row: what changed, then what to do about it. A decision that waits is taken back first. */
export function RowBody({
  listed,
  isWaiving,
  isPending,
  isClosed,
  verbs,
}: {
  readonly listed: ListedRow;
  readonly isWaiving: boolean;
  readonly isPending: boolean;
  readonly isClosed: boolean;
  readonly verbs: PageVerbs;
}) {
  const words = useBreakdownWords();
  const { world } = useBench();
  const { key, row, artifact } = listed;
  const isReady = verbs.useShown(key) !== null;
  const joined = joinable(listed);
  const { body, show } = useInSight(isWaiving);
  const onRead = useCallback((now: VersionText | null) => verbs.read(listed, now), [listed, verbs]);
  return (
    <div className="bd-open" ref={body}>
      {row.current !== null && <Explanation row={row} />}
      <CheckNote row={row} />
      {row.edge !== null && row.delegated !== undefined && (
        <p className="bd-explanation">{words('row.delegated-by', { by: row.delegated.by })}</p>
      )}
      {row.edge === null ? (
        <AboutDocument listed={listed} />
      ) : (
        <ChangeView row={row} artifact={artifact.path ?? artifact.object} onRead={onRead} onShown={show} />
      )}
      {!isPending && isWaiving && (
        <WaiveForm
          hint={words('hint.waiving')}
          now={world.now}
          isReady={isReady}
          waive={(reason, expires) => verbs.decide(listed, { kind: 'waive', reason, expires })}
          cancel={() => verbs.stopWaiving()}
        />
      )}
      {!isPending && !isWaiving && (
        <RowActions
          row={row}
          isReady={isReady}
          isClosed={isClosed}
          accept={() => verbs.decide(listed, { kind: 'accept' })}
          revise={() => verbs.revise(listed)}
          waive={() => verbs.startWaiving(key)}
          join={joined === null ? null : () => verbs.ask({ kind: 'join', path: joined, copy: null })}
        />
      )}
      {!isPending && !isWaiving && <RowQuiet listed={listed} verbs={verbs} />}
    </div>
  );
}

/** Brings what was opened into sight, once it is there: the row, or the form that asks something. */
function useInSight(isWaiving: boolean) {
  const body = useRef<HTMLDivElement>(null);
  const show = useCallback(() => {
    const asked = body.current?.querySelector('form') ?? body.current?.closest('li');
    asked?.scrollIntoView({ block: 'nearest' });
  }, []);
  useEffect(() => {
    if (isWaiving) show();
  }, [isWaiving, show]);
  return { body, show };
}

/** What the state of the row means. A waiver tells its reason, who and when; one that was just written says that in the closed row. */
function Explanation({ row }: { readonly row: BreakdownRow }) {
  const words = useBreakdownWords();
  const style = useTimeStyle();
  const { world } = useBench();
  const { waiver } = row;
  if (row.edge === null || waiver?.by === '') return null;
  const day = (time: string | null) => (time === null ? '' : spokenDay(time, world.now(), words, style));
  const key = waiver === null ? markOf(row).word : waiver.expires === null ? 'waived' : 'waived-until';
  const reason = waiver?.reason || words('row.no-reason');
  const detail = waiver === null ? {} : { reason, by: waiver.by, at: day(waiver.at), expires: day(waiver.expires) };
  return <p className="bd-explanation">{words(`explanations.${key}`, detail)}</p>;
}

/** What a model said of the row, in whole sentences. */
function CheckNote({ row: { check } }: { readonly row: BreakdownRow }) {
  const words = useBreakdownWords();
  if (check === null) return null;
  const isCertain = check.verdict === 'contradicted' && check.confidence !== null;
  return (
    <p className="bd-explanation">
      {isCertain
        ? words('row.contradicted-by', { percent: percentOf(check.confidence!) })
        : check.verdict !== 'contradicted' && words(`check.${check.verdict}`)}
      {check.partial === true && ` ${words('check.partial')}`}
    </p>
  );
}

/** A row about the document itself has no source to compare: it says what is the matter. */
function AboutDocument({ listed: { row } }: { readonly listed: ListedRow }) {
  const words = useBreakdownWords();
  const versions = row.state === 'parallel-versions' ? row.heads.map(labelOf).join(', ') : '';
  return <p className="bd-about">{words(`document-row.${row.state}`, { versions })}</p>;
}
