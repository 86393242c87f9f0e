import { useEffect, useRef } from 'react';
import { compareTexts } from '#renderer/editor/comparison.ts';
import { useWords } from '#renderer/words.ts';
import './compare.css';

interface DifferenceProps {
  readonly before: string;
  readonly after: string;
  /** What the two sides are called. */
  readonly names: { readonly before: string; readonly after: string };
}

/** Two texts beside each other, to be read only; what is alike in both is folded. */
export function Difference({ before, after, names }: DifferenceProps) {
  const words = useWords();
  const host = useRef<HTMLDivElement>(null);
  const { before: left, after: right } = names;
  useEffect(() => {
    if (host.current === null) return;
    return compareTexts(host.current, before, after, { theirs: left, mine: right, unchanged: words('compare.unchanged') });
  }, [before, after, left, right, words]);
  return (
    <section className="compare difference" aria-label={words('compare.region')}>
      <div className="compare-heads small muted">
        <span>{left}</span>
        <span>{right}</span>
      </div>
      <div className="compare-body" ref={host} />
    </section>
  );
}
