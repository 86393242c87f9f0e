import { useEffect, useState } from 'react';
import type { BreakdownRow, EdgeChange, VersionText } from '#protocol/breakdown-calls';
import { ArtifactText } from '#renderer/breakdown/artifact-text.tsx';
import { useBench } from '#renderer/breakdown/bench.ts';
import { PlainText } from '#renderer/breakdown/change-text.tsx';
import type { Comparison } from '#renderer/breakdown/comparison.ts';
import { ComparisonView, MergedView, Side, type SideCaption, VersionView } from '#renderer/breakdown/comparison-view.tsx';
import { faultOf, type Said } from '#renderer/breakdown/listing.ts';
import { letterOf, useMadeOf } from '#renderer/breakdown/made.ts';
import { labelOf, sectionName } from '#renderer/breakdown/row-words.ts';
import { countKey } from '#renderer/breakdown/word-count.ts';
import { useBreakdownWords, useSaid } from '#renderer/breakdown/words.ts';

type Reading =
  | { readonly kind: 'reading' }
  | { readonly kind: 'failed'; readonly said: Said }
  | {
      readonly kind: 'read';
      readonly change: EdgeChange;
      readonly comparison: Comparison | null;
      /** Where the source has several versions: each beside what was read. */
      readonly parallel: readonly ParallelVersion[];
    };

interface ParallelVersion {
  readonly version: VersionText;
  readonly comparison: Comparison | null;
}

/** What changed behind an edge: the source as it was read beside the source now, and the artifact below; where the artifact stands beside already, only the change, as one text. `onRead` hears which version is shown, `onShown` that it stands there. */
export function ChangeView({
  row,
  artifact,
  isArtifactShown = true,
  onRead,
  onShown,
}: {
  readonly row: BreakdownRow;
  readonly artifact: string;
  readonly isArtifactShown?: boolean;
  readonly onRead?: (now: VersionText | null) => void;
  readonly onShown?: () => void;
}) {
  const words = useBreakdownWords();
  const saidOf = useSaid();
  const reading = useReading(row, onRead);
  const isRead = reading.kind === 'read';
  useEffect(() => {
    if (isRead) onShown?.();
  }, [isRead, onShown]);
  if (reading.kind === 'reading') return <p className="bd-quiet bd-reading">{words('working.reading')}</p>;
  if (reading.kind === 'failed') return <p className="bd-note">{saidOf(reading.said)}</p>;
  return (
    <section aria-label={words('change.label')}>
      <Versions reading={reading} isMerged={!isArtifactShown} />
      {isArtifactShown && <ArtifactText row={row} artifact={artifact} text={reading.change.artifact.text} />}
    </section>
  );
}

/** Reads the change again when the row has moved; an answer that comes too late is let go. */
function useReading(row: BreakdownRow, onRead: ((now: VersionText | null) => void) | undefined): Reading {
  const { world, comparer, counts } = useBench();
  const [reading, setReading] = useState<Reading>({ kind: 'reading' });
  const key = countKey(row) ?? JSON.stringify(row.edge);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the row, and who hears is not a reason to read again.
  useEffect(() => {
    let isWanted = true;
    const read = async () => {
      const change = await world.call('edge/change', { edge: row.edge! });
      if (!isWanted) return;
      onRead?.(change.now);
      const { before, now, section } = change;
      const isWhole = before.text !== null && now !== null && now.text !== null;
      const comparison = isWhole ? await comparer.compare(before.text!, now.text!, section) : null;
      counts.learn(row, change, comparison?.words ?? null);
      const parallel: ParallelVersion[] = [];
      for (const version of change.versions) {
        const isText = before.text !== null && version.text !== null;
        parallel.push({ version, comparison: isText ? await comparer.compare(before.text!, version.text!, section) : null });
      }
      if (isWanted) setReading({ kind: 'read', change, comparison, parallel });
    };
    read().catch((error) => isWanted && setReading({ kind: 'failed', said: faultOf(error) }));
    return () => {
      isWanted = false;
    };
  }, [key, world, comparer, counts]);
  return reading;
}

