import { type ReactNode, useState } from 'react';
import { PlainText, StretchText } from '#renderer/breakdown/change-text.tsx';
import type { Fold } from '#renderer/breakdown/fold.ts';
import { useBreakdownWords } from '#renderer/breakdown/words.ts';

/** What stands above one side. */
export interface SideCaption {
  readonly label: string;
  readonly version: string;
  readonly by: string;
}

/** Two versions beside each other, stretch by stretch on the same height; long unchanged stretches are folded on both sides at once. */
export function ComparisonView({
  folds,
  before,
  now,
}: {
  readonly folds: readonly Fold[];
  readonly before: SideCaption;
  readonly now: SideCaption;
}) {
  // A fold is told from the others by where it starts.
  const [unfolded, setUnfolded] = useState<ReadonlySet<number>>(new Set());
  const unfold = (at: number) => setUnfolded((known) => new Set(known).add(at));
  const rows = folds.length + 1;
  const body = (side: 'before' | 'now') =>
    placed(folds).map(({ fold, at }) => (
      <div key={at} className="bd-stretch">
        {fold.kind === 'shown' ? (
          <StretchText pieces={fold.pieces} side={side} />
        ) : unfolded.has(at) ? (
          <PlainText text={fold.text} />
        ) : (
          <FoldButton lines={fold.lines} unfold={() => unfold(at)} />
        )}
      </div>
    ));
  return (
    <div className="bd-two">
      <Side caption={before} rows={rows}>
        {body('before')}
      </Side>
      <Side caption={now} rows={rows}>
        {body('now')}
      </Side>
    </div>
  );
}

function placed(folds: readonly Fold[]): { fold: Fold; at: number }[] {
  let at = 0;
  return folds.map((fold) => {
    const here = { fold, at };
    at += fold.kind === 'folded' ? fold.text.length : fold.pieces.reduce((length, { text }) => length + text.length, 0);
    return here;
  });
}

function FoldButton({ lines, unfold }: { readonly lines: number; readonly unfold: () => void }) {
  const words = useBreakdownWords();
  return (
    <button type="button" className="bd-fold" onClick={unfold}>
      <span aria-hidden="true">⋯</span> {words('change.folded', { count: lines })}
    </button>
  );
}

/** One side with its caption; `rows` is how many stretches it shares with the other side, the caption included. */
export function Side({ caption, rows, children }: { readonly caption: SideCaption; readonly rows: number; readonly children: ReactNode }) {
  return (
    <article className="bd-doc" aria-label={caption.label} style={{ gridRow: `span ${rows}` }}>
      <p className="bd-caption">
        <span>{[caption.label, caption.version].filter((part) => part !== '').join(' · ')}</span>
        <span>{caption.by}</span>
      </p>
      {children}
    </article>
  );
}
