import { useEffect, useState } from 'react';
import { Button, Group } from 'react-aria-components';
import { pairSides } from '#kernel/body-pair';
import type { PairLook, PairRow, PairSideText } from '#protocol/pair-calls';
import { useBench } from '#renderer/breakdown/bench.ts';
import { PlainText } from '#renderer/breakdown/change-text.tsx';
import type { Comparison } from '#renderer/breakdown/comparison.ts';
import { MergedView } from '#renderer/breakdown/comparison-view.tsx';
import { faultOf } from '#renderer/breakdown/listing.ts';
import { bodyOf } from '#renderer/breakdown/title.ts';
import { spokenTime, useBreakdownWords, useTimeStyle } from '#renderer/breakdown/words.ts';
import { useSession } from '#renderer/session.ts';
import type { CodeSaid } from './code-list.ts';
import { useCodeSaid } from './code-said.ts';
import { useCodeWords } from './words.ts';

interface Read {
  readonly look: PairLook;
  readonly changes: readonly { readonly side: PairSideText; readonly comparison: Comparison | null }[];
}

/** An open pair: both documents, with what changed in each since they were in step, and what to do. */
export function PairBody({ row, done }: { readonly row: PairRow; readonly done: (key: string, row: PairRow) => void }) {
  const words = useCodeWords();
  const saidOf = useCodeSaid();
  const { world, comparer } = useBench();
  const { openDocument } = useSession();
  const [read, setRead] = useState<Read | null>(null);
  const [said, setSaid] = useState<CodeSaid | null>(null);
  const [turn, setTurn] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a turn is a reason to look again.
  useEffect(() => {
    let isWanted = true;
    const look = async () => {
      const found = await world.call('pair/look', { pair: row.pair });
      const changes = await Promise.all(
        pairSides.map(async (name) => {
          const side = found[name];
          const isWhole = side.before !== null && side.now !== null && side.before !== side.now;
          return { side, comparison: isWhole ? await comparer.compare(bodyOf(side.before!), bodyOf(side.now!), null) : null };
        }),
      );
      if (isWanted) setRead({ look: found, changes });
    };
    look().catch((error: unknown) => isWanted && setSaid(faultOf(error)));
    return () => {
      isWanted = false;
    };
  }, [world, comparer, row.pair, turn]);
  const act = (work: Promise<unknown>, key: string) => {
    setSaid(null);
    work.then(
      () => done(key, row),
      (error: unknown) => {
        setSaid(faultOf(error));
        setTurn((before) => before + 1);
      },
    );
  };
  const hashes = read === null ? null : { technical: read.look.technical.hash, human: read.look.human.hash };
  const confirm = () => {
    const { technical, human } = hashes!;
    act(
      world.call('pair/confirm', { pair: row.pair, hashes: { technical: technical!, human: human! }, note: '', idem: world.newId() }),
      'pair.confirmed',
    );
  };
  const mayConfirm = hashes !== null && hashes.technical !== null && hashes.human !== null;
  return (
    <div className="bd-open">
      {read === null && said === null && <p className="bd-quiet bd-reading">{words('pair.reading')}</p>}
      {said !== null && <p className="bd-note">{saidOf(said)}</p>}
      {read !== null && <Texts read={read} />}
      <Group className="bd-actions" aria-label={words('pair.acts')}>
        <Button className="bd-button bd-solid" isDisabled={!mayConfirm} onPress={confirm}>
          {words('pair.confirm')}
        </Button>
        {[row.technical, row.human].map(
          ({ path }) =>
            path !== null && (
              <Button key={path} className="bd-button bd-outline" onPress={() => openDocument(path)}>
                {words('pair.open', { path })}
              </Button>
            ),
        )}
        <Button className="bd-button bd-outline" onPress={() => act(world.call('pair/remove', { pair: row.pair }), 'pair.removed')}>
          {words('pair.unpair')}
        </Button>
      </Group>
      <p className="bd-quiet bd-why">{words(mayConfirm ? 'pair.why-confirm' : 'pair.why-unpair')}</p>
    </div>
  );
}

/** Each document: what changed in it as one text, or the text as it is. */
function Texts({ read: { look, changes } }: { readonly read: Read }) {
  const words = useCodeWords();
  const breakdownWords = useBreakdownWords();
  const style = useTimeStyle();
  const { world } = useBench();
  const when = spokenTime(look.since, world.now(), breakdownWords, style);
  return (
    <>
      <p className="bd-explanation">{words('pair.since', { when, who: look.by })}</p>
      <div className="pair-texts">
        {changes.map(({ side, comparison }) => {
          const path = side.path ?? side.object;
          const caption = words(comparison === null ? 'pair.unchanged' : 'pair.changed', { path });
          if (comparison !== null) {
            const captions = { label: caption, by: '' };
            const [then, now] = [words('pair.then', { path }), words('pair.now')];
            return (
              <section key={side.object} aria-label={caption}>
                <MergedView folds={comparison.rest} before={{ ...captions, version: then }} now={{ ...captions, version: now }} />
              </section>
            );
          }
          return (
            <article key={side.object} className="bd-doc" aria-label={caption}>
              <p className="bd-caption">
                <span>{caption}</span>
              </p>
              {side.now === null ? (
                <p className="bd-missing">{words('pair.not-there')}</p>
              ) : (
                // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
                <section className="bd-excerpt" tabIndex={0} aria-label={caption}>
                  <PlainText text={bodyOf(side.now)} />
                </section>
              )}
            </article>
          );
        })}
      </div>
    </>
  );
}
