import { Button } from 'react-aria-components';
import { FinishDialog } from '#renderer/breakdown/finish-dialog.tsx';
import { JoinDialog } from '#renderer/breakdown/join-dialog.tsx';
import { type Listing, shownRows } from '#renderer/breakdown/listing.ts';
import { type PageVerbs, selectedRows } from '#renderer/breakdown/page-verbs.ts';
import { SectionDialog } from '#renderer/breakdown/section-dialog.tsx';
import { SeveralDialog } from '#renderer/breakdown/several-dialog.tsx';
import { TouchDialog } from '#renderer/breakdown/touch-dialog.tsx';
import { useBreakdownWords } from '#renderer/breakdown/words.ts';

/** What is asked or shown over the page; `refresh` computes the breakdown anew after a join. */
export function Questions({
  listing,
  verbs,
  refresh,
}: {
  readonly listing: Listing;
  readonly verbs: PageVerbs;
  readonly refresh: () => void;
}) {
  const { dialog } = listing;
  const close = () => verbs.ask(null);
  switch (dialog?.kind) {
    case undefined:
      return null;
    case 'several':
      return <SeveralDialog kind={dialog.decision} rows={selectedRows(listing)} decide={verbs.decideSelected} close={close} />;
    case 'sections':
      return <SectionDialog row={dialog.row} narrow={(headings) => verbs.narrow(dialog.row, headings)} close={close} />;
    case 'touch':
      return <TouchDialog document={dialog.document} close={close} />;
    case 'finish': {
      const { object } = dialog.document;
      const listed = shownRows(listing).filter(({ artifact, row }) => artifact.object === object && row.edge !== null).length;
      const finish = (reason: string) => verbs.finish(dialog.document, 'finished', reason);
      return <FinishDialog document={dialog.document} listed={listed} finish={finish} close={close} />;
    }
    case 'join': {
      const joined = () => {
        close();
        refresh();
      };
      return <JoinDialog path={dialog.path} copy={dialog.copy} joined={joined} close={close} />;
    }
  }
}

/** How many rows are selected, and what can be decided about them together. */
export function SelectionBar({
  listing,
  verbs,
  clear,
}: {
  readonly listing: Listing;
  readonly verbs: PageVerbs;
  readonly clear: () => void;
}) {
  const words = useBreakdownWords();
  const count = selectedRows(listing).length;
  if (count === 0) return null;
  return (
    <section className="bd-selection" aria-label={words('several.bar')}>
      <span>{words('several.selected', { count })}</span>
      <span className="bd-space" />
      <Button className="bd-button bd-solid" onPress={() => verbs.ask({ kind: 'several', decision: 'accept' })}>
        <span className="bd-asks">{words('action.accept')}</span>
        <span className="bd-key" data-key="A" />
      </Button>
      <Button className="bd-button bd-outline" onPress={() => verbs.ask({ kind: 'several', decision: 'waive' })}>
        <span className="bd-asks">{words('action.waive')}</span>
        <span className="bd-key" data-key="W" />
      </Button>
      <Button className="bd-button" onPress={clear}>
        {words('several.clear')}
      </Button>
    </section>
  );
}
