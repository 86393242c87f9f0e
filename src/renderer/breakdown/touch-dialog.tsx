import { useEffect, useState } from 'react';
import { Button } from 'react-aria-components';
import type { TouchedDocument, TouchedDocuments } from '#protocol/breakdown-calls';
import { useBench } from '#renderer/breakdown/bench.ts';
import { faultOf, type NamedDocument, pageLength, type Said } from '#renderer/breakdown/listing.ts';
import { AskOver } from '#renderer/breakdown/modal.tsx';
import { sectionName } from '#renderer/breakdown/row-words.ts';
import { useBreakdownWords, useSaid } from '#renderer/breakdown/words.ts';

/** What would this touch? Everything that rests on a document, near ones first, by how far they are. */
export function TouchDialog({ document, close }: { readonly document: NamedDocument; readonly close: () => void }) {
  const words = useBreakdownWords();
  const saidOf = useSaid();
  const { known, said, more } = useTouched(document.object);
  const path = document.path ?? document.object;
  return (
    <AskOver title={words('touch.title', { path })} isWide close={close}>
      <p className="bd-quiet">{words('touch.nothing-done')}</p>
      {said !== null && <p className="bd-note">{saidOf(said)}</p>}
      {known === null && said === null && <p className="bd-quiet bd-reading">{words('touch.working')}</p>}
      {known?.total === 0 && <p className="bd-quiet">{words('touch.nothing')}</p>}
      {known !== null && known.total > 0 && (
        <>
          <p className="bd-quiet">
            {words('touch.direct', { count: known.direct })}
            {known.total > known.direct && ` ${words('touch.through', { count: known.total - known.direct })}`}
          </p>
          {byDistance(known.documents).map(([distance, documents]) => (
            <section key={distance} aria-label={words(distance === 1 ? 'touch.at-once' : 'touch.after', { count: distance - 1 })}>
              <h3>{words(distance === 1 ? 'touch.at-once' : 'touch.after', { count: distance - 1 })}</h3>
              <ul className="bd-recorded">
                {documents.map((touched) => (
                  <Touched key={touched.object} touched={touched} />
                ))}
              </ul>
            </section>
          ))}
        </>
      )}
      <div className="bd-actions">
        <Button autoFocus className="bd-button bd-outline" onPress={close}>
          {words('action.close')}
        </Button>
        {known !== null && known.documents.length < known.total && (
          <Button className="bd-button" onPress={more}>
            {words('action.show-more')}
          </Button>
        )}
      </div>
    </AskOver>
  );
}

function Touched({ touched: { object, path, through, section, lifecycle } }: { readonly touched: TouchedDocument }) {
  const words = useBreakdownWords();
  const about = [
    section === null ? '' : words('touch.section', { section: sectionName(section) }),
    through === null ? '' : words('touch.by', { path: through.path ?? through.object }),
    lifecycle === 'finished' ? words('touch.finished') : '',
  ].filter((part) => part !== '');
  return (
    <li>
      <bdi>{path ?? words('row.no-path', { object })}</bdi> <span className="bd-faint">{about.join(' · ')}</span>
    </li>
  );
}

function byDistance(documents: readonly TouchedDocument[]): [number, TouchedDocument[]][] {
  const groups = new Map<number, TouchedDocument[]>();
  for (const document of documents) groups.set(document.distance, [...(groups.get(document.distance) ?? []), document]);
  return [...groups];
}

function useTouched(object: string) {
  const { world } = useBench();
  const [known, setKnown] = useState<TouchedDocuments | null>(null);
  const [said, setSaid] = useState<Said | null>(null);
  const ask = (offset: number, before: TouchedDocuments['documents']) =>
    world.call('coherence/touch', { object, offset, limit: pageLength }).then(
      (answer) => setKnown({ ...answer, documents: [...before, ...answer.documents] }),
      (error) => setSaid(faultOf(error)),
    );
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is asked once for each document.
  useEffect(() => void ask(0, []), [object, world]);
  return { known, said, more: () => void ask(known?.documents.length ?? 0, known?.documents ?? []) };
}
