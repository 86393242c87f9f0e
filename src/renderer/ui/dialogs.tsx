import { type ComponentType, useEffect, useState } from 'react';
import { EarlyField } from './early-field.tsx';
import { returnFocus } from './focus-return.ts';
import { afterStart } from './start.ts';
import { useStudio, useView } from './studio.ts';
import type { Asking } from './view.ts';

type Asked = ComponentType<{ readonly asking: Asking }>;

let known: Asked | null = null;
const load = async (): Promise<Asked> => {
  known ??= (await import('./asked.tsx')).Asked;
  return known;
};

/** Whatever lies over the window now. It is loaded when the window has begun, or with the first question, and then shown at once. */
export function Dialogs() {
  const studio = useStudio();
  const asking = useView((view) => view.asking);
  const Shown = useAsked(asking !== null);
  useEffect(() => returnFocus(studio), [studio]);
  if (asking === null) return null;
  if (Shown !== null) return <Shown asking={asking} />;
  return (
    <div className="overlay">
      <EarlyField leave={studio.view.answered} />
    </div>
  );
}

function useAsked(isWanted: boolean): Asked | null {
  const [, setLoaded] = useState(known !== null);
  useEffect(() => {
    const when = isWanted ? Promise.resolve() : afterStart;
    void when.then(load).then(() => setLoaded(true));
  }, [isWanted]);
  return known;
}
