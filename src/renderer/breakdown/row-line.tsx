import { useStore } from 'zustand';
import type { BreakdownRow } from '#protocol/breakdown-calls';
import { useBench } from '#renderer/breakdown/bench.ts';
import type { ListedRow } from '#renderer/breakdown/listing.ts';
import { dayOf } from '#renderer/breakdown/moment.ts';
import { markOf, percentOf, sectionName, versionsOf } from '#renderer/breakdown/row-words.ts';
import { StateMark } from '#renderer/breakdown/state-mark.tsx';
import { countKey, type WordCount } from '#renderer/breakdown/word-count.ts';
import { spokenDay, useBreakdownWords, useTimeStyle } from '#renderer/breakdown/words.ts';

/** A row closed: source, section, how many words changed and when, state, badges, versions. */
export function RowLine({
  listed: { key, row },
  isOpen,
  isCurrent,
  toggle,
  focused,
}: {
  readonly listed: ListedRow;
  readonly isOpen: boolean;
  readonly isCurrent: boolean;
  readonly toggle: () => void;
  readonly focused: () => void;
}) {
  const words = useBreakdownWords();
  const what = useWhatChanged(row);
  return (
    <button
      type="button"
      id={lineId(key)}
      className="bd-head"
      aria-expanded={isOpen}
      tabIndex={isCurrent ? 0 : -1}
      onClick={toggle}
      onFocus={focused}
    >
      <span className="bd-source">
        {row.source === null ? (
          <span className="bd-muted">{words('row.this-document')}</span>
        ) : (
          <bdi>{row.source.path ?? words('row.no-path', { object: row.source.object })}</bdi>
        )}
        {row.section !== null && <span className="bd-faint"> {sectionName(row.section.path)}</span>}
      </span>
      <span className="bd-muted bd-what">{what}</span>
      <Marks row={row} />
      <span className="bd-faint bd-versions">{versionsOf(row)}</span>
    </button>
  );
}

/** The id of the line of a row, by which the keys move the focus. */
export function lineId(key: string): string {
  return `breakdown-row-${key}`;
}

function Marks({ row }: { readonly row: BreakdownRow }) {
  const words = useBreakdownWords();
  const style = useTimeStyle();
  const { world } = useBench();
  const mark = markOf(row);
  const word = words(`states.${mark.word}`);
  const at = row.waiver === null ? Number.NaN : Date.parse(row.waiver.at);
  return (
    <span className="bd-marks">
      <StateMark mark={mark}>{Number.isNaN(at) ? word : `${word} ${dayOf(at, world.now(), style)}`}</StateMark>
      {row.check !== null && (
        <span className={`bd-mark bd-plain ${row.check.verdict === 'contradicted' ? 'bd-lost' : 'bd-waived'}`}>
          {verdictOf(row.check, words)}
        </span>
      )}
      {row.check?.partial === true && <span className="bd-mark bd-plain bd-outlined">{words('badges.partial')}</span>}
      {row.edge !== null && row.delegated !== undefined && (
        <span className="bd-mark bd-plain bd-outlined" title={words('row.delegated-by', { by: row.delegated.by })}>
          {words('row.delegated')}
        </span>
      )}
      {row.resolutions > 1 && <span className="bd-mark bd-plain bd-outlined">{words('badges.resolved', { count: row.resolutions })}</span>}
      {row.provenance !== null && row.provenance !== 'exact' && (
        <span className="bd-mark bd-plain bd-outlined">{words(`badges.${row.provenance}`)}</span>
      )}
    </span>
  );
}

type Say = (key: string, detail?: Readonly<Record<string, unknown>>) => string;

function verdictOf({ verdict, confidence }: NonNullable<BreakdownRow['check']>, words: Say): string {
  const word = words(`badges.${verdict}`);
  return verdict === 'contradicted' && confidence !== null ? words('row.contradicted', { word, percent: percentOf(confidence) }) : word;
}

/** What a closed row says in its middle. */
function useWhatChanged(row: BreakdownRow): string {
  const words = useBreakdownWords();
  const style = useTimeStyle();
  const { counts, world } = useBench();
  const key = countKey(row);
  const count = useStore(counts.store, (known) => (key === null ? undefined : known.get(key)));
  if (row.state === 'waived' && row.waiver !== null) {
    const { reason, expires } = row.waiver;
    const why = reason === null || reason === '' ? words('row.no-reason') : words('row.reason', { reason });
    const end = expires === null ? Number.NaN : Date.parse(expires);
    return Number.isNaN(end) ? why : `${why} ${words('row.until', { date: dayOf(end, world.now(), style) })}`;
  }
  if (row.edge === null || row.current === null) return words(`explanations.${row.state}`);
  return count === undefined ? '' : countWords(count, words, (time) => spokenDay(time, world.now(), words, style));
}

function countWords({ words: changed, isSameText, when }: WordCount, words: Say, dayOfTime: (time: string) => string): string {
  const what = whatOf(changed, isSameText, words);
  return when === null ? what : words('row.with-when', { what, when: dayOfTime(when) });
}

function whatOf(changed: number | null, isSameText: boolean, words: Say): string {
  if (changed === null) return words('row.unavailable');
  if (changed > 0) return words('row.words', { count: changed });
  return words(isSameText ? 'row.same-text' : 'row.no-words');
}
