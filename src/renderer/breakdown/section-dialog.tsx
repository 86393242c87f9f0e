import { useEffect, useState } from 'react';
import { Button, ListBox, ListBoxItem } from 'react-aria-components';
import type { EdgeSections } from '#protocol/breakdown-calls';
import { useBench } from '#renderer/breakdown/bench.ts';
import { faultOf, type ListedRow, type Said } from '#renderer/breakdown/listing.ts';
import { AskOver } from '#renderer/breakdown/modal.tsx';
import { labelOf, sectionName } from '#renderer/breakdown/row-words.ts';
import { useBreakdownWords, useSaid } from '#renderer/breakdown/words.ts';

/** The headings of the source as it was pinned, to narrow a row to one of them, or to the whole file again. */
export function SectionDialog({
  row: { row, artifact },
  narrow,
  close,
}: {
  readonly row: ListedRow;
  readonly narrow: (headings: readonly string[]) => void;
  readonly close: () => void;
}) {
  const words = useBreakdownWords();
  const saidOf = useSaid();
  const { known, said } = useSections(row.edge);
  const names = { artifact: artifact.path ?? artifact.object, source: row.source?.path ?? row.source?.object ?? '' };
  const sections = known?.sections ?? null;
  return (
    <AskOver title={words('anchor.title')} close={close}>
      <p className="bd-quiet">{words('anchor.explanation', { ...names, version: row.pinned === null ? '' : labelOf(row.pinned) })}</p>
      <p className="bd-quiet">{words('anchor.at-once')}</p>
      {said !== null && <p className="bd-note">{saidOf(said)}</p>}
      {known === null && said === null && <p className="bd-quiet bd-reading">{words('working.reading')}</p>}
      {known !== null && sections === null && <p className="bd-note">{words('anchor.content-unavailable')}</p>}
      {sections !== null && sections.length === 0 && <p className="bd-note">{words('anchor.no-headings')}</p>}
      {sections !== null && sections.length > 0 && (
        <ListBox
          className="bd-sections"
          aria-label={words('anchor.list')}
          autoFocus
          selectionMode="single"
          selectedKeys={known?.section == null ? [] : [JSON.stringify(known.section)]}
          disallowEmptySelection
          onSelectionChange={(keys) => {
            const [chosen] = keys === 'all' ? [] : keys;
            if (chosen !== undefined) narrow(JSON.parse(String(chosen)) as string[]);
          }}
        >
          {unique(sections).map((path) => (
            <ListBoxItem
              key={JSON.stringify(path)}
              id={JSON.stringify(path)}
              className="bd-section"
              textValue={path.at(-1) ?? ''}
              aria-label={sectionName(path)}
            >
              <span style={{ paddingInlineStart: `${(path.length - 1) * 14}px` }}>{path.at(-1)}</span>
            </ListBoxItem>
          ))}
        </ListBox>
      )}
      <div className="bd-actions">
        {known?.section != null && (
          <Button className="bd-button bd-outline" onPress={() => narrow([])}>
            {words('anchor.whole')}
          </Button>
        )}
        <Button className="bd-button" onPress={close}>
          {words('waive.cancel')}
        </Button>
      </div>
    </AskOver>
  );
}

/** A heading path that stands twice leads to no one section; it is offered once, and refused with its reason. */
function unique(sections: readonly (readonly string[])[]): (readonly string[])[] {
  return [...new Map(sections.map((path) => [JSON.stringify(path), path])).values()];
}

function useSections(edge: ListedRow['row']['edge']) {
  const { world } = useBench();
  const [known, setKnown] = useState<EdgeSections | null>(null);
  const [said, setSaid] = useState<Said | null>(null);
  useEffect(() => {
    if (edge === null) return;
    let isWanted = true;
    world.call('edge/sections', { edge }).then(
      (sections) => isWanted && setKnown(sections),
      (error) => isWanted && setSaid(faultOf(error)),
    );
    return () => {
      isWanted = false;
    };
  }, [world, edge]);
  return { known, said };
}
