import { useCodeWords } from './words.ts';

interface Lines {
  readonly start: number;
  readonly end: number;
}

/** A range of lines, for what declares nothing; `isForced`: nothing of the file can be read as a declaration. */
export function LinesField({
  text,
  lines,
  set,
  isForced,
}: {
  readonly text: string;
  readonly lines: Lines;
  readonly set: (lines: Lines) => void;
  readonly isForced: boolean;
}) {
  const words = useCodeWords();
  const count = text.split(/\r\n|\r|\n/u).length;
  const field = (label: string, value: number, change: (line: number) => void) => (
    <label className="code-field">
      <span className="bd-faint">{label}</span>
      <input
        type="number"
        min={1}
        max={count}
        value={value}
        onChange={(event) => {
          const line = Math.min(count, Math.max(1, Math.trunc(event.target.valueAsNumber)));
          if (!Number.isNaN(line)) change(line);
        }}
      />
    </label>
  );
  return (
    <div className="code-fuzzy">
      {isForced && <p className="bd-quiet">{words('pick.lines-only')}</p>}
      <div className="code-lines">
        {field(words('pick.from'), lines.start, (start) => set({ start, end: Math.max(start, lines.end) }))}
        {field(words('pick.to'), lines.end, (end) => set({ start: lines.start, end }))}
      </div>
      <p className="bd-quiet">{words('pick.lines-why')}</p>
    </div>
  );
}
