import { type ReactNode, useEffect, useState } from 'react';
import { Button } from 'react-aria-components';
import { useStore } from 'zustand';
import type { AnchorRow, RetiredAnchor } from '#protocol/anchor-calls';
import type { BreakdownSummary } from '#protocol/breakdown-calls';
import type { PairRow } from '#protocol/pair-calls';
import { useBench } from '#renderer/breakdown/bench.ts';
import { faultOf, type World } from '#renderer/breakdown/listing.ts';
import { spokenDay, useBreakdownWords, useTimeStyle } from '#renderer/breakdown/words.ts';
import type { CodeSaid } from './code-list.ts';
import { useCodeSaid } from './code-said.ts';
import { useCode } from './code-verbs.ts';
import { documentOf, placeOf, whatOf } from './code-words.ts';
import { nameOf } from './pair-words.ts';
import { useCodeWords } from './words.ts';

/** Code that is as it was described, texts that are said to describe removed code, and pairs in step: they ask nothing. */
export function CodeFolded({ summary }: { readonly summary: BreakdownSummary }) {
  const words = useCodeWords();
  const turn = useStore(useCode().store, (list) => list.turn);
  const { fresh, retired, fallback, waiting } = summary.code;
  const share = fallback.fallback === 0 ? [] : [words('folded.fallback', fallback)];
  const key = `${summary.asOf}:${turn}`;
  const pairs = summary.pairs.fresh + summary.pairs.waiting;
  if (fresh + retired + waiting + pairs === 0) return null;
  return (
    <>
      <Folded title={words('folded.fresh')} name="code-fresh" ask={freshPage} about={share} turn={key}>
        {(rows) => rows.map((row) => <Fresh key={row.anchor.id} row={row} />)}
      </Folded>
      <Folded title={words('folded.retired')} name="code-retired" ask={retiredPage} about={[]} turn={key}>
        {(rows) => rows.map((row) => <Retired key={row.id} anchor={row} />)}
      </Folded>
      <Folded title={words('folded.pairs')} name="pairs-fresh" ask={pairsInStep} about={[]} turn={key}>
        {(rows) => rows.map((row) => <InStep key={row.pair} row={row} />)}
      </Folded>
    </>
  );
}

interface Page<Row> {
  readonly total: number;
  readonly rows: readonly Row[];
}

type Ask<Row> = (call: World['call'], offset: number, limit: number) => Promise<Page<Row>>;

const freshPage: Ask<AnchorRow> = (call, offset, limit) => call('anchor/page', { group: 'fresh', offset, limit, search: '' });
const retiredPage: Ask<RetiredAnchor> = async (call, offset, limit) => {
  const { total, retired } = await call('anchor/page', { group: 'retired', offset, limit, search: '' });
  return { total, rows: retired };
};
const pairsInStep: Ask<PairRow> = (call, offset, limit) => call('pair/page', { group: 'fresh', offset, limit, search: '' });

const pageLength = 200;

/** How many there are is asked for at once, a page of them when it is unfolded; each time that something was done. */
function Folded<Row>({
  title,
  name,
  ask,
  about,
  turn,
  children,
}: {
  readonly title: string;
  readonly name: string;
  readonly ask: Ask<Row>;
  readonly about: readonly string[];
  readonly turn: string;
  readonly children: (rows: readonly Row[]) => ReactNode;
}) {
  const words = useCodeWords();
  const saidOf = useCodeSaid();
  const { world } = useBench();
  const [isOpen, setOpen] = useState(false);
  const [limit, setLimit] = useState(pageLength);
  const [known, setKnown] = useState<{ readonly page: Page<Row>; readonly turn: string } | null>(null);
  const [said, setSaid] = useState<CodeSaid | null>(null);
  useEffect(() => {
    let isWanted = true;
    pageOf(world.call, ask, isOpen ? limit : 1).then(
      (page) => isWanted && setKnown({ page, turn }),
      (error: unknown) => isWanted && setSaid(faultOf(error)),
    );
    return () => {
      isWanted = false;
    };
  }, [world, ask, isOpen, limit, turn]);
  if (known === null || known.page.total === 0) return null;
  const { page } = known;
  // What was done since may have made it another number.
  const count = known.turn === turn ? [page.total] : [];
  return (
    <details className="bd-folded code-folded" data-group={name} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {title} <span className="bd-faint">{[...count, ...about].join(' · ')}</span>
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
async function pageOf<Row>(call: World['call'], ask: Ask<Row>, limit: number): Promise<Page<Row>> {
  const rows: Row[] = [];
  let total = 0;
  for (let offset = 0; offset < limit; offset += pageLength) {
    const page = await ask(call, offset, Math.min(pageLength, limit - offset));
    rows.push(...page.rows);
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

function InStep({ row }: { readonly row: PairRow }) {
  const words = useCodeWords();
  const { verbs } = useCode();
  const names = { technical: nameOf(row.technical), human: nameOf(row.human) };
  return (
    <li>
      <span>
        <bdi>{names.technical}</bdi> — <bdi>{names.human}</bdi>
      </span>
      <Button
        className="bd-button bd-outline bd-small"
        aria-label={words('pair.unpair-of', names)}
        onPress={() => verbs.unpair(row.pair, names)}
      >
        {words('pair.unpair')}
      </Button>
    </li>
  );
}
