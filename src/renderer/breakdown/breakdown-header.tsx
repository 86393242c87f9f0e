import { CircleHelp, RefreshCw, Search } from 'lucide-react';
import { Fragment, useEffect, useState } from 'react';
import { Button, Input, type Key, SearchField, ToggleButton, ToggleButtonGroup } from 'react-aria-components';
import type { BreakdownSummary } from '#protocol/breakdown-calls';
import { type Filter, type Listing, statesOf } from '#renderer/breakdown/listing.ts';
import { clockTime } from '#renderer/breakdown/moment.ts';
import { useBreakdownWords, useTimeStyle } from '#renderer/breakdown/words.ts';

/** The first are every row; the next add up to it; those after them are some of these rows once more. */
const filters: readonly Filter[] = ['all', 'changed', 'diverged', 'waived'];
const overlapping: readonly Filter[] = ['contradicted', 'merged'];

/** What there is to choose from: what is rare only where it occurs, or is chosen. */
function filtersOf(summary: BreakdownSummary | null, chosen: Filter): Filter[] {
  const occurs = (name: Filter) => name === chosen || (summary !== null && countOf(summary, name) > 0);
  const always: readonly Filter[] = ['code', 'contradicted'];
  return [...filters, ...(['other', 'code', 'contradicted', 'merged'] as const).filter((name) => always.includes(name) || occurs(name))];
}

/** The id of the heading, which has the focus while there is no row that could. */
export const headingId = 'breakdown-heading';

/** How long typing rests before the rows are asked for, in ms. */
const typingRest = 150;

/** Title, workspace, the moment that this is of, Refresh; below it the counts as filters, and the search by name. */
export function BreakdownHeader({
  workspace,
  listing,
  refresh,
  showKeys,
  choose,
}: {
  readonly workspace: string;
  readonly listing: Listing;
  readonly refresh: () => void;
  readonly showKeys: () => void;
  readonly choose: (wanted: { filter?: Filter; search?: string }) => void;
}) {
  const words = useBreakdownWords();
  const style = useTimeStyle();
  const { summary, filter, phase } = listing;
  // That it works, and is done, is said by the page: a pending button would say its name in between.
  const isWorking = phase.kind === 'working';
  const asOf = summary === null ? '' : words('header.as-of', { time: clockTime(summary.asOf, style) });
  return (
    <header className="bd-header">
      <div className="bd-title">
        <h1 id={headingId} tabIndex={-1}>
          {words('headings.breakdown')}
        </h1>
        <span className="bd-faint">{[workspace, asOf].filter((part) => part !== '').join(' · ')}</span>
        <span className="bd-space" />
        <Button className="bd-button bd-icon" aria-label={words('header.keys')} onPress={showKeys}>
          <CircleHelp size={15} aria-hidden />
        </Button>
        <Button className="bd-button bd-outline" aria-disabled={isWorking} onPress={() => isWorking || refresh()}>
          <RefreshCw size={13} aria-hidden /> {words('header.refresh')}
        </Button>
      </div>
      <div className="bd-filters">
        <ToggleButtonGroup
          className="bd-filter-group"
          aria-label={words('header.filters')}
          selectionMode="single"
          disallowEmptySelection
          selectedKeys={[filter]}
          onSelectionChange={(keys: Set<Key>) => {
            const [chosen] = keys;
            if (chosen !== undefined) choose({ filter: chosen as Filter });
          }}
        >
          {filtersOf(summary, filter).map((name) => (
            <Fragment key={name}>
              {name === overlapping[0] && <span className="bd-faint bd-of-these">{words('filter.of-these')}</span>}
              <ToggleButton id={name} className="bd-filter" data-filter={name}>
                {words(`filter.${name}`)} <span className="bd-count">{summary === null ? '' : countOf(summary, name)}</span>
              </ToggleButton>
            </Fragment>
          ))}
        </ToggleButtonGroup>
        <span className="bd-space" />
        <NameSearch search={(search) => choose({ search })} />
      </div>
    </header>
  );
}

/** How many rows a filter lets through. */
export function countOf({ counts, contradicted, rows, merge, code, pairs }: BreakdownSummary, filter: Filter): number {
  if (filter === 'all') return rows + code.waiting + pairs.waiting;
  if (filter === 'code') return code.waiting + pairs.waiting;
  if (filter === 'contradicted') return contradicted;
  if (filter === 'merged') return merge?.rows ?? 0;
  return statesOf[filter].reduce((sum, state) => sum + (counts[state] ?? 0), 0);
}

function NameSearch({ search }: { readonly search: (text: string) => void }) {
  const words = useBreakdownWords();
  const [text, setText] = useState<string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what was typed asks again.
  useEffect(() => {
    if (text === null) return;
    const timer = setTimeout(() => search(text), typingRest);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <SearchField className="bd-search" aria-label={words('header.search')} value={text ?? ''} onChange={setText}>
      <Search size={12} aria-hidden />
      <Input placeholder={words('header.search-hint')} maxLength={200} />
    </SearchField>
  );
}
