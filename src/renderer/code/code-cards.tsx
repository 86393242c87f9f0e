import { useEffect, useState } from 'react';
import type { ListedAnchor } from '#protocol/anchor-calls';
import { useBench } from '#renderer/breakdown/bench.ts';
import { StateMark } from '#renderer/breakdown/state-mark.tsx';
import { useSession } from '#renderer/session.ts';
import { markOf, whatOf } from './code-words.ts';
import { useCodeWords } from './words.ts';
import './code.css';

/** The code that a document describes, as the last check saw it; `asOf` is another where it is to be asked anew. */
export function CodeCards({ path, asOf }: { readonly path: string; readonly asOf: number }) {
  const words = useCodeWords();
  const { world } = useBench();
  const { openDocument } = useSession();
  const [anchors, setAnchors] = useState<readonly ListedAnchor[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another moment is a reason to ask again.
  useEffect(() => {
    let isWanted = true;
    world.call('anchor/of-document', { path }).then(
      (found) => isWanted && setAnchors(found.anchors),
      () => isWanted && setAnchors([]),
    );
    return () => {
      isWanted = false;
    };
  }, [world, path, asOf]);
  if (anchors.length === 0) return null;
  return (
    <>
      <h3>{words('panel.title')}</h3>
      <ul>
        {anchors.map((anchor) => (
          <li key={anchor.id} className="bd-card code-card" data-state={anchor.state}>
            <div className="bd-card-head">
              <button
                type="button"
                className="bd-card-name"
                disabled={anchor.repository !== null}
                onClick={() => openDocument(anchor.file_hint, anchor.line_start)}
              >
                {anchor.fallback ? whatOf(anchor, words) : <code>{anchor.qualified_name}</code>}
              </button>
              {anchor.retired === null ? <State anchor={anchor} /> : <span className="bd-faint">{words('folded.retired')}</span>}
            </div>
            <p>
              {anchor.document.section.length > 0 && <>§ {anchor.document.section.join(' › ')} · </>}
              <bdi>
                {anchor.file_hint}:{anchor.line_start}
              </bdi>
            </p>
          </li>
        ))}
      </ul>
      <p className="bd-faint">{words('panel.seen')}</p>
    </>
  );
}

function State({ anchor }: { readonly anchor: ListedAnchor }) {
  const words = useCodeWords();
  const mark = markOf({ state: anchor.state, detail: { reason: anchor.reason, file: anchor.file_hint } });
  return <StateMark mark={mark}>{words(`marks.${mark.word}`)}</StateMark>;
}
