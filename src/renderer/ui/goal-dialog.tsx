import { type FormEvent, useState } from 'react';
import { transact } from '#renderer/editor/buffer.ts';
import { type Goal, goalOf, mostGoal, setGoal } from '#renderer/editor/goal.ts';
import { useWords } from '#renderer/words.ts';
import { Box, takeFocus } from './box.tsx';
import { focusPage, useFront, useStudio } from './studio.ts';

/** Asks how long the document in front is to become; it is kept in its frontmatter. */
export function GoalDialog() {
  const words = useWords();
  const studio = useStudio();
  const { documents, view } = studio;
  const path = useFront()?.path;
  const buffer = path === undefined ? undefined : documents.bufferOf(path);
  const known = buffer === undefined ? null : goalOf(buffer.state.doc);
  const [count, setCount] = useState(String(known?.count ?? ''));
  const [unit, setUnit] = useState<Goal['unit']>(known?.unit ?? 'words');
  const give = (goal: Goal | null) => {
    if (buffer !== undefined) transact(buffer, { changes: [...setGoal(buffer.state.doc, goal)], userEvent: 'input.goal' });
    view.answered();
    focusPage(studio);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const number = Number(count);
    give(Number.isInteger(number) && number > 0 && number <= mostGoal ? { count: number, unit } : null);
  };
  return (
    <Box title={words('goal.title')} className="narrow">
      <form onSubmit={submit}>
        <div className="goal-fields">
          <label className="field">
            <span>{words('goal.count')}</span>
            <input ref={takeFocus} type="number" min={1} max={mostGoal} value={count} onChange={(event) => setCount(event.target.value)} />
          </label>
          <label className="field">
            <span>{words('goal.unit')}</span>
            <select value={unit} onChange={(event) => setUnit(event.target.value === 'characters' ? 'characters' : 'words')}>
              <option value="words">{words('goal.words')}</option>
              <option value="characters">{words('goal.characters')}</option>
            </select>
          </label>
        </div>
        <p className="muted small">{words('goal.about')}</p>
        <div className="acts end">
          {known !== null && (
            <button type="button" className="line" onClick={() => give(null)}>
              {words('goal.none')}
            </button>
          )}
          <button type="button" className="line" onClick={view.answered}>
            {words('dialog.cancel')}
          </button>
          <button type="submit" className="solid">
            {words('goal.set')}
          </button>
        </div>
      </form>
    </Box>
  );
}
