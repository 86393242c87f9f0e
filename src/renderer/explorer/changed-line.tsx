import { useWords } from '#renderer/words.ts';
import { commonEnds } from './changed-part.ts';

interface ChangedLineProps {
  readonly line: number;
  readonly before: string;
  readonly after: string;
}

/** A line as it is and as it would be, with what changes marked. */
export function ChangedLine({ line, before, after }: ChangedLineProps) {
  const words = useWords();
  const { head, tail } = commonEnds(before, after);
  const inner = (text: string) => text.slice(head, text.length - tail);
  return (
    <p className="changed-line">
      <span className="faint">{words('files.line', { line })}</span> {before.slice(0, head)}
      {inner(before) !== '' && <del>{inner(before)}</del>}
      {inner(after) !== '' && <ins>{inner(after)}</ins>}
      {before.slice(before.length - tail)}
    </p>
  );
}
