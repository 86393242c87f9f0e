import { type ReactNode, useEffect, useMemo } from 'react';
import { Button } from 'react-aria-components';
import { useStore } from 'zustand';
import type { AnchorRow } from '#protocol/anchor-calls';
import type { BreakdownSummary } from '#protocol/breakdown-calls';
import { useBench } from '#renderer/breakdown/bench.ts';
import type { Filter } from '#renderer/breakdown/listing.ts';
import { useSession } from '#renderer/session.ts';
import { useLocale } from '#renderer/words.ts';
import { CodeDialogs } from './code-dialogs.tsx';
import { createCodeList } from './code-list.ts';
import { CodeRow } from './code-row.tsx';
import { useCodeSaid } from './code-said.ts';
import { stepAmongRows } from './code-step.ts';
import { CodeContext, createCodeVerbs, useCode } from './code-verbs.ts';
import { PairSection } from './pair-section.tsx';
import { codeWords, useCodeWords } from './words.ts';
import './code.css';

/** Holds the rows about code for the parts of a breakdown. */
export function CodeRoom({ children }: { readonly children: ReactNode }) {
  const bench = useBench();
  const { openDocument } = useSession();
  const locale = useLocale();
  const code = useMemo(() => {
    const store = createCodeList();
    return { store, verbs: createCodeVerbs(store, bench, openDocument, () => codeWords(locale)) };
  }, [bench, openDocument, locale]);
  return <CodeContext value={code}>{children}</CodeContext>;
}

/** Whether a filter of the breakdown lets rows about code through. */
export const showsCode = (filter: Filter): boolean => filter === 'all' || filter === 'code';

/** Code that documents describe and that is not as it was, under its documents; a partial check says so above. */
export function CodeSection({
  summary,
  filter,
  search,
}: {
  readonly summary: BreakdownSummary;
  readonly filter: Filter;
  readonly search: string;
}) {
  const words = useCodeWords();
  const { store, verbs } = useCode();
  const { rows, total, open } = useStore(store);
  const isShown = showsCode(filter) && summary.code.waiting > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each refresh is another moment, and its rows are asked for anew.
  useEffect(() => {
    if (isShown) verbs.load(search);
  }, [isShown, summary.asOf, search, verbs]);
  return (
    <>
      {isShown && (
        <section aria-label={words('region')} className="code-rows">
          {summary.code.unchecked > 0 && <PartialCheck summary={summary} />}
          {byDocument(rows).map(([path, own]) => (
            <section key={own[0]!.anchor.document.object} className="bd-group" aria-label={`${path}: ${words('describes')}`}>
              <div className="bd-group-head">
                <h2>
                  <bdi>{path}</bdi>
                </h2>
                <span className="bd-faint">{words('describes')}</span>
              </div>
              <ul>
                {own.map((row) => (
                  <CodeRow key={row.anchor.id} row={row} isOpen={open === row.anchor.id} onStep={stepAmongRows} />
                ))}
              </ul>
            </section>
          ))}
          {rows.length < total && (
            <div className="bd-more">
              <Button className="bd-button bd-outline" onPress={() => verbs.more(search)}>
                {words('folded.more')}
              </Button>
            </div>
          )}
        </section>
      )}
      {showsCode(filter) && <PairSection summary={summary} search={search} />}
      <CodeDialogs />
      <LiveRegion />
    </>
  );
}

function byDocument(rows: readonly AnchorRow[]): [string, AnchorRow[]][] {
  const groups = Map.groupBy(rows, ({ anchor }) => anchor.document.path ?? anchor.document.object);
  return [...groups];
}

/** Says that not all was looked at, and why. */
function PartialCheck({ summary: { code } }: { readonly summary: BreakdownSummary }) {
  const words = useCodeWords();
  return (
    <section className="bd-banner bd-grave" data-banner="partial-check">
      <div className="bd-banner-text">
        <strong>{words('partial.title', { count: code.unchecked })}</strong> {words(`partial.${code.limit ?? 'other'}`)}{' '}
        {words('partial.keeps')}
      </div>
    </section>
  );
}

function LiveRegion() {
  const { said } = useStore(useCode().store);
  const wordsOf = useCodeSaid();
  return (
    <div className="bd-hidden" role="status" aria-live="polite">
      {said === null ? '' : wordsOf(said)}
    </div>
  );
}
