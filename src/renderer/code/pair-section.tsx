import { useCallback, useEffect, useState } from 'react';
import type { BreakdownSummary } from '#protocol/breakdown-calls';
import type { PairRow } from '#protocol/pair-calls';
import { useBench } from '#renderer/breakdown/bench.ts';
import { faultOf } from '#renderer/breakdown/listing.ts';
import { StateMark } from '#renderer/breakdown/state-mark.tsx';
import type { CodeSaid } from './code-list.ts';
import { useCodeSaid } from './code-said.ts';
import { stepAmongRows } from './code-step.ts';
import { useCode } from './code-verbs.ts';
import { PairBody } from './pair-body.tsx';
import { behindOf, nameOf, otherOf, pairMark, pairRowName } from './pair-words.ts';
import { useCodeWords } from './words.ts';

/** Pairs of documents that are not in step, under the one that stayed behind. */
export function PairSection({ summary, search }: { readonly summary: BreakdownSummary; readonly search: string }) {
  const words = useCodeWords();
  const saidOf = useCodeSaid();
  const { world } = useBench();
  const [rows, setRows] = useState<readonly PairRow[]>([]);
  const [open, setOpen] = useState<string | null>(null);
  const [said, setSaid] = useState<CodeSaid | null>(null);
  const load = useCallback(async () => {
    const page = await world.call('pair/page', { group: 'waiting', offset: 0, limit: 200, search });
    setRows(page.rows);
  }, [world, search]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each refresh is another moment.
  useEffect(() => {
    load().catch((error: unknown) => setSaid(faultOf(error)));
  }, [load, summary.asOf]);
  const { verbs } = useCode();
  const done = (key: string, row: PairRow) => {
    setSaid({ kind: 'words', key, detail: { technical: nameOf(row.technical), human: nameOf(row.human) } });
    setOpen(null);
    void load();
    verbs.turn();
  };
  const groups = Map.groupBy(rows, (row) => nameOf(behindOf(row)));
  return (
    <>
      <div className="bd-hidden" role="status" aria-live="polite">
        {said === null ? '' : saidOf(said)}
      </div>
      {said?.kind === 'fault' && <p className="bd-note">{saidOf(said)}</p>}
      {[...groups].map(([path, own]) => (
        <section key={path} className="bd-group pair-rows" aria-label={`${path}: ${words('pair.paired')}`}>
          <div className="bd-group-head">
            <h2>
              <bdi>{path}</bdi>
            </h2>
            <span className="bd-faint">{words('pair.paired')}</span>
          </div>
          <ul>
            {own.map((row) => (
              <PairItem
                key={row.pair}
                row={row}
                isOpen={open === row.pair}
                toggle={() => setOpen(open === row.pair ? null : row.pair)}
                done={done}
              />
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

function PairItem({
  row,
  isOpen,
  toggle,
  done,
}: {
  readonly row: PairRow;
  readonly isOpen: boolean;
  readonly toggle: () => void;
  readonly done: (key: string, row: PairRow) => void;
}) {
  const words = useCodeWords();
  const mark = pairMark(row);
  return (
    <li
      className={isOpen ? 'bd-row bd-is-open' : 'bd-row'}
      aria-label={pairRowName(row, words)}
      data-state={row.state}
      data-pair={row.pair}
      onKeyDown={stepAmongRows}
    >
      <div className="bd-line">
        <button type="button" className="bd-head" aria-expanded={isOpen} onClick={toggle}>
          <span className="bd-source">
            <bdi>{nameOf(otherOf(row))}</bdi>
          </span>
          <span className="bd-muted bd-what">{words(`pair.why-${mark.word}`)}</span>
          <span className="bd-marks">
            <StateMark mark={mark}>{words(`pair.${mark.word}`)}</StateMark>
          </span>
          <span className="bd-faint bd-versions" />
        </button>
      </div>
      {isOpen && <PairBody row={row} done={done} />}
    </li>
  );
}
