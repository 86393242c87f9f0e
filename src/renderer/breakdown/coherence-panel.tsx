import { RefreshCw } from 'lucide-react';
import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react';
import { Button } from 'react-aria-components';
import { useStore } from 'zustand';
import type { DocumentCoherence } from '#protocol/breakdown-calls';
import { type Bench, BenchContext, createBench, useBench } from '#renderer/breakdown/bench.ts';
import { ChangeView } from '#renderer/breakdown/change-view.tsx';
import { RestedByCard, RestsOnCard, SilencedCard } from '#renderer/breakdown/coherence-card.tsx';
import { faultOf, type NamedDocument, type Said } from '#renderer/breakdown/listing.ts';
import { clockTime } from '#renderer/breakdown/moment.ts';
import { type RevisedEdge, revisions } from '#renderer/breakdown/navigation.ts';
import { TouchDialog } from '#renderer/breakdown/touch-dialog.tsx';
import { useBreakdownWords, useSaid, useTimeStyle } from '#renderer/breakdown/words.ts';
import { worldOf } from '#renderer/breakdown/world.ts';
import { CodeCards } from '#renderer/code/code-cards.tsx';
import { useSession } from '#renderer/session.ts';
import './breakdown.css';
import './breakdown-acts.css';

type Answer = DocumentCoherence | { readonly asOf: null; readonly said: Said };

/**
 * What a document rests on and what rests on it, as of a moment: asked when the document is first shown here and on ↻, never by itself.
 * For a document that is being revised the change that it is revised for stands on top.
 */
export function CoherencePanel({ path }: { readonly path: string }) {
  const { connection } = useSession();
  const bench = useMemo(() => createBench(worldOf(connection)), [connection]);
  useEffect(() => () => bench.close(), [bench]);
  return (
    <BenchContext value={bench}>
      <Panel path={path} />
    </BenchContext>
  );
}

function Panel({ path }: { readonly path: string }) {
  const revising = useStore(revisions, (known) => known.get(path) ?? null);
  const words = useBreakdownWords();
  const style = useTimeStyle();
  const { openBreakdown } = useSession();
  const { answer, isWorking, ask } = useCoherence(useBench(), path);
  const asOf = answer?.asOf ?? null;
  return (
    <section className="bd-panel" aria-label={words('panel.title')}>
      <h2>
        {words('panel.title')}
        <span className="bd-space" />
        <span className="bd-as-of">{asOf === null ? '' : words('header.as-of', { time: clockTime(asOf, style) })}</span>
        <Button className="bd-button bd-icon" aria-label={words('panel.refresh')} isDisabled={isWorking} onPress={ask}>
          <RefreshCw size={12} aria-hidden />
        </Button>
      </h2>
      <div role="status">{isWorking && <p className="bd-faint">{words('panel.working')}</p>}</div>
      {answer !== null && <Answered answer={answer} path={path} revising={revising} />}
      <div className="bd-panel-actions">
        <Button className="bd-button bd-outline" onPress={openBreakdown}>
          {words('panel.open-breakdown')}
        </Button>
        {answer !== null && answer.asOf !== null && answer.tracking.by !== null && <Touch path={path} />}
      </div>
    </section>
  );
}

/** What would this touch? Asked of the document in front. */
function Touch({ path }: { readonly path: string }) {
  const words = useBreakdownWords();
  const { world } = useBench();
  const { announce } = useSession();
  const saidOf = useSaid();
  const [document, setDocument] = useState<NamedDocument | null>(null);
  const ask = () =>
    world.call('provenance/inputs', { path }).then(
      ({ object }) => setDocument({ object, path }),
      (error) => announce(saidOf(faultOf(error))),
    );
  return (
    <>
      <Button className="bd-button bd-muted" onPress={() => void ask()}>
        {words('touch.question')}
      </Button>
      {document !== null && <TouchDialog document={document} close={() => setDocument(null)} />}
    </>
  );
}

/** One answer for each document that was shown, until it is asked again. */
function useCoherence({ world, asOf }: Bench, path: string): { answer: Answer | null; isWorking: boolean; ask: () => void } {
  const [answers, setAnswers] = useState<ReadonlyMap<string, Answer>>(new Map());
  const [working, setWorking] = useState<string | null>(null);
  const ask = useCallback(() => {
    setWorking(path);
    const keep = (answer: Answer) => {
      setAnswers((known) => new Map(known).set(path, answer));
      setWorking((asked) => (asked === path ? null : asked));
    };
    world.call('coherence/document', { path }).then(keep, (error) => keep({ asOf: null, said: faultOf(error) }));
  }, [world, path]);
  const answer = answers.get(path) ?? null;
  const isAsked = answer !== null || working === path;
  useEffect(() => {
    if (!isAsked) ask();
  }, [isAsked, ask]);
  useEffect(() => asOf.setState(answer?.asOf ?? null, true), [asOf, answer]);
  return { answer, isWorking: working === path, ask };
}

function Answered({ answer, path, revising }: { readonly answer: Answer; readonly path: string; readonly revising: RevisedEdge | null }) {
  const words = useBreakdownWords();
  const saidOf = useSaid();
  if (answer.asOf === null) return <p className="bd-quiet">{saidOf(answer.said)}</p>;
  const { restsOn, restedBy, silenced, tracking, left } = answer;
  if (tracking.by === null && restsOn.length + restedBy.length === 0) return <p className="bd-quiet">{words('panel.untracked')}</p>;
  const revised = revising === null ? undefined : restsOn.find(({ edge }) => edge?.txf === revising.txf && edge.input === revising.input);
  const own = silenced.filter(({ artifact }) => artifact.path === path);
  return (
    <>
      {revised?.source != null && (
        <>
          <h3 className="bd-as-is">{words('panel.revised', { source: revised.source.path ?? revised.source.object })}</h3>
          <ChangeView row={revised} artifact={path} isArtifactShown={false} />
        </>
      )}
      <h3>{words('panel.rests-on')}</h3>
      <Cards none={words('panel.nothing-above')}>
        {[
          ...restsOn.map((row) => <RestsOnCard key={row.edge === null ? row.state : `${row.edge.txf}:${row.edge.input}`} row={row} />),
          ...own.map((row) => <SilencedCard key={`${row.edge.txf}:${row.edge.input}`} row={row} />),
        ]}
      </Cards>
      <h3>{words('panel.rested-by')}</h3>
      <Cards none={words('panel.nothing-below')}>
        {restedBy.map((rested) => (
          <RestedByCard key={`${rested.object}:${rested.row.edge?.txf}:${rested.row.edge?.input}`} rested={rested} />
        ))}
      </Cards>
      <CodeCards path={path} asOf={answer.asOf} />
      {left > 0 && <p className="bd-faint">{words('panel.left', { count: left })}</p>}
    </>
  );
}

function Cards({ none, children }: { readonly none: string; readonly children: readonly ReactNode[] }) {
  return children.length === 0 ? <p className="bd-faint">{none}</p> : <ul>{children}</ul>;
}
