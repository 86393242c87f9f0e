import type { RowMark } from '#renderer/breakdown/row-words.ts';

/** A state by shape, colour and word. */
export function StateMark({ mark, children }: { readonly mark: Pick<RowMark, 'shape' | 'tone'>; readonly children: string }) {
  return (
    <span className={`bd-mark bd-${mark.tone}`}>
      <svg viewBox="0 0 10 10" aria-hidden="true">
        <Shape shape={mark.shape} />
      </svg>
      {children}
    </span>
  );
}

function Shape({ shape }: Pick<RowMark, 'shape'>) {
  const line = { fill: 'none', stroke: 'currentColor', strokeWidth: 1.8, strokeLinecap: 'round' as const };
  if (shape === 'dot') return <circle cx="5" cy="5" r="4" fill="currentColor" />;
  if (shape === 'diamond') return <path d="M5 0l5 5-5 5-5-5z" fill="currentColor" />;
  if (shape === 'dash') return <path d="M1 5h8" {...line} />;
  if (shape === 'cross') return <path d="M2 2l6 6M8 2l-6 6" {...line} />;
  return <path d="M1.5 5.5l2.5 2.5 4.5-6" {...line} />;
}
