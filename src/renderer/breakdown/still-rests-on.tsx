import { Check } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button, Checkbox } from 'react-aria-components';
import type { EarlierInputs } from '#protocol/breakdown-calls';
import type { Client } from '#protocol/calls';
import { faultOf, type Said } from '#renderer/breakdown/listing.ts';
import { fileName } from '#renderer/breakdown/title.ts';
import { useBreakdownWords, useSaid } from '#renderer/breakdown/words.ts';
import { useSession } from '#renderer/session.ts';
import './breakdown.css';

/**
 * After a revision was saved: what the version before rested on, ticked, to be confirmed for the version there is now. It stays until it is
 * answered or dismissed; `done` is told of both. Where there is nothing to confirm it shows nothing.
 */
export function StillRestsOn({ path, done }: { readonly path: string; readonly done?: () => void }) {
  const words = useBreakdownWords();
  const saidOf = useSaid();
  const { connection, announce } = useSession();
  const { earlier, setEarlier, said, setSaid } = useEarlierInputs(connection.call, path);
  const [unticked, setUnticked] = useState<ReadonlySet<string>>(new Set());
  if (earlier === null || (earlier.inputs.length === 0 && said === null)) return null;
  const ticked = earlier.inputs.filter(({ object }) => !unticked.has(object));
  const close = () => {
    setEarlier(null);
    done?.();
  };
  const tell = (key: string) => setSaid({ kind: 'words', key });
  const confirm = async () => {
    if (ticked.length === 0 || earlier.head === null) return tell(earlier.head === null ? 'still.undecidable' : 'still.no-inputs');
    const inputs = ticked.map(({ object, role }) => ({ object, role }));
    const { kind } = await connection.call('provenance/confirm', { object: earlier.object, head: earlier.head, inputs });
    if (kind === 'confirmed') {
      announce(words('still.confirmed'));
      return close();
    }
    tell(`still.${kind}`);
    if (kind === 'moved') setEarlier(await connection.call('provenance/inputs', { path }));
  };
  return (
    <section className="bd-still" data-region="still" tabIndex={-1} aria-label={words('still.title')}>
      <h2>{words('still.title')}</h2>
      <p className="bd-quiet">{words('still.explanation', { name: fileName(path) })}</p>
      <ul className="bd-ticks">
        {earlier.inputs.map((input) => (
          <li key={input.object}>
            <Tick
              input={input}
              isTicked={!unticked.has(input.object)}
              tick={(isTicked) => setUnticked(toggled(unticked, input.object, !isTicked))}
            />
          </li>
        ))}
      </ul>
      <div className="bd-still-actions">
        <Button className="bd-button bd-solid" onPress={() => void confirm().catch((error) => setSaid(faultOf(error)))}>
          {words('still.confirm')}
        </Button>
        <Button className="bd-button" onPress={close}>
          {words('still.dismiss')}
        </Button>
        <span role="status" className="bd-quiet">
          {said === null ? '' : saidOf(said)}
        </span>
      </div>
    </section>
  );
}

function useEarlierInputs(call: Client, path: string) {
  const [earlier, setEarlier] = useState<EarlierInputs | null>(null);
  const [said, setSaid] = useState<Said | null>(null);
  useEffect(() => {
    let isWanted = true;
    // A document that is not tracked has nothing to confirm, and nobody asked.
    call('provenance/inputs', { path }).then(
      (inputs) => isWanted && setEarlier(inputs),
      () => isWanted && setEarlier(null),
    );
    return () => {
      isWanted = false;
    };
  }, [call, path]);
  return { earlier, setEarlier, said, setSaid };
}

function toggled(known: ReadonlySet<string>, object: string, isIn: boolean): ReadonlySet<string> {
  const next = new Set(known);
  if (isIn) next.add(object);
  else next.delete(object);
  return next;
}

function Tick({
  input,
  isTicked,
  tick,
}: {
  readonly input: EarlierInputs['inputs'][number];
  readonly isTicked: boolean;
  readonly tick: (isTicked: boolean) => void;
}) {
  const words = useBreakdownWords();
  return (
    <Checkbox className="bd-check" isSelected={isTicked} onChange={tick}>
      <span className="bd-box">
        <Check aria-hidden strokeWidth={3} />
      </span>
      <bdi>{input.path ?? words('still.unknown-name')}</bdi>
      {input.role === 'contextual' && <span className="bd-faint">{words('still.contextual')}</span>}
    </Checkbox>
  );
}
