import { useEffect, useMemo, useRef } from 'react';
import { Button } from 'react-aria-components';
import { useStore } from 'zustand';
import { useBench } from '#renderer/breakdown/bench.ts';
import { BreakdownRowItem } from '#renderer/breakdown/breakdown-row.tsx';
import { groupsOf, hasMore, type ListedRow, type Listing, shownRows } from '#renderer/breakdown/listing.ts';
import type { PageVerbs } from '#renderer/breakdown/page-verbs.ts';
import { countKey } from '#renderer/breakdown/word-count.ts';
import { useBreakdownWords } from '#renderer/breakdown/words.ts';

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
  const current = rows.some(({ key }) => key === listing.current) ? listing.current : (rows[0]?.key ?? null);
  return (
    <>
      {groupsOf(rows).map(({ artifact, rows: ofArtifact }) => (
        <section key={artifact.object} className="bd-group" aria-label={artifact.path ?? artifact.object}>
          <GroupHead artifact={artifact} rows={ofArtifact} />
          <ul>
            {ofArtifact.map((listed) => (
              <BreakdownRowItem
                key={listed.key}
                listed={listed}
                isOpen={listing.open === listed.key}
                isCurrent={current === listed.key}
                isWaiving={listing.waiving === listed.key}
                pending={listing.pending?.act.key === listed.key ? listing.pending : null}
                settlement={listing.settled.get(listed.key) ?? null}
                verbs={verbs}
              />
            ))}
          </ul>
        </section>
      ))}
      {hasMore(listing) && (
        <ShowMore isLoading={listing.isLoading} showMore={showMore}>
          {words('action.shown', { shown: rows.length, total: listing.total })}
        </ShowMore>
      )}
    </>
  );
}

/** Path and, once one of its rows was read, title. */
function GroupHead({ artifact, rows }: { readonly artifact: ListedRow['artifact']; readonly rows: readonly ListedRow[] }) {
  const words = useBreakdownWords();
  const { counts } = useBench();
  const title = useStore(counts.store, (known) => {
    for (const { row } of rows) {
      const found = known.get(countKey(row) ?? '')?.artifactTitle;
      if (found != null) return found;
    }
    return null;
  });
  const about = [title, artifact.lifecycle === 'finished' ? words('row.finished') : null].filter((part) => part !== null);
  return (
    <div className="bd-group-head">
      <h2>
        <bdi>{artifact.path ?? words('row.no-path', { object: artifact.object })}</bdi>
      </h2>
      <span className="bd-faint">{about.join(' · ')}</span>
    </div>
  );
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
