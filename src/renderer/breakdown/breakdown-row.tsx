import { type KeyboardEvent, memo, useEffect, useRef } from 'react';
import { Button } from 'react-aria-components';
import { useBeat } from '#renderer/breakdown/beat.ts';
import { useBench } from '#renderer/breakdown/bench.ts';
import type { ListedRow, Settlement } from '#renderer/breakdown/listing.ts';
import type { PageVerbs } from '#renderer/breakdown/page-verbs.ts';
import { type Pending, secondsLeft } from '#renderer/breakdown/pending.ts';
import { RowBody } from '#renderer/breakdown/row-body.tsx';
import { RowLine } from '#renderer/breakdown/row-line.tsx';
import { RowMenu } from '#renderer/breakdown/row-menu.tsx';
import { markOf, rowName } from '#renderer/breakdown/row-words.ts';
import { Tick } from '#renderer/breakdown/tick.tsx';
import { useBreakdownWords, useSaid } from '#renderer/breakdown/words.ts';

/** One row: closed a line of words, open what changed and what to do. Drawn again only when something about it changes. */
export const BreakdownRowItem = memo(function BreakdownRowItem({
  listed,
  isOpen,
  isCurrent,
  isWaiving,
  isSelected,
  pending,
  settlement,
  verbs,
}: {
  readonly listed: ListedRow;
  readonly isOpen: boolean;
  /** The row that Tab reaches, and that the keys act on. */
  readonly isCurrent: boolean;
  readonly isWaiving: boolean;
  readonly isSelected: boolean;
  readonly pending: Pending | null;
  readonly settlement: Settlement | null;
  readonly verbs: PageVerbs;
}) {
  const words = useBreakdownWords();
  const saidOf = useSaid();
  const item = useRef<HTMLLIElement>(null);
  useCountInView(item, listed);
  const { key, row, artifact } = listed;
  const name = rowName(artifact.path ?? artifact.object, row, words);
  const openOnEnter = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && event.target === item.current) verbs.toggle(key);
  };
  return (
    <li
      ref={item}
      className={['bd-row', isOpen ? 'bd-is-open' : '', isSelected ? 'bd-is-selected' : ''].filter(Boolean).join(' ')}
      aria-label={name}
      data-state={row.state}
      data-word={markOf(row).word}
      data-edge={row.edge === null ? undefined : `${row.edge.txf}:${row.edge.input}`}
      tabIndex={-1}
      onKeyDown={openOnEnter}
    >
      <div className="bd-line">
        {row.edge !== null && (
          <Tick isTicked={isSelected} name={words('several.select', { row: name })} tick={() => verbs.select(listed)} />
        )}
        <RowLine
          listed={listed}
          isOpen={isOpen}
          isCurrent={isCurrent}
          toggle={() => verbs.toggle(key)}
          focused={() => verbs.focused(key)}
        />
        <RowMenu listed={listed} name={name} isCurrent={isCurrent} isSelected={isSelected} verbs={verbs} />
        {pending !== null && <TakeBack pending={pending} takeBack={() => verbs.takeBack(key)} />}
      </div>
      {settlement?.said != null && <p className="bd-note bd-row-note">{saidOf(settlement.said)}</p>}
      {isOpen && (
        <RowBody listed={listed} isWaiving={isWaiving} isPending={pending !== null} isClosed={settlement?.closed === true} verbs={verbs} />
      )}
    </li>
  );
});

function TakeBack({ pending, takeBack }: { readonly pending: Pending; readonly takeBack: () => void }) {
  const words = useBreakdownWords();
  const { world } = useBench();
  useBeat();
  const kind = pending.acts[0]?.resolution.decision.kind ?? 'accept';
  return (
    <span className="bd-pending">
      <span>{words(`pending.${kind}`)} —</span>
      <Button className="bd-button bd-link" aria-label={words('pending.take-back')} onPress={takeBack}>
        {words('pending.take-back-in', { seconds: secondsLeft(pending, world.now()) })}
      </Button>
    </span>
  );
}

/** Asks for the count of changed words once the row is in sight. */
function useCountInView(item: React.RefObject<HTMLLIElement | null>, { row }: ListedRow): void {
  const { counts } = useBench();
  useEffect(() => {
    const element = item.current;
    if (element === null || row.edge === null) return;
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      counts.want(row);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [item, row, counts]);
}
