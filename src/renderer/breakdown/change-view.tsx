import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { BreakdownRow, EdgeChange, VersionText } from '#protocol/calls';
import { ArtifactText } from '#renderer/breakdown/artifact-text.tsx';
import { useBench } from '#renderer/breakdown/bench.ts';
import { PlainText } from '#renderer/breakdown/change-text.tsx';
import type { Comparison } from '#renderer/breakdown/comparison.ts';
import { ComparisonView, MergedView, Side, type SideCaption } from '#renderer/breakdown/comparison-view.tsx';
import { faultOf, type Said } from '#renderer/breakdown/listing.ts';
import { labelOf, sectionName } from '#renderer/breakdown/row-words.ts';
import { countKey } from '#renderer/breakdown/word-count.ts';
import { spokenTime, useBreakdownWords, useSaid, useTimeStyle } from '#renderer/breakdown/words.ts';

type Reading =
  | { readonly kind: 'reading' }
  | { readonly kind: 'failed'; readonly said: Said }
  | { readonly kind: 'read'; readonly change: EdgeChange; readonly comparison: Comparison | null };

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
      if (isWanted) setReading({ kind: 'read', change, comparison });
    };
    read().catch((error) => isWanted && setReading({ kind: 'failed', said: faultOf(error) }));
    return () => {
      isWanted = false;
    };
  }, [key, world, comparer, counts]);
  return reading;
}

function Versions({
  reading: { change, comparison },
  isMerged,
}: {
  readonly reading: Extract<Reading, { kind: 'read' }>;
  readonly isMerged: boolean;
}) {
  const words = useBreakdownWords();
  const captions = useCaptions(change);
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

/** Where a version was not kept, or there is no one version now, each side says what is known. */
function Apart({ change, captions }: { readonly change: EdgeChange; readonly captions: { before: SideCaption; now: SideCaption } }) {
  const words = useBreakdownWords();
  const textOf = (version: VersionText | null) =>
    version === null ? (
      <p className="bd-missing">{words('change.no-current')}</p>
    ) : version.text === null ? (
      <p className="bd-missing">{words('change.unavailable')}</p>
    ) : (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
      <section className="bd-excerpt" tabIndex={0} aria-label={labelOf(version)}>
        <PlainText text={version.text} />
      </section>
    );
  return (
    <div className="bd-two">
      <Side caption={captions.before} rows={2}>
        {textOf(change.before)}
      </Side>
      <Side caption={captions.now} rows={2}>
        {textOf(change.now)}
      </Side>
    </div>
  );
}

function useCaptions({ before, now }: EdgeChange): { before: SideCaption; now: SideCaption } {
  const words = useBreakdownWords();
  const style = useTimeStyle();
  const { world } = useBench();
  const asOf = useStore(useBench().asOf);
  const captionOf = (label: string, version: VersionText | null): SideCaption => {
    const time = version?.time == null ? null : spokenTime(version.time, asOf ?? world.now(), words, style);
    const name = version === null ? '' : labelOf(version);
    return { label, version: [name, time].filter((part) => part).join(' · '), by: version === null ? '' : authorOf(version, words) };
  };
  return { before: captionOf(words('change.before'), before), now: captionOf(words('change.now'), now) };
}

/** A person by name; a model or a program by what it is, with its name. */
function authorOf({ agent, by }: VersionText, words: (key: string, detail?: Readonly<Record<string, unknown>>) => string): string {
  if (agent === null) return '';
  if (agent === 'human' && by !== null) return words('change.by', { who: by });
  const kind = words(`agents.${agent}`);
  return words('change.by', { who: by === null || by === agent ? kind : `${kind}, ${by}` });
}
