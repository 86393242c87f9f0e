import { useEffect, useRef } from 'react';
import { Button, Group } from 'react-aria-components';
import { useStore } from 'zustand';
import type { AnchorLook, AnchorRow, CheckedAnchor } from '#protocol/anchor-calls';
import { useBench } from '#renderer/breakdown/bench.ts';
import { PlainText } from '#renderer/breakdown/change-text.tsx';
import { Side } from '#renderer/breakdown/comparison-view.tsx';
import { bodyOf } from '#renderer/breakdown/title.ts';
import { spokenTime, useBreakdownWords, useTimeStyle } from '#renderer/breakdown/words.ts';
import type { CodeReading } from './code-list.ts';
import { useCodeSaid } from './code-said.ts';
import { CodeAlone, CodeSides } from './code-sides.tsx';
import { useCode } from './code-verbs.ts';
import { markOf } from './code-words.ts';
import { useCodeWords } from './words.ts';

/** An open row: the declaration then and now, the text that describes it, and what to do about it. */
export function CodeBody({ row }: { readonly row: AnchorRow }) {
  const words = useCodeWords();
  const saidOf = useCodeSaid();
  const reading = useStore(useCode().store, (list) => list.reading);
  const body = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (reading.kind !== 'reading') body.current?.closest('li')?.scrollIntoView({ block: 'nearest' });
  }, [reading]);
  return (
    <div className="bd-open" ref={body}>
      {reading.kind === 'reading' && <p className="bd-quiet bd-reading">{words('look.reading')}</p>}
      {reading.kind === 'failed' && <p className="bd-note">{saidOf(reading.said)}</p>}
      {reading.kind === 'read' && (
        <>
          <ThenAndNow reading={reading} />
          <Candidates row={row} look={reading.look} />
        </>
      )}
      <Acts row={row} reading={reading} />
    </div>
  );
}

/** The declaration then and now, and the text that describes it. */
export function ThenAndNow({ reading }: { readonly reading: Extract<CodeReading, { kind: 'read' }> }) {
  const words = useCodeWords();
  return (
    <section aria-label={words('look.label')} className="code-change">
      <Versions reading={reading} />
      <Describing look={reading.look} />
    </section>
  );
}

function Versions({ reading: { look, comparison } }: { readonly reading: Extract<CodeReading, { kind: 'read' }> }) {
  const words = useCodeWords();
  const captions = useCaptions(look);
  if (comparison !== null)
    return (
      <>
        {look.before.text === look.now?.text && <p className="bd-quiet bd-reading">{words('look.same')}</p>}
        <CodeSides folds={comparison.rest} before={captions.before} now={captions.now} />
      </>
    );
  const state = words(`marks.${markOf(look.anchor).word}`);
  return (
    <div className="bd-two">
      <Side caption={captions.before} rows={2}>
        {look.before.text === null ? (
          <p className="bd-missing">{words('look.no-copy')}</p>
        ) : (
          <CodeAlone text={look.before.text} label={words('look.before')} />
        )}
      </Side>
      <Side caption={captions.now} rows={2}>
        {look.now?.text != null ? (
          <CodeAlone text={look.now.text} label={words('look.now')} />
        ) : (
          <p className="bd-missing">{look.isUnchecked ? words('look.unseen', { state }) : words('look.gone')}</p>
        )}
      </Side>
    </div>
  );
}

function useCaptions({ before, now }: AnchorLook) {
  const words = useCodeWords();
  const breakdownWords = useBreakdownWords();
  const style = useTimeStyle();
  const { world } = useBench();
  const when = spokenTime(before.at, world.now(), breakdownWords, style);
  const placeOf = ({ file, start }: { file: string; start: number }) => words('look.place', { file, line: start });
  return {
    before: { label: words('look.before'), version: placeOf(before), by: words('look.made', { when, who: before.by }) },
    now: {
      label: words('look.now'),
      version: now === null ? '' : placeOf(now),
      by: now !== null && now.name !== before.name ? now.name : '',
    },
  };
}

