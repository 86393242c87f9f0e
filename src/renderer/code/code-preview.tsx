import { useCodeWords } from './words.ts';

/** The most lines that a preview shows. */
const mostLines = 400;

/** Lines of code with their numbers, as they would be anchored to. */
export function CodePreview({
  text,
  start,
  end,
  name,
}: {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly name: string;
}) {
  const words = useCodeWords();
  const label = words('pick.preview', { what: name });
  const lines = text.split(/\r\n|\r|\n/u).slice(start - 1, Math.min(end, start - 1 + mostLines));
  const numbered = lines.map((line, at) => ({ line, number: start + at }));
  const last = start + lines.length - 1;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section className="code-preview" tabIndex={0} aria-label={label}>
      <pre>
        {numbered.map(({ line, number }) => (
          <span key={number} className="code-line" data-line={number}>
            {line}
            {'\n'}
          </span>
        ))}
      </pre>
      {last < end && <p className="bd-faint">…</p>}
    </section>
  );
}
