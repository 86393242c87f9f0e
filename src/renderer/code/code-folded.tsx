import { type ReactNode, useEffect, useState } from 'react';
import { Button } from 'react-aria-components';
import { useStore } from 'zustand';
import type { AnchorRow, RetiredAnchor } from '#protocol/anchor-calls';
import type { BreakdownSummary, CallInput } from '#protocol/calls';
import { useBench } from '#renderer/breakdown/bench.ts';
import { faultOf } from '#renderer/breakdown/listing.ts';
import { spokenDay, useBreakdownWords, useTimeStyle } from '#renderer/breakdown/words.ts';
import type { CodeSaid } from './code-list.ts';
import { useCodeSaid } from './code-said.ts';
import { useCode } from './code-verbs.ts';
import { documentOf, placeOf, whatOf } from './code-words.ts';
import { useCodeWords } from './words.ts';

/** Code that is as it was described, and texts that are said to describe removed code: both ask nothing. */
export function CodeFolded({ summary }: { readonly summary: BreakdownSummary }) {
  const words = useCodeWords();
  const turn = useStore(useCode().store, (list) => list.turn);
  const { fresh, retired, fallback, waiting } = summary.code;
  const share = fallback.fallback === 0 ? [] : [words('folded.fallback', fallback)];
  const key = `${summary.asOf}:${turn}`;
  if (fresh + retired + waiting === 0) return null;
  return (
    <>
      <Folded title={words('folded.fresh')} group="fresh" about={share} turn={key}>
        {(rows) => rows.map((row) => ('anchor' in row ? <Fresh key={row.anchor.id} row={row} /> : null))}
      </Folded>
      <Folded title={words('folded.retired')} group="retired" about={[]} turn={key}>
        {(rows) => rows.map((row) => ('retired' in row ? <Retired key={row.id} anchor={row} /> : null))}
      </Folded>
    </>
  );
}

type Folding = AnchorRow | RetiredAnchor;
type Group = CallInput<'anchor/page'>['group'];

const pageLength = 200;

/** How many there are is asked for at once, a page of them when it is unfolded; each time that something was done. */
function Folded({
  title,
  group,
  about,
  turn,
  children,
}: {
  readonly title: string;
  readonly group: Group;
  readonly about: readonly string[];
  readonly turn: string;
  readonly children: (rows: readonly Folding[]) => ReactNode;
}) {
  const words = useCodeWords();
  const saidOf = useCodeSaid();
  const { world } = useBench();
  const [isOpen, setOpen] = useState(false);
  const [limit, setLimit] = useState(pageLength);
  const [page, setPage] = useState<{ total: number; rows: readonly Folding[] } | null>(null);
  const [said, setSaid] = useState<CodeSaid | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was done is a reason to ask again.
  useEffect(() => {
    let isWanted = true;
    pageOf(world.call, group, isOpen ? limit : 1).then(
      (found) => isWanted && setPage(found),
      (error: unknown) => isWanted && setSaid(faultOf(error)),
    );
    return () => {
      isWanted = false;
    };
  }, [world, group, isOpen, limit, turn]);
  if (page === null || page.total === 0) return null;
  return (
    <details className="bd-folded code-folded" data-group={`code-${group}`} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {title} <span className="bd-faint">{[page.total, ...about].join(' · ')}</span>
      </summary>
      {isOpen && (
        <>
          {said !== null && <p className="bd-note">{saidOf(said)}</p>}
          <ul>{children(page.rows)}</ul>
          {page.rows.length < page.total && (
            <Button className="bd-button bd-outline bd-small" onPress={() => setLimit(limit + pageLength)}>
              {words('folded.more')}
            </Button>
          )}
        </>
      )}
    </details>
  );
}

/** The first `limit`, in messages of at most 200. */
async function pageOf(call: ReturnType<typeof useBench>['world']['call'], group: Group, limit: number) {
  const rows: Folding[] = [];
  let total = 0;
  for (let offset = 0; offset < limit; offset += pageLength) {
    const page = await call('anchor/page', { group, offset, limit: Math.min(pageLength, limit - offset), search: '' });
    rows.push(...page.rows, ...page.retired);
    total = page.total;
    if (rows.length >= total) break;
  }
  return { total, rows };
}

function Fresh({ row }: { readonly row: AnchorRow }) {
  const words = useCodeWords();
  const { verbs } = useCode();
  const { anchor } = row;
  return (
    <li>
      <span>
        <bdi>{documentOf(anchor)}</bdi> — {whatOf(anchor, words)} <span className="bd-faint">{placeOf(anchor)}</span>
      </span>
      <span className="code-quiet-acts">
        <Button className="bd-button bd-small" onPress={() => verbs.ask({ kind: 'rebind', row })}>
          {words('act.rebind')}
        </Button>
        <Button className="bd-button bd-small" onPress={() => verbs.ask({ kind: 'remove', row })}>
          {words('act.remove')}
        </Button>
      </span>
    </li>
  );
}

function Retired({ anchor }: { readonly anchor: RetiredAnchor }) {
  const words = useCodeWords();
  const breakdownWords = useBreakdownWords();
  const style = useTimeStyle();
  const { world } = useBench();
  const { verbs } = useCode();
  const { reason, by: who, at } = anchor.retired;
  const when = spokenDay(at, world.now(), breakdownWords, style);
  const what = whatOf(anchor, words);
  return (
    <li>
      <span>
        <bdi>{documentOf(anchor)}</bdi> — {what}{' '}
        <span className="bd-faint">{words(reason === '' ? 'folded.no-reason' : 'folded.reason', { reason, who, when })}</span>
      </span>
      <Button
        className="bd-button bd-outline bd-small"
        aria-label={words('act.reopen-of', { what: `${documentOf(anchor)}: ${what}` })}
        onPress={() => verbs.reopen(anchor.id)}
      >
        {words('act.reopen')}
      </Button>
    </li>
  );
}
