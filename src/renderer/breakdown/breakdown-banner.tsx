import { FileWarning, GitMerge, Info, TriangleAlert } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { Button } from 'react-aria-components';
import type { BreakdownSummary } from '#protocol/breakdown-calls';
import type { Words } from '#protocol/words';
import type { Copies } from '#renderer/breakdown/copies.ts';
import type { Dismissals } from '#renderer/breakdown/dismissal.ts';
import type { Said } from '#renderer/breakdown/listing.ts';
import type { PageVerbs } from '#renderer/breakdown/page-verbs.ts';
import { useBreakdownWords, useSaid } from '#renderer/breakdown/words.ts';

/** How many files a banner names. */
const named = 6;

type Diagnostic = BreakdownSummary['scan']['diagnostics'][number];

/** What a banner is about. */
type About = 'merge' | 'incomplete' | 'context' | 'duplicate' | 'copy' | 'quarantined' | 'waiting';

/** A banner: `id` tells one finding from another, so that what was dismissed at a commit stays dismissed there, and comes back at the next. */
interface Notice {
  readonly about: About;
  readonly id: string;
  readonly icon: ReactNode;
  readonly isGrave: boolean;
  /** How many of its kind it counts for in the line of several. */
  readonly count: number;
  readonly body: ReactNode;
}

interface BannersProps {
  readonly summary: BreakdownSummary;
  readonly copies: Copies;
  readonly dismissals: Dismissals;
  readonly showMerged: () => void;
  readonly verbs: Pick<PageVerbs, 'ask'>;
}

/** What a reader must know before trusting the rows. One notice stands there; several are one line, and unfold. */
export function BreakdownBanners(props: BannersProps) {
  const { summary, copies, dismissals } = props;
  const words = useBreakdownWords();
  const at = (id: string) => `${summary.commit ?? ''} ${id}`;
  const notices = noticesOf(props, words).filter(({ id }) => !dismissals.has(at(id)));
  useFocusKept(notices.length);
  const banners = notices.map((notice) => <Banner key={notice.id} notice={notice} dismiss={() => dismissals.dismiss(at(notice.id))} />);
  return (
    <>
      {copies.said !== null && <Trouble said={copies.said} />}
      {notices.length < 2 ? (
        banners
      ) : (
        <details className={notices.some(({ isGrave }) => isGrave) ? 'bd-notices bd-grave' : 'bd-notices'}>
          <summary>
            {words('notice.count', { count: notices.length })} <span className="bd-muted">{kindsOf(notices, words).join(' · ')}</span>
          </summary>
          {banners}
        </details>
      )}
    </>
  );
}

/** A notice that goes takes the button along that was pressed in it: the focus stays among the notices, or goes to the rows. */
function useFocusKept(count: number): void {
  const before = useRef(count);
  useEffect(() => {
    const isFewer = count < before.current;
    before.current = count;
    if (!isFewer || document.activeElement !== document.body) return;
    document.querySelector<HTMLElement>('.bd-notices > summary, .bd-banner button, .bd-head')?.focus();
  }, [count]);
}

/** Each kind that there is, with how many. */
function kindsOf(notices: readonly Notice[], words: Words): string[] {
  const counts = new Map<About, number>();
  for (const { about, count } of notices) counts.set(about, (counts.get(about) ?? 0) + count);
  return [...counts].map(([about, count]) => words(`notice.${about}`, { count }));
}

function noticesOf({ summary, copies, showMerged, verbs }: BannersProps, words: Words): Notice[] {
  return [
    ...mergeNotice(summary, showMerged, words),
    ...incompleteNotice(summary, words),
    ...contextNotices(summary, words),
    ...copyNotices(copies, verbs, words),
    ...quarantineNotice(summary, words),
    ...waitingNotice(summary, words),
  ];
}

const grave = { icon: <TriangleAlert size={14} aria-hidden />, isGrave: true, count: 1 } as const;

function mergeNotice({ merge }: BreakdownSummary, showMerged: () => void, words: Words): Notice[] {
  if (merge === null || merge.rows === 0) return [];
  const body = (
    <>
      <p>{words('banner.merge', { count: merge.rows, commit: merge.commit.slice(0, 7) })}</p>
      <Button className="bd-button bd-link" onPress={showMerged}>
        {words('banner.show-merged')}
      </Button>
    </>
  );
  return [{ about: 'merge', id: 'merge', icon: <GitMerge size={14} aria-hidden />, isGrave: false, count: 1, body }];
}

function incompleteNotice({ scan }: BreakdownSummary, words: Words): Notice[] {
  if (scan.complete || scan.reason === 'provenance-off') return [];
  const unread = scan.diagnostics.filter(({ code }) => code.startsWith('unreadable') || code === 'scan-truncated');
  const body = (
    <>
      <p>
        {words('banner.incomplete')} {scan.reason === undefined ? '' : words(`incomplete.${scan.reason}`)}
      </p>
      <Paths of={unread} />
    </>
  );
  return [{ about: 'incomplete', id: `incomplete ${scan.reason}`, ...grave, body }];
}

