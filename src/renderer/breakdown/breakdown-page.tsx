import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { beat, useBeat } from '#renderer/breakdown/beat.ts';
import { type Bench, BenchContext, createBench } from '#renderer/breakdown/bench.ts';
import { BreakdownBanners, Trouble } from '#renderer/breakdown/breakdown-banner.tsx';
import { BreakdownHeader, headingId } from '#renderer/breakdown/breakdown-header.tsx';
import { BreakdownList } from '#renderer/breakdown/breakdown-list.tsx';
import { useCopies } from '#renderer/breakdown/copies.ts';
import { closeInnermost } from '#renderer/breakdown/cursor.ts';
import { flush, letPass } from '#renderer/breakdown/decision.ts';
import { useDismissals } from '#renderer/breakdown/dismissal.ts';
import { EmptyState } from '#renderer/breakdown/empty-state.tsx';
import { FoldedGroups } from '#renderer/breakdown/folded-group.tsx';
import { KeyHelp } from '#renderer/breakdown/key-help.tsx';
import {
  choose,
  createListing,
  faultOf,
  hasMore,
  type ListedRow,
  type Listing,
  type ListingStore,
  refresh,
  showMore,
  shownRows,
} from '#renderer/breakdown/listing.ts';
import { openInEditor } from '#renderer/breakdown/navigation.ts';
import { createPageVerbs, type PageVerbs } from '#renderer/breakdown/page-verbs.ts';
import { Questions, SelectionBar } from '#renderer/breakdown/questions.tsx';
import { lineId } from '#renderer/breakdown/row-line.tsx';
import { useBreakdownWords, useSaid } from '#renderer/breakdown/words.ts';
import { worldOf } from '#renderer/breakdown/world.ts';
import { CodeFolded } from '#renderer/code/code-folded.tsx';
import { CodeRoom, CodeSection, showsCode } from '#renderer/code/code-section.tsx';
import { CodeSelectionBar } from '#renderer/code/code-several.tsx';
import { desktop } from '#renderer/connection.ts';
import { type Session, useSession } from '#renderer/session.ts';
import './breakdown.css';
import './breakdown-acts.css';

/** The breakdown: computed when it opens and on Refresh, never by itself. */
export function BreakdownPage() {
  const { connection } = useSession();
  const bench = useMemo(() => createBench(worldOf(connection)), [connection]);
  const store = useMemo(createListing, []);
  useEffect(() => () => bench.close(), [bench]);
  return (
    <BenchContext value={bench}>
      <CodeRoom>
        <Page bench={bench} store={store} />
      </CodeRoom>
    </BenchContext>
  );
}

function Page({ bench, store }: { readonly bench: Bench; readonly store: ListingStore }) {
  const { world } = bench;
  const listing = useStore(store);
  const session = useSession();
  const verbs = useMemo(() => createPageVerbs(store, world, (row) => revise(session, store, row)), [store, world, session]);
  const [isShowingKeys, setShowingKeys] = useState(false);
  const workspace = useWorkspaceName(bench);
  const refreshNow = useMemo(() => () => void flush(store, world).then(() => refresh(store, world)), [store, world]);
  const more = useMemo(() => () => void showMore(store, world), [store, world]);
  const turnOn = () => void world.call('workspace/set-provenance', { on: true }).then(refreshNow);
  const dismissals = useDismissals(world);
  const copies = useCopies(world, listing.summary?.initialized ? listing.summary.asOf : null, refreshNow);
  useEffect(refreshNow, [refreshNow]);
  useWriting(store, bench, listing);
  useKeys(store, verbs, () => setShowingKeys(true));
  useFocus(listing);
  useEffect(() => bench.asOf.setState(listing.summary?.asOf ?? null), [bench, listing.summary]);
  const { summary, phase } = listing;
  const isBare = summary !== null && phase.kind === 'ready' && !listing.isLoading && shownRows(listing).length === 0 && !hasMore(listing);
  const hasCode = summary !== null && summary.code.waiting + summary.pairs.waiting > 0 && showsCode(listing.filter);
  return (
    <div className="bd-page">
      <BreakdownHeader
        workspace={workspace}
        listing={listing}
        refresh={refreshNow}
        showKeys={() => setShowingKeys(true)}
        choose={(wanted) => void choose(store, world, wanted)}
      />
      <main className="bd-main">
        {phase.kind === 'working' && <Working since={phase.since} now={world.now} />}
        {phase.kind === 'failed' && <Failed listing={listing} />}
        {listing.trouble !== null && <Trouble said={listing.trouble} />}
        {summary !== null && (
          <BreakdownBanners
            summary={summary}
            copies={copies}
            dismissals={dismissals}
            showMerged={() => void choose(store, world, { filter: 'merged' })}
            verbs={verbs}
          />
        )}
        <BreakdownList listing={listing} verbs={verbs} showMore={more} />
        {summary !== null && <CodeSection summary={summary} filter={listing.filter} search={listing.search} />}
        {isBare && !hasCode && (
          <EmptyState summary={summary} turnOn={turnOn} showAll={() => void choose(store, world, { filter: 'all', search: '' })} />
        )}
        {summary !== null && <FoldedGroups summary={summary} verbs={verbs} />}
        {summary !== null && <CodeFolded summary={summary} />}
      </main>
      <div className="bd-selections">
        <SelectionBar listing={listing} verbs={verbs} clear={() => store.setState({ selected: new Set() })} />
        <CodeSelectionBar />
      </div>
      <LiveRegion listing={listing} />
      <Questions listing={listing} verbs={verbs} refresh={refreshNow} />
      <KeyHelp isOpen={isShowingKeys} setOpen={setShowingKeys} />
    </div>
  );
}

