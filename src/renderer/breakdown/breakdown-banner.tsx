import { FileWarning, GitMerge, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from 'react-aria-components';
import type { BreakdownSummary } from '#protocol/calls';
import type { Copies } from '#renderer/breakdown/copies.ts';
import type { Dismissals } from '#renderer/breakdown/dismissal.ts';
import type { Said } from '#renderer/breakdown/listing.ts';
import type { PageVerbs } from '#renderer/breakdown/page-verbs.ts';
import { useBreakdownWords, useSaid } from '#renderer/breakdown/words.ts';

/** How many files a banner names. */
const named = 6;

type Diagnostic = BreakdownSummary['scan']['diagnostics'][number];

/** What a reader must know before trusting the rows: a merge that landed, an incomplete scan, copies, lines that were set aside, what waits. */
export function BreakdownBanners({
  summary,
  copies,
  dismissals,
  showMerged,
  verbs,
}: {
  readonly summary: BreakdownSummary;
  readonly copies: Copies;
  readonly dismissals: Dismissals;
  readonly showMerged: () => void;
  readonly verbs: Pick<PageVerbs, 'ask'>;
}) {
  const words = useBreakdownWords();
  const { scan, provenanceUnknown, merge } = summary;
  const { held, copies: conflicted } = copies.found;
  const quarantined = scan.diagnostics.filter(({ code }) => code === 'quarantined-entry').length;
  const unread = scan.diagnostics.filter(({ code }) => code.startsWith('unreadable') || code === 'scan-truncated');
  const isIncomplete = !scan.complete && scan.reason !== 'provenance-off';
  const remembered = { summary, dismissals };
  return (
    <>
      {merge !== null && merge.rows > 0 && (
        <Banner id="merge" {...remembered} icon={<GitMerge size={14} aria-hidden />}>
          <p>{words('banner.merge', { count: merge.rows, commit: merge.commit.slice(0, 7) })}</p>
          <Button className="bd-button bd-link" onPress={showMerged}>
            {words('banner.show-merged')}
          </Button>
        </Banner>
      )}
      {isIncomplete && (
        <Banner id={`incomplete ${scan.reason}`} {...remembered} icon={<TriangleAlert size={14} aria-hidden />} isGrave>
          <p>
            {words('banner.incomplete')} {scan.reason === undefined ? '' : words(`incomplete.${scan.reason}`)}
          </p>
          <Paths of={unread} />
        </Banner>
      )}
      {held.map(({ object, paths }) => (
        <Banner key={object} id={`duplicate ${object}`} {...remembered} icon={<FileWarning size={14} aria-hidden />} isGrave>
          <p>{words('banner.duplicate')}</p>
          <CopyList paths={paths} copies={copies} />
        </Banner>
      ))}
      {conflicted.map(({ path, of }) => (
        <Banner key={path} id={`copy ${path}`} {...remembered} icon={<FileWarning size={14} aria-hidden />} isGrave>
          <p>{words('banner.copy', { path, of })}</p>
          <div className="bd-banner-actions">
            <Button className="bd-button bd-outline" onPress={() => verbs.ask({ kind: 'join', path: of, copy: path })}>
              {words('join.open')}
            </Button>
            <Button className="bd-button bd-outline" onPress={() => copies.makeNew(path)}>
              {words('copies.make-new')}
            </Button>
          </div>
        </Banner>
      ))}
      {copies.said !== null && <Trouble said={copies.said} />}
      {quarantined > 0 && (
        <Banner id={`quarantined ${quarantined}`} {...remembered} icon={<TriangleAlert size={14} aria-hidden />} isGrave>
          <p>{words('banner.quarantined', { count: quarantined })}</p>
        </Banner>
      )}
      {provenanceUnknown > 0 && (
        <Banner id={`waiting ${provenanceUnknown}`} {...remembered} icon={<Info size={14} aria-hidden />}>
          <p>{words('banner.waiting', { count: provenanceUnknown })}</p>
          <Button className="bd-button bd-link" onPress={showWaiting}>
            {words('banner.show-waiting')}
          </Button>
        </Banner>
      )}
    </>
  );
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

/** `id` tells one finding from another: what was dismissed at a commit stays dismissed there, and comes back at the next. */
function Banner({
  id,
  summary,
  dismissals,
  icon,
  isGrave = false,
  children,
}: {
  readonly id: string;
  readonly summary: BreakdownSummary;
  readonly dismissals: Dismissals;
  readonly icon: ReactNode;
  readonly isGrave?: boolean;
  readonly children: ReactNode;
}) {
  const words = useBreakdownWords();
  const at = `${summary.commit ?? ''} ${id}`;
  if (dismissals.has(at)) return null;
  return (
    <div className={isGrave ? 'bd-banner bd-grave' : 'bd-banner'}>
      {icon}
      <div className="bd-banner-text">{children}</div>
      <Button className="bd-button bd-muted" onPress={() => dismissals.dismiss(at)}>
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
