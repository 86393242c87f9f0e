import { useState } from 'react';
import { Side, type SideCaption } from '#renderer/breakdown/comparison-view.tsx';
import type { Fold } from '#renderer/breakdown/fold.ts';
import { useBreakdownWords } from '#renderer/breakdown/words.ts';

/** Code then and now beside each other, with what changed marked; long unchanged stretches are folded on both sides until they are asked for. */
export function CodeSides({
  folds,
  before,
  now,
}: {
  readonly folds: readonly Fold[];
  readonly before: SideCaption;
  readonly now: SideCaption;
}) {
  const [isWhole, setWhole] = useState(false);
  const unfold = () => setWhole(true);
  return (
    <div className="bd-two">
      <Side caption={before} rows={2}>
        <CodeSide folds={folds} side="removed" isWhole={isWhole} unfold={unfold} label={before.label} />
      </Side>
      <Side caption={now} rows={2}>
        <CodeSide folds={folds} side="added" isWhole={isWhole} unfold={unfold} label={now.label} />
      </Side>
    </div>
  );
}

function CodeSide({
  folds,
  side,
  isWhole,
  unfold,
  label,
}: {
  readonly folds: readonly Fold[];
  readonly side: 'removed' | 'added';
  readonly isWhole: boolean;
  readonly unfold: () => void;
  readonly label: string;
}) {
  const wordsOf = useBreakdownWords();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section className="code-side" tabIndex={0} aria-label={label}>
      {placed(folds).map(({ fold, at }) =>
        fold.kind === 'shown' ? (
          <pre key={at}>
            {placed(fold.pieces.filter(({ kind }) => kind === 'same' || kind === side)).map(({ fold: { kind, text }, at: place }) =>
              kind === 'same' ? (
                <span key={place}>{text}</span>
              ) : kind === 'removed' ? (
                <del key={place}>{text}</del>
              ) : (
                <ins key={place}>{text}</ins>
              ),
            )}
          </pre>
        ) : isWhole ? (
          <pre key={at}>{fold.text}</pre>
        ) : (
          <button key={at} type="button" className="bd-fold" onClick={unfold}>
            <span aria-hidden="true">⋯</span> {wordsOf('change.folded', { count: fold.lines })}
          </button>
        ),
      )}
    </section>
  );
}

/** Each with its place among the others. */
function placed<T>(all: readonly T[]): { fold: T; at: number }[] {
  return all.map((fold, at) => ({ fold, at }));
}

/** Code on one side, where there is nothing to compare it with. */
export function CodeAlone({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section className="code-side" tabIndex={0} aria-label={label}>
      <pre>{text}</pre>
    </section>
  );
}