function contextNotices({ context }: BreakdownSummary, words: Words): Notice[] {
  return (context.problems ?? []).map(({ code, path }) => ({
    about: 'context',
    id: `context ${code} ${path}`,
    ...grave,
    body: <p>{words(`diagnostics.${code}`, { path: path ?? context.name })}</p>,
  }));
}

function copyNotices(copies: Copies, verbs: BannersProps['verbs'], words: Words): Notice[] {
  const icon = <FileWarning size={14} aria-hidden />;
  const held = copies.found.held.map(({ object, paths }): Notice => {
    const body = (
      <>
        <p>{words('banner.duplicate')}</p>
        <CopyList paths={paths} copies={copies} />
      </>
    );
    return { about: 'duplicate', id: `duplicate ${object}`, ...grave, icon, body };
  });
  const conflicted = copies.found.copies.map(({ path, of }): Notice => {
    const body = (
      <>
        <p>{words('banner.copy', { path, of })}</p>
        <div className="bd-banner-actions">
          <Button className="bd-button bd-outline" onPress={() => verbs.ask({ kind: 'join', path: of, copy: path })}>
            {words('join.open')}
          </Button>
          <Button className="bd-button bd-outline" onPress={() => copies.makeNew(path)}>
            {words('copies.make-new')}
          </Button>
        </div>
      </>
    );
    return { about: 'copy', id: `copy ${path}`, ...grave, icon, body };
  });
  return [...held, ...conflicted];
}

function quarantineNotice({ scan }: BreakdownSummary, words: Words): Notice[] {
  const count = scan.diagnostics.filter(({ code }) => code === 'quarantined-entry').length;
  if (count === 0) return [];
  return [{ about: 'quarantined', id: `quarantined ${count}`, ...grave, count, body: <p>{words('banner.quarantined', { count })}</p> }];
}

function waitingNotice({ provenanceUnknown: count }: BreakdownSummary, words: Words): Notice[] {
  if (count === 0) return [];
  const body = (
    <>
      <p>{words('banner.waiting', { count })}</p>
      <Button className="bd-button bd-link" onPress={showWaiting}>
        {words('banner.show-waiting')}
      </Button>
    </>
  );
  return [{ about: 'waiting', id: `waiting ${count}`, icon: <Info size={14} aria-hidden />, isGrave: false, count, body }];
}

/** Unfolds what waits, and goes there. */
function showWaiting(): void {
  const group = document.querySelector<HTMLDetailsElement>('details[data-group="provenance-unknown"]');
  if (group === null) return;
  group.open = true;
  group.querySelector('summary')?.focus();
  group.scrollIntoView({ block: 'nearest' });
}

/** What could not be done, where it is seen. */
export function Trouble({ said }: { readonly said: Said }) {
  const saidOf = useSaid();
  return <p className="bd-note bd-trouble">{saidOf(said)}</p>;
}

function CopyList({ paths, copies }: { readonly paths: readonly string[]; readonly copies: Copies }) {
  const words = useBreakdownWords();
  return (
    <ul className="bd-copies">
      {paths.slice(0, named).map((path) => (
        <li key={path}>
          <bdi>{path}</bdi>
          <Button
            className="bd-button bd-outline bd-small"
            aria-label={words('copies.make-new-of', { path })}
            onPress={() => copies.makeNew(path)}
          >
            {words('copies.make-new')}
          </Button>
        </li>
      ))}
      {paths.length > named && <li>{words('banner.and-more', { count: paths.length - named })}</li>}
    </ul>
  );
}

function Banner({ notice: { icon, isGrave, body }, dismiss }: { readonly notice: Notice; readonly dismiss: () => void }) {
  const words = useBreakdownWords();
  return (
    <div className={isGrave ? 'bd-banner bd-grave' : 'bd-banner'}>
      {icon}
      <div className="bd-banner-text">{body}</div>
      <Button className="bd-button bd-muted" onPress={dismiss}>
        {words('banner.dismiss')}
      </Button>
    </div>
  );
}

function Paths({ of }: { readonly of: readonly Diagnostic[] }) {
  const words = useBreakdownWords();
  const paths = [...new Set(of.map(({ path }) => path).filter((path) => path !== null))];
  if (paths.length === 0) return null;
  return (
    <ul className="bd-paths">
      {paths.slice(0, named).map((path) => (
        <li key={path}>
          <bdi>{path}</bdi>
        </li>
      ))}
      {paths.length > named && <li>{words('banner.and-more', { count: paths.length - named })}</li>}
    </ul>
  );
}
