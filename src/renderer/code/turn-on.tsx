import { useCodeWords } from './words.ts';

/** Where provenance is off: says that nothing was done, and offers to turn it on and do it; `about` is whose words are taken. */
export function TurnOn({ about, run }: { readonly about: 'pick' | 'pair'; readonly run: () => void }) {
  const words = useCodeWords();
  return (
    <div className="bd-note" role="alert">
      {words(`${about}.off`)}{' '}
      <button ref={focused} type="button" className="line" onClick={run}>
        {words(`${about}.turn-on`)}
      </button>
    </div>
  );
}

/** What is offered as it appears has the focus: Enter takes it. */
const focused = (button: HTMLButtonElement | null) => button?.focus();
