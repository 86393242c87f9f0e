import { useEffect, useRef } from 'react';
import { compareWithDisk } from '#renderer/editor/comparison.ts';
import { useWords } from '#renderer/words.ts';
import { useStudio } from './studio.ts';
import './compare.css';

/** The writer's own text beside what somebody else wrote. */
export function CompareView({ path }: { readonly path: string }) {
  const words = useWords();
  const { documents } = useStudio();
  const host = useRef<HTMLDivElement>(null);
  const outside = documents.bufferOf(path)?.outside;
  const theirs = outside?.kind === 'changed' ? outside.text : null;
  useEffect(() => {
    const buffer = documents.bufferOf(path);
    if (buffer === undefined || theirs === null || host.current === null) return;
    const names = { mine: words('compare.mine'), theirs: words('compare.theirs'), unchanged: words('compare.unchanged') };
    return compareWithDisk(host.current, buffer, theirs, names);
  }, [documents, path, theirs, words]);
  return (
    <section className="compare" aria-label={words('compare.region')}>
      <div className="compare-heads small muted">
        <span>{words('compare.mine')}</span>
        <span>{words('compare.theirs')}</span>
      </div>
      <div className="compare-body" ref={host} />
    </section>
  );
}