function Versions({
  reading: { change, comparison, parallel },
  isMerged,
}: {
  readonly reading: Extract<Reading, { kind: 'read' }>;
  readonly isMerged: boolean;
}) {
  const words = useBreakdownWords();
  const captions = useCaptions(change);
  if (parallel.length > 0) return <Parallel change={change} parallel={parallel} caption={captions.before} />;
  if (comparison === null) return <Apart change={change} captions={captions} />;
  const isSame = change.before.text === change.now?.text;
  const { section, rest, elsewhere } = comparison;
  const View = isMerged ? MergedView : ComparisonView;
  return (
    <>
      {change.section !== null && section === null && (
        <p className="bd-note">{words('change.anchor-lost', { section: sectionName(change.section) })}</p>
      )}
      {isSame && <p className="bd-quiet bd-reading">{words('change.same')}</p>}
      <View folds={section ?? rest} before={captions.before} now={captions.now} />
      {section !== null && rest.length > 0 && (
        <details className="bd-elsewhere">
          <summary>{elsewhere === 0 ? words('change.elsewhere-same') : words('change.elsewhere', { count: elsewhere })}</summary>
          <View folds={rest} before={captions.before} now={captions.now} />
        </details>
      )}
    </>
  );
}

/** The source as it was read, and beside it each of its current versions with what it says otherwise. */
function Parallel({
  change,
  parallel,
  caption,
}: {
  readonly change: EdgeChange;
  readonly parallel: readonly ParallelVersion[];
  readonly caption: SideCaption;
}) {
  const words = useBreakdownWords();
  const captionOf = useCaptionOf();
  return (
    <div className="bd-parallel">
      <Side caption={caption}>
        <Excerpt version={change.before} />
      </Side>
      <section aria-label={words('change.now-several', { count: parallel.length })}>
        {parallel.map(({ version, comparison }, at) => {
          const own = captionOf(words('join.name', { letter: letterOf(at) }), version);
          return comparison === null ? (
            <Side key={version.revision} caption={own}>
              <Excerpt version={version} />
            </Side>
          ) : (
            <VersionView key={version.revision} folds={comparison.section ?? comparison.rest} caption={own} />
          );
        })}
      </section>
    </div>
  );
}

/** A version as it is, or that its text was not kept. */
function Excerpt({ version }: { readonly version: VersionText | null }) {
  const words = useBreakdownWords();
  if (version === null || version.text === null)
    return <p className="bd-missing">{words(version === null ? 'explanations.unpinnable' : 'change.unavailable')}</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section className="bd-excerpt" tabIndex={0} aria-label={labelOf(version)}>
      <PlainText text={version.text} />
    </section>
  );
}

/** Where a version was not kept, or there is none now, each side says what is known. */
function Apart({ change, captions }: { readonly change: EdgeChange; readonly captions: { before: SideCaption; now: SideCaption } }) {
  return (
    <div className="bd-two">
      <Side caption={captions.before} rows={2}>
        <Excerpt version={change.before} />
      </Side>
      <Side caption={captions.now} rows={2}>
        <Excerpt version={change.now} />
      </Side>
    </div>
  );
}

function useCaptions({ before, now }: EdgeChange): { before: SideCaption; now: SideCaption } {
  const words = useBreakdownWords();
  const captionOf = useCaptionOf();
  return { before: captionOf(words('change.before'), before), now: captionOf(words('change.now'), now) };
}

function useCaptionOf(): (label: string, version: VersionText | null) => SideCaption {
  const madeOf = useMadeOf();
  return (label, version) => {
    if (version === null) return { label, version: '', by: '' };
    const { name, time, by } = madeOf(version);
    return { label, version: [name, time].filter((part) => part).join(' · '), by };
  };
}
