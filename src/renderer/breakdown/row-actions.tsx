import { Button, Group } from 'react-aria-components';
import type { BreakdownRow } from '#protocol/calls';
import { refusals } from '#renderer/breakdown/row-words.ts';
import { useBreakdownWords } from '#renderer/breakdown/words.ts';

/** What a person may do with an open row, each with its key; what may not be done is there, with the reason. */
export function RowActions({
  row,
  isReady,
  isClosed,
  accept,
  revise,
  waive,
  join,
}: {
  readonly row: BreakdownRow;
  /** The change is on the page: a decision follows a look at it. */
  readonly isReady: boolean;
  readonly isClosed: boolean;
  readonly accept: () => void;
  readonly revise: () => void;
  readonly waive: () => void;
  /** Null where nothing is to be joined. */
  readonly join: (() => void) | null;
}) {
  const words = useBreakdownWords();
  const refused = refusals(row);
  const reasons = [...new Set([refused.accept, refused.revise, refused.waive])].filter((reason) => reason !== null);
  const isAboutDocument = row.edge === null;
  return (
    <>
      <Group className="bd-actions" aria-label={words('action.label')}>
        {!isAboutDocument && (
          <Act name={words('action.accept')} letter="A" isSolid isOff={refused.accept !== null || !isReady || isClosed} act={accept} />
        )}
        <Act name={words('action.revise')} letter="R" isOff={refused.revise !== null} act={revise} />
        {!isAboutDocument && (
          <Act name={words('action.waive')} isAsking letter="W" isOff={refused.waive !== null || isClosed} act={waive} />
        )}
        {join !== null && (
          <Button className="bd-button bd-outline" onPress={join}>
            {words('join.open')}
          </Button>
        )}
        <span className="bd-space" />
        <Provenance row={row} />
      </Group>
      {!isAboutDocument &&
        reasons.map((reason) => (
          <p key={reason} className="bd-quiet bd-why">
            {words(`disabled.${reason}`)}
          </p>
        ))}
    </>
  );
}

function Act({
  name,
  letter,
  isAsking = false,
  isSolid = false,
  isOff,
  act,
}: {
  readonly name: string;
  readonly letter: string;
  /** It asks something first. */
  readonly isAsking?: boolean;
  readonly isSolid?: boolean;
  readonly isOff: boolean;
  readonly act: () => void;
}) {
  return (
    <Button className={`bd-button ${isSolid ? 'bd-solid' : 'bd-outline'}`} isDisabled={isOff} onPress={act}>
      <span className={isAsking ? 'bd-asks' : ''}>{name}</span>
      <span className="bd-key" data-key={letter} />
    </Button>
  );
}

function Provenance({ row }: { readonly row: BreakdownRow }) {
  const words = useBreakdownWords();
  const parts = [
    ...(row.resolutions === 0 ? [] : [words('badges.resolved', { count: row.resolutions })]),
    ...(row.provenance === null ? [] : [words(`confidences.${row.provenance}`)]),
  ];
  return <span className="bd-faint">{parts.join(' · ')}</span>;
}
