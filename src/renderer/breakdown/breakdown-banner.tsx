import { FileWarning, Info, TriangleAlert } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button } from 'react-aria-components';
import type { BreakdownSummary } from '#protocol/calls';
import { useBreakdownWords } from '#renderer/breakdown/words.ts';

/** How many files a banner names. */
const named = 6;

type Diagnostic = BreakdownSummary['scan']['diagnostics'][number];

/** What a reader must know before trusting the rows: that the scan was incomplete, ids that are in several files, lines that were set aside. */
export function BreakdownBanners({ summary }: { readonly summary: BreakdownSummary }) {
  const words = useBreakdownWords();
  const { scan, provenanceUnknown } = summary;
  const of = (code: string) => scan.diagnostics.filter((diagnostic) => diagnostic.code === code);
  const duplicates = of('duplicate-id');
  const quarantined = of('quarantined-entry').length;
  const unread = scan.diagnostics.filter(({ code }) => code.startsWith('unreadable') || code === 'scan-truncated');
  const isIncomplete = !scan.complete && scan.reason !== 'provenance-off';
  return (
    <>
      {isIncomplete && (
        <Banner id={`incomplete ${scan.reason}`} icon={<TriangleAlert size={14} aria-hidden />} isGrave>
          <p>
            {words('banner.incomplete')} {scan.reason === undefined ? '' : words(`incomplete.${scan.reason}`)}
          </p>
          <Paths of={unread} />
        </Banner>
      )}
      {duplicates.length > 0 && (
        <Banner id={`duplicate ${duplicates.map(({ path }) => path).join()}`} icon={<FileWarning size={14} aria-hidden />} isGrave>
          <p>{words('banner.duplicate')}</p>
          <Paths of={duplicates} />
        </Banner>
      )}
      {quarantined > 0 && (
        <Banner id={`quarantined ${quarantined}`} icon={<TriangleAlert size={14} aria-hidden />} isGrave>
          <p>{words('banner.quarantined', { count: quarantined })}</p>
        </Banner>
      )}
      {provenanceUnknown.length > 0 && (
        <Banner id={`waiting ${provenanceUnknown.length}`} icon={<Info size={14} aria-hidden />}>
          <p>{words('banner.waiting', { count: provenanceUnknown.length })}</p>
        </Banner>
      )}
    </>
  );
}

/** `id` tells one finding from another: what was dismissed comes back when it is something else. */
function Banner({
  id,
  icon,
  isGrave = false,
  children,
}: {
  readonly id: string;
  readonly icon: ReactNode;
  readonly isGrave?: boolean;
  readonly children: ReactNode;
}) {
  const words = useBreakdownWords();
  const [dismissed, setDismissed] = useState<string | null>(null);
  if (dismissed === id) return null;
  return (
    <div className={isGrave ? 'bd-banner bd-grave' : 'bd-banner'}>
      {icon}
      <div className="bd-banner-text">{children}</div>
      <Button className="bd-button bd-muted" onPress={() => setDismissed(id)}>
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
