import type { ReactNode } from 'react';

interface FoldProps {
  readonly name: string;
  readonly count: string | null;
  readonly children: ReactNode;
}

/** A part of the panel that folds. */
export function FoldedPart({ name, count, children }: FoldProps) {
  return (
    <details className="outline-part" open>
      <summary>
        {name}
        {count !== null && <span className="outline-count">{count}</span>}
      </summary>
      {children}
    </details>
  );
}
