import { useEffect, useRef } from 'react';
import { Button } from 'react-aria-components';
import type { CheckedAnchor, CodeOfFile } from '#protocol/anchor-calls';
import { useBench } from '#renderer/breakdown/bench.ts';
import { AskOver } from '#renderer/breakdown/modal.tsx';
import { useAnswer } from './code-answer.ts';
import { useCodeSaid } from './code-said.ts';
import { whatOf } from './code-words.ts';
import { useCodeWords } from './words.ts';

/** How many lines are shown before and behind what is described. */
const around = 2000;

/** A file of a linked repository as a check reads it, with what is described marked; nothing of it can be changed here. */
export function CodeView({ anchor, close }: { readonly anchor: CheckedAnchor; readonly close: () => void }) {
  const words = useCodeWords();
  const saidOf = useCodeSaid();
  const { world } = useBench();
  const { repository } = anchor;
  const { file } = anchor.detail;
  const { answer: code, said } = useAnswer(() => world.call('code/declarations', { repository, file }), file);
  return (
    <AskOver title={file} isWide close={close}>
      <p className="bd-quiet">{words('view.about', { repository: repository ?? '', what: whatOf(anchor, words) })}</p>
      {said !== null && (
        <p className="bd-note" role="alert">
          {saidOf(said)}
        </p>
      )}
      {code === null && said === null && <p className="bd-quiet">{words('look.reading')}</p>}
      {code !== null && <Lines code={code} described={describedIn(code, anchor)} name={whatOf(anchor, words)} />}
      <div className="bd-actions code-end">
        <Button className="bd-button bd-outline" onPress={close}>
          {words('repositories.close')}
        </Button>
      </div>
    </AskOver>
  );
}

/** The lines of what is described: where it is declared now, else where the check saw it. */
function describedIn({ declarations }: CodeOfFile, { kind, qualified_name, detail }: CheckedAnchor): { start: number; end: number } {
  const name = detail.renamed_to ?? qualified_name;
  const declared = declarations.find((one) => one.kind === kind && one.name === name);
  return declared ?? { start: detail.line_start ?? 1, end: detail.line_end ?? detail.line_start ?? 1 };
}

interface LinesProps {
  readonly code: CodeOfFile;
  readonly described: { readonly start: number; readonly end: number };
  readonly name: string;
}

function Lines({ code, described: { start, end }, name }: LinesProps) {
  const words = useCodeWords();
  const first = useRef<HTMLSpanElement>(null);
  useEffect(() => first.current?.scrollIntoView({ block: 'center' }), []);
  const all = code.text.split(/\r\n|\r|\n/u);
  const from = Math.max(0, start - 1 - around);
  const lines = all.slice(from, end + around).map((line, at) => ({ line, number: from + at + 1 }));
  const isCut = lines.length < all.length;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <section className="code-preview code-view" tabIndex={0} aria-label={words('pick.preview', { what: name })}>
        <pre>
          {lines.map(({ line, number }) => (
            <span
              key={number}
              ref={number === start ? first : null}
              className="code-line"
              data-line={number}
              data-described={number >= start && number <= end ? '' : undefined}
            >
              {line}
              {'\n'}
            </span>
          ))}
        </pre>
      </section>
      <p className="bd-faint">
        {words('view.lines', { start, end })} {isCut && words('view.cut', { count: all.length })}
      </p>
    </>
  );
}
