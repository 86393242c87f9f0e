import { type FormEvent, type ReactNode, useState } from 'react';
import { problemWords, useWords } from '#renderer/words.ts';
import { Box } from './box.tsx';
import { useStudio } from './studio.ts';

interface FormBoxProps {
  readonly title: string;
  /** What stands below the fields while nothing is wrong. */
  readonly hint?: string;
  /** What the button that submits says. */
  readonly act: string;
  /** Answers what is wrong with what was given; so is what it throws. It puts the box away itself. */
  readonly submit: () => Promise<string | undefined>;
  readonly children: ReactNode;
}

/** A box with fields, what is wrong with them, and one thing to do with them. */
export function FormBox({ title, hint, act, submit, children }: FormBoxProps) {
  const words = useWords();
  const { view } = useStudio();
  const [problem, setProblem] = useState<string>();
  const go = async (event: FormEvent) => {
    event.preventDefault();
    try {
      setProblem(await submit());
    } catch (error) {
      setProblem(problemWords(error));
    }
  };
  const said = problem ?? hint;
  return (
    <Box title={title} className="narrow">
      <form onSubmit={(event) => void go(event)}>
        {children}
        {said !== undefined && (
          <p className={problem === undefined ? 'muted small' : 'lost small'} role={problem === undefined ? undefined : 'alert'}>
            {said}
          </p>
        )}
        <div className="acts end">
          <button type="button" className="line" onClick={view.answered}>
            {words('dialog.cancel')}
          </button>
          <button type="submit" className="solid">
            {act}
          </button>
        </div>
      </form>
    </Box>
  );
}
