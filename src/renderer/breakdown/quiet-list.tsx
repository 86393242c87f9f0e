import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { Button } from 'react-aria-components';
import type { QuietPage } from '#protocol/breakdown-calls';
import type { CallInput } from '#protocol/calls';
import { useBench } from '#renderer/breakdown/bench.ts';
import { faultOf, pageLength, type Said } from '#renderer/breakdown/listing.ts';
import { useBreakdownWords, useSaid } from '#renderer/breakdown/words.ts';

/** A folded group as it came so far, and the way to the rest. */
export interface QuietReading {
  readonly page: QuietPage | null;
  readonly said: Said | null;
  more(): void;
}

/** Reads a folded group of the breakdown of that moment, 200 at a time. */
export function useQuiet(group: CallInput<'breakdown/quiet'>['group'], asOf: number): QuietReading {
  const { world } = useBench();
  const [page, setPage] = useState<QuietPage | null>(null);
  const [said, setSaid] = useState<Said | null>(null);
  const read = useCallback(
    (before: QuietPage | null) => {
      const offset = before === null ? 0 : before.rows.length + before.documents.length;
      world.call('breakdown/quiet', { group, offset, limit: pageLength }).then(
        ({ total, rows, documents }) =>
          setPage({ total, rows: [...(before?.rows ?? []), ...rows], documents: [...(before?.documents ?? []), ...documents] }),
        (error) => setSaid(faultOf(error)),
      );
    },
    [world, group],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: another breakdown is another answer.
  useEffect(() => read(null), [read, asOf]);
  return { page, said, more: () => read(page) };
}

/** The lines of a folded group, with the way to those that did not come yet. */
export function QuietList({
  quiet: { page, said, more },
  count,
  children,
}: {
  readonly quiet: QuietReading;
  readonly count: number;
  readonly children: ReactNode;
}) {
  const words = useBreakdownWords();
  const saidOf = useSaid();
  if (said !== null) return <p className="bd-note">{saidOf(said)}</p>;
  if (page === null) return <p className="bd-quiet bd-reading">{words('folded.reading')}</p>;
  return (
    <>
      <ul>{children}</ul>
      {count < page.total && (
        <div className="bd-more">
          <Button className="bd-button bd-outline" onPress={more}>
            {words('action.show-more')}
          </Button>
          <span className="bd-faint">{words('action.shown', { shown: count, total: page.total })}</span>
        </div>
      )}
    </>
  );
}
