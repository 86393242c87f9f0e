import type { BreakdownRow } from '#protocol/breakdown-calls';
import { PlainText } from '#renderer/breakdown/change-text.tsx';
import { bodyOf, fileName, titleOf } from '#renderer/breakdown/title.ts';
import { useBreakdownWords } from '#renderer/breakdown/words.ts';

/** How much of the artifact is put on the page, in UTF-16 units: the rest is one key away, in the editor. */
const shownLength = 20_000;
const around = 220;

/** The artifact as it is: at the place that a check quotes, if one does, else from its start. */
export function ArtifactText({
  row,
  artifact,
  text,
}: {
  readonly row: BreakdownRow;
  readonly artifact: string;
  readonly text: string | null;
}) {
  const words = useBreakdownWords();
  if (text === null) return <p className="bd-missing bd-lean">{words('change.artifact-unavailable')}</p>;
  const title = titleOf(text) ?? fileName(artifact);
  const quoted = quotation(row, artifact, bodyOf(text));
  const caption = words(quoted === null ? 'change.artifact' : 'change.leans', { title });
  return (
    <article className="bd-doc bd-lean" aria-label={caption}>
      <p className="bd-caption">
        <span>{caption}</span>
        {quoted !== null && <span>{words('change.quoted')}</span>}
      </p>
      {quoted === null ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        <section className="bd-excerpt" tabIndex={0} aria-label={caption}>
          <PlainText text={shortened(bodyOf(text))} />
        </section>
      ) : (
        <p className="bd-line-text" dir="auto">
          {quoted.before}
          <mark>{quoted.quote}</mark>
          {quoted.after}
        </p>
      )}
    </article>
  );
}

function shortened(text: string): string {
  return text.length <= shownLength ? text : `${text.slice(0, text.lastIndexOf(' ', shownLength))} …`;
}

interface Quotation {
  readonly before: string;
  readonly quote: string;
  readonly after: string;
}

/** The first passage that the check quotes from this document, in its paragraph. */
function quotation({ check }: BreakdownRow, artifact: string, text: string): Quotation | null {
  for (const { path, quote } of check?.evidence ?? []) {
    const at = path === null || path === artifact ? text.indexOf(quote) : -1;
    if (at === -1 || quote.trim() === '') continue;
    return { before: startOf(text.slice(0, at)), quote, after: endOf(text.slice(at + quote.length)) };
  }
  return null;
}

/** The end of what stands before, back to the paragraph's start or a word's. */
function startOf(text: string): string {
  const near = text.slice(-around);
  const paragraph = near.slice(near.lastIndexOf('\n\n') + 1).trimStart();
  return near.includes('\n\n') || near.length === text.length ? paragraph : `… ${near.replace(/^\S*\s+/, '')}`;
}

function endOf(text: string): string {
  const near = text.slice(0, around);
  const end = near.indexOf('\n\n');
  if (end !== -1 || near.length === text.length) return near.slice(0, end === -1 ? undefined : end).trimEnd();
  return `${near.replace(/\s+\S*$/, '')} …`;
}
