import { useEffect, useState } from 'react';
import { Button } from 'react-aria-components';
import { useStore } from 'zustand';
import type { AnchorRow } from '#protocol/anchor-calls';
import { useBench } from '#renderer/breakdown/bench.ts';
import { AskOver } from '#renderer/breakdown/modal.tsx';
import { ThenAndNow } from './code-body.tsx';
import { useCodeSaid } from './code-said.ts';
import { type ReviewedRow, reviewCode, selectedCode } from './code-selection.ts';
import { useCode } from './code-verbs.ts';
import { documentOf, markOf, whatOf, whyOf } from './code-words.ts';
import { useCodeWords } from './words.ts';

/** How many rows of code are selected, and what can be done with them together. */
export function CodeSelectionBar() {
  const words = useCodeWords();
  const { store, verbs } = useCode();
  const list = useStore(store);
  const rows = selectedCode(list);
  if (rows.length === 0) return null;
  return (
    <section className="bd-selection" aria-label={words('several.bar')}>
      <span>{words('several.selected', { count: rows.length })}</span>
      <span className="bd-space" />
      <Button className="bd-button bd-solid" onPress={() => verbs.ask({ kind: 'several', rows })}>
        <span className="bd-asks">{words('act.confirm')}</span>
        <span className="bd-key" data-key="A" />
      </Button>
      <Button className="bd-button" onPress={() => verbs.deselect()}>
        {words('several.clear')}
      </Button>
    </section>
  );
}

/** More than these stand folded, and are unfolded one by one. */
const mostUnfolded = 12;

/** What will be recorded when several rows are confirmed together, each with its code then and now, and what is left out with its reason. */
export function SeveralCode({ rows, close }: { readonly rows: readonly AnchorRow[]; readonly close: () => void }) {
  const words = useCodeWords();
  const saidOf = useCodeSaid();
  const { verbs } = useCode();
  const reviewed = useReview(rows);
  const isReady = reviewed.length === rows.length;
  const able = reviewed.filter(({ reading }) => reading !== null);
  const left = reviewed.filter((one) => one.reading === null);
  return (
    <AskOver title={words('several.title', { count: isReady ? able.length : rows.length })} isWide close={close}>
      {!isReady && (
        <p className="bd-quiet bd-reading" role="status">
          {words('several.reading', { done: reviewed.length, count: rows.length })}
        </p>
      )}
      {isReady && <p className="bd-quiet">{words('several.will-be-recorded', { count: able.length })}</p>}
      <ul className="bd-recorded code-several" aria-label={words('several.list')}>
        {able.map(({ row, reading }) => (
          <li key={row.anchor.id}>
            <details open={rows.length <= mostUnfolded}>
              <summary>
                <Named row={row} />
              </summary>
              {reading !== null && <ThenAndNow reading={reading} />}
            </details>
          </li>
        ))}
      </ul>
      {left.length > 0 && (
        <>
          <p className="bd-quiet">{words('several.left-out', { count: left.length })}</p>
          <ul className="bd-recorded" aria-label={words('several.left-list')}>
            {left.map((one) => (
              <li key={one.row.anchor.id}>
                <bdi>{documentOf(one.row.anchor)}</bdi> — {whatOf(one.row.anchor, words)}{' '}
                <span className="bd-faint">{one.reading === null && saidOf(one.why)}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      <p className="bd-quiet">{words('several.why')}</p>
      <div className="bd-actions">
        <Button className="bd-button bd-solid" isDisabled={!isReady || able.length === 0} onPress={() => verbs.confirmSeveral(reviewed)}>
          {words('act.confirm')}
        </Button>
        <Button autoFocus className="bd-button" onPress={close}>
          {words('act.cancel')}
        </Button>
      </div>
    </AskOver>
  );
}

function Named({ row: { anchor } }: { readonly row: AnchorRow }) {
  const words = useCodeWords();
  return (
    <>
      <bdi>{documentOf(anchor)}</bdi> — {whatOf(anchor, words)}{' '}
      <span className="bd-faint">
        {words(`marks.${markOf(anchor).word}`)} — {whyOf(anchor, words)}
      </span>
    </>
  );
}

/** Looks at each row in turn, once; what was looked at before the dialog closes is let go with it. */
function useReview(rows: readonly AnchorRow[]): readonly ReviewedRow[] {
  const { world, comparer } = useBench();
  const [reviewed, setReviewed] = useState<readonly ReviewedRow[]>([]);
  useEffect(() => {
    let isWanted = true;
    const review = async () => {
      const seen: ReviewedRow[] = [];
      for (const row of rows) {
        seen.push(await reviewCode(world, comparer, row));
        if (!isWanted) return;
        setReviewed([...seen]);
      }
    };
    void review();
    return () => {
      isWanted = false;
    };
  }, [world, comparer, rows]);
  return reviewed;
}
