import { memo, useEffect, useMemo, useRef } from 'react';
import { Button } from 'react-aria-components';
import { useStore } from 'zustand';
import { useBench } from '#renderer/breakdown/bench.ts';
import { BreakdownRowItem } from '#renderer/breakdown/breakdown-row.tsx';
import { GroupWindow } from '#renderer/breakdown/group-window.tsx';
import { groupsOf, hasMore, type ListedRow, type Listing, shownRows } from '#renderer/breakdown/listing.ts';
import type { PageVerbs } from '#renderer/breakdown/page-verbs.ts';
import { waitsFor } from '#renderer/breakdown/pending.ts';
import { countKey } from '#renderer/breakdown/word-count.ts';
import { spokenDay, useBreakdownWords, useTimeStyle } from '#renderer/breakdown/words.ts';

/** All rows that came so far, under their artifacts, and the way to the next page. */
export function BreakdownList({
  listing,
  verbs,
  showMore,
}: {
  readonly listing: Listing;
  readonly verbs: PageVerbs;
  readonly showMore: () => void;
}) {
  const words = useBreakdownWords();
  const { rows: came, settled } = listing;
  const rows = useMemo(() => shownRows({ rows: came, settled }), [came, settled]);
  const groups = useMemo(() => groupsOf(rows), [rows]);
  const windowed = useMemo(() => groups.map(({ artifact, rows: own }) => ({ key: artifact.object, rows: own.length })), [groups]);
  const current = rows.some(({ key }) => key === listing.current) ? listing.current : (rows[0]?.key ?? null);
  return (
    <>
      <GroupWindow
        groups={windowed}
        kept={keptOf(groups, [current, listing.open])}
        draw={(at) => {
          const group = groups[at]!;
          return <Group group={group} {...partOf(listing, group.rows, current)} verbs={verbs} />;
        }}
      />
      {hasMore(listing) && (
        <ShowMore isLoading={listing.isLoading} showMore={showMore}>
          {words('action.shown', { shown: rows.length, total: listing.total })}
        </ShowMore>
      )}
    </>
  );
}

/** The places of the groups of these rows and of their neighbours: the keys go from one to the next. */
function keptOf(groups: readonly RowGroup[], keys: readonly (string | null)[]): number[] {
  return groups.flatMap(({ rows }, at) => (rows.some(({ key }) => keys.includes(key)) ? [at - 1, at, at + 1] : []));
}

type RowGroup = ReturnType<typeof groupsOf>[number];

/** What of the page concerns one group. */
type GroupPart = Pick<Listing, 'open' | 'current' | 'waiving' | 'selected' | 'pending' | 'settled'>;

const nothingSelected: ReadonlySet<string> = new Set();

/** Only what concerns the rows of a group, so that the others need not be drawn again. */
function partOf(listing: Listing, rows: readonly ListedRow[], current: string | null): GroupPart {
  const { open, waiving, selected, pending, settled } = listing;
  const own = (key: string | null) => (rows.some((row) => row.key === key) ? key : null);
  return {
    open: own(open),
    current: own(current),
    waiving: own(waiving),
    selected: rows.some(({ key }) => selected.has(key)) ? selected : nothingSelected,
    pending: rows.some(({ key }) => waitsFor(pending, key)) ? pending : null,
    settled,
  };
}

