import { Button } from 'react-aria-components';
import { useBench } from '#renderer/breakdown/bench.ts';
import type { Decision } from '#renderer/breakdown/decision.ts';
import type { ListedRow } from '#renderer/breakdown/listing.ts';
import { AskOver } from '#renderer/breakdown/modal.tsx';
import { decidable } from '#renderer/breakdown/page-verbs.ts';
import { refusals, sectionName, versionsOf } from '#renderer/breakdown/row-words.ts';
import { WaiveForm } from '#renderer/breakdown/waive-form.tsx';
import { useBreakdownWords } from '#renderer/breakdown/words.ts';

/** What will be recorded when several rows are decided together, and what is left out with its reason. */
export function SeveralDialog({
  kind,
  rows,
  decide,
  close,
}: {
  readonly kind: 'accept' | 'waive';
  readonly rows: readonly ListedRow[];
  readonly decide: (decision: Decision) => void;
  readonly close: () => void;
}) {
  const words = useBreakdownWords();
  const { world } = useBench();
  const able = decidable(rows);
  const left = rows.filter((row) => !able.some((one) => one.row.key === row.key));
  return (
    <AskOver title={words(`several.title-${kind}`, { count: able.length })} isWide close={close}>
      <p className="bd-quiet">{words('several.will-be-recorded', { count: able.length })}</p>
      <ul className="bd-recorded" aria-label={words('several.list')}>
        {able.map(({ row }) => (
          <li key={row.key}>
            <Named row={row} /> <span className="bd-faint">{versionsOf(row.row)}</span>
          </li>
        ))}
      </ul>
      {left.length > 0 && (
        <>
          <p className="bd-quiet">{words('several.left-out', { count: left.length })}</p>
          <ul className="bd-recorded" aria-label={words('several.left-list')}>
            {left.map((row) => (
              <li key={row.key}>
                <Named row={row} /> <span className="bd-faint">{words(`disabled.${refusals(row.row).accept}`)}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      {kind === 'accept' && <p className="bd-quiet">{words('hint.accepting-several')}</p>}
      {kind === 'waive' ? (
        <WaiveForm
          hint={words('hint.waiving-several')}
          now={world.now}
          isReady={able.length > 0}
          waive={(reason, expires) => decide({ kind: 'waive', reason, expires })}
          cancel={close}
        />
      ) : (
        <div className="bd-actions">
          <Button autoFocus className="bd-button bd-solid" isDisabled={able.length === 0} onPress={() => decide({ kind: 'accept' })}>
            {words('action.accept')}
          </Button>
          <Button className="bd-button" onPress={close}>
            {words('waive.cancel')}
          </Button>
        </div>
      )}
    </AskOver>
  );
}

function Named({ row: { artifact, row } }: { readonly row: ListedRow }) {
  const words = useBreakdownWords();
  const source = `${row.source?.path ?? row.source?.object ?? ''}${row.section === null ? '' : ` ${sectionName(row.section.path)}`}`;
  return <bdi>{words('folded.rests-on', { artifact: artifact.path ?? artifact.object, source })}</bdi>;
}