function revise(session: Session, store: ListingStore, { artifact, row }: ListedRow): void {
  if (artifact.path === null) return;
  openInEditor(session, artifact.path, row.edge).catch((error) => store.setState({ said: faultOf(error) }));
}

function useWorkspaceName({ world }: Bench): string {
  const [name, setName] = useState('');
  useEffect(() => {
    world.call('workspace/info', {}).then(
      (info) => setName(info.name),
      () => setName(''),
    );
  }, [world]);
  return name;
}

/** A decision is written when its time is over, and when the page goes. */
function useWriting(store: ListingStore, { world }: Bench, { pending }: Listing): void {
  const isWaiting = pending !== null;
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setInterval(() => void letPass(store, world), beat);
    return () => clearInterval(timer);
  }, [isWaiting, store, world]);
  useEffect(() => {
    const leave = () => void flush(store, world);
    window.addEventListener('pagehide', leave);
    desktop()?.onClosing(() => flush(store, world));
    return () => {
      window.removeEventListener('pagehide', leave);
      leave();
    };
  }, [store, world]);
}

/** Letters act on the current row wherever nothing is being typed. */
function useKeys(store: ListingStore, verbs: PageVerbs, showKeys: () => void): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const isElsewhere =
        event.defaultPrevented ||
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        document.querySelector('.bd-overlay, .bd-menu') !== null;
      if (isElsewhere || (isTyping(event.target) && event.key !== 'Escape')) return;
      if (event.key === '?') showKeys();
      else if (event.key === 'Escape' ? !closeInnermost(store) : !isForList(event) || !verbs.press(event.key)) return;
      event.preventDefault();
    };
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  }, [store, verbs, showKeys]);
}

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.matches('input:not([type=checkbox]), select, textarea, [contenteditable]');

/** Arrows move between rows only from a row: elsewhere they scroll, and move in the filters. */
function isForList({ key, target }: KeyboardEvent): boolean {
  return !key.startsWith('Arrow') || (target instanceof HTMLElement && target.matches('.bd-head, .bd-row'));
}

/**
 * The heading has the focus from the first on; the first row takes it from there when the rows come, the current one when what had it leaves.
 * Where there is no row, it goes back to the heading; where something else has it, that keeps it.
 */
function useFocus({ current, open, waiving, rows, settled, pending }: Listing): void {
  useEffect(() => {
    const focused = document.activeElement;
    // What the page was opened from may be hidden now and still have it.
    if (focused === null || !focused.checkVisibility() || focused === document.body) focusHeading();
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each of these takes something off the page.
  useEffect(() => {
    const key = current ?? shownRows({ rows, settled })[0]?.key;
    const focused = document.activeElement;
    if (focused !== document.body && focused?.id !== headingId) return;
    const line = key === undefined ? null : document.getElementById(lineId(key));
    if (line === null) focusHeading();
    else line.focus();
  }, [current, open, waiving, rows, settled, pending]);
}

/** Where the reader has scrolled to stays. */
const focusHeading = () => document.getElementById(headingId)?.focus({ preventScroll: true });

function Working({ since, now }: { readonly since: number; readonly now: () => number }) {
  const words = useBreakdownWords();
  useBeat();
  return (
    <p className="bd-working">
      <span>{words('working.refresh')}</span>
      <span className="bd-faint" aria-hidden="true">
        {words('working.seconds', { seconds: Math.floor((now() - since) / 1000) })}
      </span>
    </p>
  );
}

function Failed({ listing: { phase } }: { readonly listing: Listing }) {
  const words = useBreakdownWords();
  const saidOf = useSaid();
  if (phase.kind !== 'failed') return null;
  return (
    <section className="bd-empty">
      <h2>{words('working.failed')}</h2>
      <p>{saidOf(phase.said)}</p>
    </section>
  );
}

/** Tells what happened, without a word moving on the page. */
function LiveRegion({ listing: { said, phase } }: { readonly listing: Listing }) {
  const words = useBreakdownWords();
  const saidOf = useSaid();
  return (
    <div className="bd-hidden" role="status" aria-live="polite">
      {phase.kind === 'working' ? words('working.refresh') : said === null ? '' : saidOf(said)}
    </div>
  );
}