/** An artifact with its rows; drawn again only when something about it changes. */
const Group = memo(
  function Group({ group, verbs, ...part }: GroupPart & { readonly group: RowGroup; readonly verbs: PageVerbs }) {
    const { artifact, rows } = group;
    return (
      <section className="bd-group" aria-label={artifact.path ?? artifact.object}>
        <GroupHead artifact={artifact} rows={rows} verbs={verbs} />
        <ul>
          {rows.map((listed) => (
            <BreakdownRowItem
              key={listed.key}
              listed={listed}
              isOpen={part.open === listed.key}
              isCurrent={part.current === listed.key}
              isWaiving={part.waiving === listed.key}
              isSelected={part.selected.has(listed.key)}
              pending={waitsFor(part.pending, listed.key) ? part.pending : null}
              settlement={part.settled.get(listed.key) ?? null}
              verbs={verbs}
            />
          ))}
        </ul>
      </section>
    );
  },
  ({ group: before, ...was }, { group: after, ...is }) =>
    before.rows.length === after.rows.length &&
    before.rows.every((row, at) => row.key === after.rows[at]?.key && row.row === after.rows[at]?.row) &&
    before.artifact.lifecycle === after.artifact.lifecycle &&
    Object.entries(was).every(([name, value]) => value === is[name as keyof typeof is]),
);

/** Path and, once one of its rows was read, title; how it came to be; and what can be done with the whole document. */
function GroupHead({
  artifact,
  rows,
  verbs,
}: {
  readonly artifact: ListedRow['artifact'];
  readonly rows: readonly ListedRow[];
  readonly verbs: PageVerbs;
}) {
  const words = useBreakdownWords();
  const { counts } = useBench();
  const origin = useOrigin(artifact.origin);
  const title = useStore(counts.store, (known) => {
    for (const { row } of rows) {
      const found = known.get(countKey(row) ?? '')?.artifactTitle;
      if (found != null) return found;
    }
    return null;
  });
  const isFinished = artifact.lifecycle === 'finished';
  const isEdited = rows.some(({ row }) => row.state === 'finished-changed');
  const about = [title, origin, isFinished ? words('row.finished') : null].filter((part) => part !== null);
  const name = artifact.path ?? artifact.object;
  return (
    <div className="bd-group-head">
      <h2>
        <bdi>{artifact.path ?? words('row.no-path', { object: artifact.object })}</bdi>
      </h2>
      <span className="bd-faint">{about.join(' · ')}</span>
      <span className="bd-group-acts">
        <button
          type="button"
          className="bd-quiet-button"
          aria-label={words('touch.of', { path: name })}
          onClick={() => verbs.ask({ kind: 'touch', document: artifact })}
        >
          {words('touch.question')}
        </button>
        {(!isFinished || isEdited) && (
          <button
            type="button"
            className="bd-quiet-button"
            aria-label={words('finish.mark-of', { path: name })}
            onClick={() => verbs.ask({ kind: 'finish', document: artifact })}
          >
            {words('finish.mark')}
          </button>
        )}
        {isFinished && (
          <button
            type="button"
            className="bd-quiet-button"
            aria-label={words('finish.reopen-of', { path: name })}
            onClick={() => verbs.finish(artifact, 'live', '')}
          >
            {words('finish.reopen')}
          </button>
        )}
      </span>
    </div>
  );
}

/** `drafted by an AI from 3 sources, 14 Nov`; nothing where it rests on nothing or has no one version. */
function useOrigin(origin: ListedRow['artifact']['origin']): string | null {
  const words = useBreakdownWords();
  const style = useTimeStyle();
  const { world } = useBench();
  if (origin === null || origin.sources === 0) return null;
  const day = spokenDay(origin.at, world.now(), words, style);
  return `${words(`origin.${origin.agent}`, { count: origin.sources })}, ${day}`;
}

/** The next page comes when the end of the list is in sight, or is asked for. */
function ShowMore({
  isLoading,
  showMore,
  children,
}: {
  readonly isLoading: boolean;
  readonly showMore: () => void;
  readonly children: string;
}) {
  const words = useBreakdownWords();
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (end.current === null || isLoading) return;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) showMore();
    });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [isLoading, showMore]);
  return (
    <div ref={end} className="bd-more">
      <Button className="bd-button bd-outline" isDisabled={isLoading} onPress={showMore}>
        {words('action.show-more')}
      </Button>
      <span className="bd-faint">{children}</span>
    </div>
  );
}
