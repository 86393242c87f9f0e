import type { ReactNode } from 'react';
import type { BreakdownSummary } from '#protocol/calls';
import { sectionName } from '#renderer/breakdown/row-words.ts';
import { useBreakdownWords } from '#renderer/breakdown/words.ts';

/** How many lines of a folded group are put on the page. */
const listed = 500;

/** What asks nothing now: silenced rows with their reasons, rows whose source is gone, documents that lost what they rest on. */
export function FoldedGroups({ summary }: { readonly summary: BreakdownSummary }) {
  const words = useBreakdownWords();
  const { silenced, sourceGone, provenanceUnknown } = summary;
  const reasons = new Map<string, number>();
  for (const row of silenced) reasons.set(row.silenced, (reasons.get(row.silenced) ?? 0) + 1);
  const counted = [...reasons].map(([silence, count]) => words('folded.silenced', { reason: words(`silences.${silence}`), count }));
  return (
    <>
      <Folded title={words('headings.silenced')} count={silenced.length} about={counted}>
        {silenced.slice(0, listed).map((row) => (
          <Line key={`${row.edge.txf}:${row.edge.input}`} text={restsOn(row, words)} aside={words(`silences.${row.silenced}`)} />
        ))}
      </Folded>
      <Folded title={words('headings.source-gone')} count={sourceGone.length}>
        {sourceGone.slice(0, listed).map((row) => (
          <Line key={`${row.edge.txf}:${row.edge.input}`} text={restsOn(row, words)} />
        ))}
      </Folded>
      <Folded title={words('headings.provenance-unknown')} count={provenanceUnknown.length}>
        {provenanceUnknown.slice(0, listed).map(({ object, path }) => (
          <Line key={object} text={path ?? words('row.no-path', { object })} />
        ))}
      </Folded>
    </>
  );
}

type Quiet = BreakdownSummary['silenced'][number] | BreakdownSummary['sourceGone'][number];

function restsOn({ artifact, source, section }: Quiet, words: (key: string, detail?: Readonly<Record<string, unknown>>) => string): string {
  const name = `${source.path ?? source.object}${section === null ? '' : ` ${sectionName(section.path)}`}`;
  return words('folded.rests-on', { artifact: artifact.path ?? artifact.object, source: name });
}

function Folded({
  title,
  count,
  about = [],
  children,
}: {
  readonly title: string;
  readonly count: number;
  readonly about?: readonly string[];
  readonly children: ReactNode;
}) {
  if (count === 0) return null;
  return (
    <details className="bd-folded">
      <summary>
        {title} <span className="bd-faint">{[count, ...about].join(' · ')}</span>
      </summary>
      <ul>{children}</ul>
    </details>
  );
}

function Line({ text, aside }: { readonly text: string; readonly aside?: string }) {
  return (
    <li>
      <bdi>{text}</bdi>
      {aside !== undefined && <span className="bd-faint"> {aside}</span>}
    </li>
  );
}
