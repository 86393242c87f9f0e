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

interface ComparisonProps {
  readonly folds: readonly Fold[];
  readonly before: SideCaption;
  readonly now: SideCaption;
}

/** Two versions beside each other, stretch by stretch on the same height; long unchanged stretches are folded on both sides at once. */
export function ComparisonView({ folds, before, now }: ComparisonProps) {
  const unfolding = useUnfolding();
  const rows = folds.length + 1;
  return (
    <div className="bd-two">
      <Side caption={before} rows={rows}>
        <Stretches folds={folds} side="before" unfolding={unfolding} />
      </Side>
      <Side caption={now} rows={rows}>
        <Stretches folds={folds} side="now" unfolding={unfolding} />
      </Side>
    </div>
  );
}

/** One version alone, with what it has that the one before it has not. */
export function VersionView({ folds, caption }: { readonly folds: readonly Fold[]; readonly caption: SideCaption }) {
  const unfolding = useUnfolding();
  return (
    <Side caption={caption}>
      <Stretches folds={folds} side="now" unfolding={unfolding} />
    </Side>
  );
}

/** Both versions as one text with what went and what came in it: where there is no room for two. */
export function MergedView({ folds, before, now }: ComparisonProps) {
  const words = useBreakdownWords();
  const unfolding = useUnfolding();
  return (
    <article className="bd-doc bd-merged" aria-label={words('change.label')}>
      <p className="bd-caption">
        <span>{[before.version, now.version].join(' → ')}</span>
        <span>{now.by}</span>
      </p>
      <Stretches folds={folds} side="both" unfolding={unfolding} />
    </article>
  );
}

/** Which folds are open; a fold is told from the others by where it starts. */
function useUnfolding(): { readonly isOpen: (at: number) => boolean; readonly open: (at: number) => void } {
  const [unfolded, setUnfolded] = useState<ReadonlySet<number>>(new Set());
  return { isOpen: (at) => unfolded.has(at), open: (at) => setUnfolded((known) => new Set(known).add(at)) };
}

function Stretches({
  folds,
  side,
  unfolding,
}: {
  readonly folds: readonly Fold[];
  readonly side: 'before' | 'now' | 'both';
  readonly unfolding: ReturnType<typeof useUnfolding>;
}) {
  return placed(folds).map(({ fold, at }) => (
    <div key={at} className="bd-stretch">
      {fold.kind === 'shown' ? (
        <StretchText pieces={fold.pieces} side={side} />
      ) : unfolding.isOpen(at) ? (
        <PlainText text={fold.text} />
      ) : (
        <FoldButton lines={fold.lines} unfold={() => unfolding.open(at)} />
      )}
    </div>
  ));
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

/** One side with its caption; `rows` is how many stretches it shares with the other side, the caption included; without, it stands by itself. */
export function Side({ caption, rows, children }: { readonly caption: SideCaption; readonly rows?: number; readonly children: ReactNode }) {
  return (
    <article className="bd-doc" aria-label={caption.label} style={rows === undefined ? undefined : { gridRow: `span ${rows}` }}>
      <p className="bd-caption">
        <span>{[caption.label, caption.version].filter((part) => part !== '').join(' · ')}</span>
        <span>{caption.by}</span>
      </p>
      {children}
    </article>
  );
}
