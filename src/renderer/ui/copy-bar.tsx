import { lazy, useMemo, useState } from 'react';
import { type CopyPair, copyPairOf } from '#renderer/explorer/copy-pair.ts';
import { useWords } from '#renderer/words.ts';
import { Part } from './part.tsx';
import { type Studio, useStudio, useWorkspace } from './studio.ts';

const CopyJoin = lazy(async () => ({ default: (await import('./copy-join.tsx')).CopyJoin }));

/** Says that a sync client made a copy of the document in front, and offers to compare both and to join them. */
export function CopyBar({ path }: { readonly path: string }) {
  const words = useWords();
  const studio = useStudio();
  const files = useWorkspace((workspace) => workspace.files);
  const canJoin = useWorkspace(({ info }) => info?.initialized === true);
  const pair = useMemo(() => copyPairOf(path, files), [path, files]);
  const [isLeft, setLeft] = useState(false);
  const [isJoining, setJoining] = useState(false);
  if (pair === null || isLeft) return null;
  return (
    <section className="change-bar" data-region="copy" tabIndex={-1} aria-label={words('copy.region')}>
      <p>{words('copy.found', { copy: pair.copy, path: pair.of })}</p>
      <div className="acts">
        <button type="button" className="line" onClick={() => void compare(studio, pair)}>
          {words('copy.compare')}
        </button>
        {canJoin && (
          <button type="button" className="line" onClick={() => setJoining(true)}>
            {words('copy.join')}
          </button>
        )}
        <button type="button" className="line" onClick={() => setLeft(true)}>
          {words('copy.leave')}
        </button>
      </div>
      {isJoining && (
        <Part>
          <CopyJoin pair={pair} close={() => setJoining(false)} />
        </Part>
      )}
    </section>
  );
}

/** Shows the document in front and its copy in the second editor. */
async function compare({ documents }: Studio, { copy, of }: CopyPair): Promise<void> {
  await documents.open(copy);
  documents.putBeside(copy);
  await documents.open(of);
}
