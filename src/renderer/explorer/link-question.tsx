import { useState } from 'react';
import { nameOf } from '#kernel/address';
import type { LinkPlan, Move } from '#protocol/file-calls';
import { Box, takeFocus } from '#renderer/ui/box.tsx';
import { useStudio } from '#renderer/ui/studio.ts';
import { useWords } from '#renderer/words.ts';
import { moveNow } from './acts.ts';
import { ChangedLine } from './changed-line.tsx';

interface LinkQuestionProps {
  readonly moves: readonly Move[];
  readonly links: readonly LinkPlan[];
}

/** Shows which links a move would break and what they would become, before anything happens. All are ticked. */
export function LinkQuestion({ moves, links }: LinkQuestionProps) {
  const words = useWords();
  const studio = useStudio();
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const wanted = links.filter(({ path }) => !left.has(path));
  const tick = (path: string) => setLeft(left.has(path) ? new Set([...left].filter((other) => other !== path)) : new Set(left).add(path));
  const go = () => {
    studio.view.answered();
    void moveNow(studio, moves, wanted);
  };
  const count = links.reduce((sum, { changes }) => sum + changes.length, 0);
  const [move] = moves;
  const title =
    moves.length === 1 && move !== undefined
      ? words('files.links-title', { from: nameOf(move.from), to: move.to })
      : words('files.links-title-many', { count: moves.length });
  return (
    <Box title={title} className="links-box" isQuestion>
      <p className="muted">
        {words('files.links-explain', { count, documents: words('counted.documents', { count: links.length, shown: links.length }) })}
      </p>
      <ul className="link-plans">
        {links.map(({ path, changes }) => (
          <li key={path}>
            <label className="link-plan">
              <input type="checkbox" checked={!left.has(path)} onChange={() => tick(path)} />
              <span>{path}</span>
              <span className="faint small">{words('files.links-of', { count: changes.length })}</span>
            </label>
            {changes.map(({ start, line, before, after }) => (
              <ChangedLine key={start} line={line} before={before} after={after} />
            ))}
          </li>
        ))}
      </ul>
      <div className="acts end">
        <button type="button" className="line" onClick={studio.view.answered}>
          {words('dialog.cancel')}
        </button>
        <button type="button" className="solid" ref={takeFocus} onClick={go}>
          {wanted.length === 0 ? words('files.move-only') : words('files.move-with', { count: wanted.length })}
        </button>
      </div>
    </Box>
  );
}
