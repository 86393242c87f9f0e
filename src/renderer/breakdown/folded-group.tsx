import { type ReactNode, useState } from 'react';
import { Button } from 'react-aria-components';
import type { BreakdownSummary, QuietPage } from '#protocol/breakdown-calls';
import { CoherenceLog } from '#renderer/breakdown/coherence-log.tsx';
import type { NamedDocument } from '#renderer/breakdown/listing.ts';
import type { PageVerbs } from '#renderer/breakdown/page-verbs.ts';
import { ProvenanceUnknown } from '#renderer/breakdown/provenance-unknown.tsx';
import { QuietList, useQuiet } from '#renderer/breakdown/quiet-list.tsx';
import { sectionName } from '#renderer/breakdown/row-words.ts';
import { useBreakdownWords } from '#renderer/breakdown/words.ts';

/** What asks nothing now: silenced rows with their reasons, rows whose source is gone, documents that lost what they rest on; and the log. */
export function FoldedGroups({ summary, verbs }: { readonly summary: BreakdownSummary; readonly verbs: PageVerbs }) {
  const words = useBreakdownWords();
  const { silenced, finished, sourceGone, provenanceUnknown, asOf } = summary;
  const withFinished = { ...silenced, 'document-finished': silenced['document-finished'] + finished };
  const reasons = Object.entries(withFinished).filter(([, count]) => count > 0);
  const all = reasons.reduce((sum, [, count]) => sum + count, 0);
  const counted = reasons.map(([silence, count]) => words('folded.silenced', { reason: words(`silences.${silence}`), count }));
  return (
    <>
      {all > 0 && (
        <Folded title={words('headings.silenced')} about={[`${all}`, ...counted]} group="silenced">
          <Silenced key={asOf} asOf={asOf} verbs={verbs} />
        </Folded>
      )}
      {sourceGone > 0 && (
        <Folded title={words('headings.source-gone')} about={[`${sourceGone}`]} group="source-gone">
          <SourceGone key={asOf} asOf={asOf} />
        </Folded>
      )}
      {provenanceUnknown > 0 && (
        <Folded title={words('headings.provenance-unknown')} about={[`${provenanceUnknown}`]} group="provenance-unknown">
          <ProvenanceUnknown key={asOf} asOf={asOf} />
        </Folded>
      )}
      {summary.initialized && (
        <Folded title={words('headings.log')} group="log">
          <CoherenceLog />
        </Folded>
      )}
    </>
  );
}

/** What is folded away is read when it is unfolded, each time. */
function Folded({
  title,
  group,
  about = [],
  children,
}: {
  readonly title: string;
  readonly group: string;
  readonly about?: readonly string[];
  readonly children: ReactNode;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="bd-folded" data-group={group} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {title} <span className="bd-faint">{about.join(' · ')}</span>
      </summary>
      {isOpen && children}
    </details>
  );
}

type Quiet = QuietPage['rows'][number];

function Silenced({ asOf, verbs }: { readonly asOf: number; readonly verbs: PageVerbs }) {
  const words = useBreakdownWords();
  const quiet = useQuiet('silenced', asOf);
  const { rows, documents } = quiet.page ?? { rows: [], documents: [] };
  return (
    <QuietList quiet={quiet} count={rows.length + documents.length}>
      {[...byArtifact(rows), ...documents.map((artifact) => ({ artifact, rows: [] }))].map(({ artifact, rows: own }) => (
        <li key={artifact.object} className="bd-silent">
          <div className="bd-silent-head">
            <bdi>{artifact.path ?? artifact.object}</bdi>
            {own.every((row) => row.silenced === 'document-finished') && (
              <Button
                className="bd-button bd-outline bd-small"
                aria-label={words('finish.reopen-of', { path: artifact.path ?? artifact.object })}
                onPress={() => verbs.finish(artifact, 'live', '')}
              >
                {words('finish.reopen')}
              </Button>
            )}
          </div>
          <ul>
            {own.length === 0 && (
              <li data-silence="document-finished">
                <span className="bd-faint">{words('silences.document-finished')}</span>
              </li>
            )}
            {own.map((row) => (
              <li key={`${row.edge.txf}:${row.edge.input}`} data-silence={row.silenced}>
                <bdi>{sourceOf(row)}</bdi> <span className="bd-faint">{words(`silences.${row.silenced}`)}</span>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </QuietList>
  );
}

function SourceGone({ asOf }: { readonly asOf: number }) {
  const words = useBreakdownWords();
  const quiet = useQuiet('source-gone', asOf);
  return (
    <QuietList quiet={quiet} count={quiet.page?.rows.length ?? 0}>
      {(quiet.page?.rows ?? []).map((row) => (
        <li key={`${row.edge.txf}:${row.edge.input}`}>
          <bdi>{words('folded.rests-on', { artifact: row.artifact.path ?? row.artifact.object, source: sourceOf(row) })}</bdi>
        </li>
      ))}
    </QuietList>
  );
}

function sourceOf({ source, section }: Quiet): string {
  return `${source.path ?? source.object}${section === null ? '' : ` ${sectionName(section.path)}`}`;
}

function byArtifact(rows: readonly Quiet[]): { artifact: NamedDocument; rows: Quiet[] }[] {
  const groups = new Map<string, { artifact: NamedDocument; rows: Quiet[] }>();
  for (const row of rows) {
    const known = groups.get(row.artifact.object);
    if (known === undefined) groups.set(row.artifact.object, { artifact: row.artifact, rows: [row] });
    else known.rows.push(row);
  }
  return [...groups.values()];
}
