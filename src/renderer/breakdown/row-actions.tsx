import { type ReactNode, useId } from 'react';
import { Button, Group } from 'react-aria-components';
import type { BreakdownRow } from '#protocol/breakdown-calls';
import { refusals } from '#renderer/breakdown/row-words.ts';
import { useBreakdownWords } from '#renderer/breakdown/words.ts';

/** What a person may do with an open row, each with its key and what it does; what may not be done is there, with the reason. */
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
  const why = useId();
  const refused = refusals(row);
  const reasons = [...new Set([refused.accept, refused.revise, refused.waive])].filter((reason) => reason !== null);
  const isAboutDocument = row.edge === null;
  const first = foremost(row, join !== null);
  return (
    <>
      <Group className="bd-choices" aria-label={words('action.label')}>
        {!isAboutDocument && (
          <Choice
            name="accept"
            letter="A"
            isFirst={first === 'accept'}
            refusal={refused.accept === null ? null : why}
            isOff={!isReady || isClosed}
            act={accept}
          />
        )}
        <Choice name="revise" letter="R" isFirst={first === 'revise'} refusal={refused.revise === null ? null : why} act={revise} />
        {!isAboutDocument && (
          <Choice name="waive" letter="W" isAsking refusal={refused.waive === null ? null : why} isOff={isClosed} act={waive} />
        )}
        {join !== null && (
          <Hinted hint="join">
            {(hint) => (
              <Button className={`bd-button ${first === 'join' ? 'bd-solid' : 'bd-outline'}`} aria-describedby={hint} onPress={join}>
                {words('join.open')}
              </Button>
            )}
          </Hinted>
        )}
      </Group>
      {!isAboutDocument && (
        <p id={why} className="bd-quiet bd-why">
          {reasons.length === 0 ? words('hint.undo') : reasons.map((reason) => words(`disabled.${reason}`)).join(' ')}
        </p>
      )}
    </>
  );
}

/** What is most likely to be wanted: a contradiction is revised sooner than accepted, and several versions are joined. */
function foremost(row: BreakdownRow, isJoinable: boolean): 'accept' | 'revise' | 'join' {
  if (isJoinable) return 'join';
  return refusals(row).accept !== null || row.check?.verdict === 'contradicted' ? 'revise' : 'accept';
}

/** A button with its key, over what it does; one that is refused points at the reason instead. */
function Choice({
  name,
  letter,
  isAsking = false,
  isFirst = false,
  refusal,
  isOff = false,
  act,
}: {
  readonly name: 'accept' | 'revise' | 'waive';
  readonly letter: string;
  /** It asks something first. */
  readonly isAsking?: boolean;
  readonly isFirst?: boolean;
  /** The id of the reason why not; null where it may be done. */
  readonly refusal: string | null;
  readonly isOff?: boolean;
  readonly act: () => void;
}) {
  const words = useBreakdownWords();
  const button = (hint: string) => (
    <Button
      className={`bd-button ${isFirst ? 'bd-solid' : 'bd-outline'}`}
      isDisabled={isOff || refusal !== null}
      aria-describedby={refusal ?? hint}
      onPress={act}
    >
      <span className={isAsking ? 'bd-asks' : ''}>{words(`action.${name}`)}</span>
      <span className="bd-key" data-key={letter} />
    </Button>
  );
  return refusal === null ? <Hinted hint={name}>{button}</Hinted> : <div className="bd-choice bd-refused">{button(refusal)}</div>;
}

function Hinted({ hint, children }: { readonly hint: string; readonly children: (id: string) => ReactNode }) {
  const words = useBreakdownWords();
  const id = useId();
  return (
    <div className="bd-choice">
      {children(id)}
      <p id={id} className="bd-hint">
        {words(`hint.${hint}`)}
      </p>
    </div>
  );
}
