import { useEffect } from 'react';
import { useStore } from 'zustand';
import type { BreakdownRow, DocumentCoherence, SilencedRow } from '#protocol/breakdown-calls';
import { useBench } from '#renderer/breakdown/bench.ts';
import { markOf, sectionName, versionsOf } from '#renderer/breakdown/row-words.ts';
import { StateMark } from '#renderer/breakdown/state-mark.tsx';
import { countKey } from '#renderer/breakdown/word-count.ts';
import { spokenDay, useBreakdownWords, useTimeStyle } from '#renderer/breakdown/words.ts';
import { useSession } from '#renderer/session.ts';

/** One source of the document, with its state; for what is not as it was read also what changed, when, and the versions. */
export function RestsOnCard({ row }: { readonly row: BreakdownRow }) {
  const words = useBreakdownWords();
  const mark = markOf(row);
  const state = row.state === 'fresh' ? words('panel.as-read') : words(`states.${mark.word}`);
  const detail = useDetail(row);
  return (
    <li className="bd-card" data-state={row.state}>
      <div className="bd-card-head">
        {row.source === null ? <span>{words('row.this-document')}</span> : <Name path={row.source.path} object={row.source.object} />}
        <StateMark mark={mark}>{state}</StateMark>
      </div>
      {detail.length > 0 && (
        <p>
          {detail.map((part, at) => (
            <span key={part}>
              {at > 0 && ' · '}
              <span className={at === detail.length - 1 && at > 0 ? 'bd-nowrap' : ''}>{part}</span>
            </span>
          ))}
        </p>
      )}
    </li>
  );
}

/** A source that moved on without asking anything: the reason stands instead of a state. */
export function SilencedCard({ row }: { readonly row: SilencedRow }) {
  const words = useBreakdownWords();
  return (
    <li className="bd-card" data-state={row.state}>
      <div className="bd-card-head">
        <Name path={row.source.path} object={row.source.object} />
      </div>
      <p>
        {words(`silences.${row.silenced}`)} · {versionsOf({ ...row, silenced: null })}
      </p>
    </li>
  );
}

/** A document that rests on this one. */
export function RestedByCard({ rested: { path, object, row } }: { readonly rested: DocumentCoherence['restedBy'][number] }) {
  const words = useBreakdownWords();
  const mark = markOf(row);
  const confidence = row.provenance === null ? '' : words(`confidences.${row.provenance}`);
  return (
    <li className="bd-card" data-state={row.state}>
      <div className="bd-card-head">
        <Name path={path} object={object} />
        {row.state === 'fresh' ? (
          <span className="bd-faint">{confidence}</span>
        ) : (
          <StateMark mark={mark}>{words(`states.${mark.word}`)}</StateMark>
        )}
      </div>
    </li>
  );
}

/** A document by its path, which opens it; one without a file is only named. */
function Name({ path, object }: { readonly path: string | null; readonly object: string }) {
  const words = useBreakdownWords();
  const { openDocument } = useSession();
  if (path === null) return <span>{words('row.no-path', { object })}</span>;
  return (
    <button type="button" className="bd-card-name" onClick={() => openDocument(path)}>
      <bdi>{path}</bdi>
    </button>
  );
}

function useDetail(row: BreakdownRow): readonly string[] {
  const words = useBreakdownWords();
  const style = useTimeStyle();
  const { counts, world } = useBench();
  const key = countKey(row);
  const isCounted = row.state !== 'fresh' && row.state !== 'waived';
  const count = useStore(counts.store, (known) => (key === null ? undefined : known.get(key)));
  useEffect(() => {
    if (isCounted) counts.want(row);
  }, [isCounted, row, counts]);
  const section = row.section === null ? '' : sectionName(row.section.path);
  if (row.state === 'fresh') return section === '' ? [] : [section];
  if (row.state === 'waived') return [row.waiver?.reason ? words('row.reason', { reason: row.waiver.reason }) : words('row.no-reason')];
  const changed = count?.words == null ? '' : words('panel.words', { count: count.words });
  const when = count?.when == null ? '' : spokenDay(count.when, world.now(), words, style);
  const what = changed === '' || when === '' ? changed : words('row.with-when', { what: changed, when });
  return [section, what, versionsOf(row)].filter((part) => part !== '');
}