/** The text that describes the code, as it is on disk. */
function Describing({ look: { anchor, text } }: { readonly look: AnchorLook }) {
  const words = useCodeWords();
  const { path, object, section } = anchor.document;
  const document = path ?? object;
  const caption = words('look.text', { document: section.length === 0 ? document : `${document} § ${section.join(' › ')}` });
  const missing = section.length === 0 ? 'look.no-document' : 'look.no-section';
  return (
    <article className="bd-doc bd-lean code-text" aria-label={caption}>
      <p className="bd-caption">
        <span>{caption}</span>
      </p>
      {text === null ? (
        <p className="bd-missing">{words(missing, { document, section: section.join(' › ') })}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        <section className="bd-excerpt" tabIndex={0} aria-label={caption}>
          <PlainText text={bodyOf(text)} />
        </section>
      )}
    </article>
  );
}

type Candidate = NonNullable<CheckedAnchor['detail']['candidates']>[number];

/** What the text may be bound to, where one look is not enough to tell. */
function Candidates({ row, look }: { readonly row: AnchorRow; readonly look: AnchorLook }) {
  const words = useCodeWords();
  const { verbs } = useCode();
  const { candidates, suggestions } = look.anchor.detail;
  const offered = candidates ?? suggestions ?? [];
  if (offered.length === 0) return null;
  const nameOf = ({ kind, qualified_name }: Candidate) => `${kind} ${qualified_name}`;
  const take = (candidate: Candidate) => {
    const target = { kind: 'declaration', name: candidate.qualified_name, declared: candidate.kind } as const;
    verbs.rebind(row, { repository: look.anchor.repository, file: candidate.file, target }, nameOf(candidate));
  };
  return (
    <section className="code-candidates" aria-label={words(candidates === undefined ? 'look.suggestions' : 'look.candidates')}>
      <p className="bd-quiet">{words(candidates === undefined ? 'look.suggestions' : 'look.candidates')}</p>
      <ul>
        {offered.map((one) => (
          <li key={`${one.file}:${one.line_start}:${one.qualified_name}`}>
            <span>
              {one.kind} <code>{one.qualified_name}</code>
            </span>
            <span className="bd-faint">
              <bdi>
                {one.file}:{one.line_start}
              </bdi>
              {one.similarity !== undefined && ` · ${words('look.alike', { percent: Math.round(one.similarity * 100) })}`}
            </span>
            <Button
              className="bd-button bd-outline bd-small"
              aria-label={words('look.take', { what: `${nameOf(one)} (${one.file}:${one.line_start})` })}
              onPress={() => take(one)}
            >
              {words('look.take-short')}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Why an anchor cannot be confirmed; somebody else may have done it since the row was listed. */
function whyNot({ anchor, isUnchecked }: AnchorRow) {
  if (isUnchecked) return 'act.why-unchecked';
  return anchor.state === 'lost' ? 'act.why-lost' : anchor.state === 'fresh' ? 'act.why-fresh' : 'act.why-unchecked';
}

/** What a person may do, with the keys; what cannot be done now says why. */
function Acts({ row, reading }: { readonly row: AnchorRow; readonly reading: CodeReading }) {
  const words = useCodeWords();
  const { verbs } = useCode();
  const { anchor, isUnchecked } = row;
  const isLost = anchor.state === 'lost' && !isUnchecked;
  const mayConfirm = reading.kind === 'read' && reading.look.hash !== null;
  const why = mayConfirm ? 'act.why-confirm' : reading.kind === 'reading' && !isLost ? null : whyNot(row);
  return (
    <>
      <Group className="bd-actions" aria-label={words('act.label')}>
        {!isLost && (
          <Button className="bd-button bd-solid" isDisabled={!mayConfirm} onPress={() => verbs.confirm(row)}>
            {words('act.confirm')}
            <span className="bd-key" data-key="A" />
          </Button>
        )}
        <Button className={`bd-button ${isLost ? 'bd-solid' : 'bd-outline'}`} onPress={() => verbs.ask({ kind: 'rebind', row })}>
          <span>{words('act.rebind')}</span>
          <span className="bd-key" data-key="B" />
        </Button>
        <Button className="bd-button bd-outline" onPress={() => verbs.ask({ kind: 'remove', row })}>
          {words('act.remove')}
        </Button>
        {isLost && (
          <Button className="bd-button bd-outline" onPress={() => verbs.ask({ kind: 'retire', row })}>
            {words('act.retire')}
          </Button>
        )}
        {anchor.state !== 'lost' && (
          <Button className="bd-button bd-outline" onPress={() => verbs.open(row)}>
            {words('act.open')}
            <span className="bd-key" data-key="O" />
          </Button>
        )}
      </Group>
      {why !== null && <p className="bd-quiet bd-why">{words(why)}</p>}
    </>
  );
}
