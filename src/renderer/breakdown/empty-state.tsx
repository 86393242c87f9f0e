import type { ReactNode } from 'react';
import { Button } from 'react-aria-components';
import type { BreakdownSummary } from '#protocol/breakdown-calls';
import { useBreakdownWords } from '#renderer/breakdown/words.ts';

/** Why there is no row, and what to do about it. */
export function EmptyState({
  summary,
  turnOn,
  showAll,
}: {
  readonly summary: BreakdownSummary;
  readonly turnOn: () => void;
  readonly showAll: () => void;
}) {
  const words = useBreakdownWords();
  if (summary.rows > 0)
    return (
      <Empty title={words('empty.filtered-title')} texts={[words('empty.filtered')]}>
        <Button className="bd-button bd-outline" onPress={showAll}>
          {words('empty.show-all')}
        </Button>
      </Empty>
    );
  if (!summary.initialized && summary.setting === 'off')
    return (
      <Empty title={words('empty.off-title')} texts={[words('empty.off'), words('empty.off-setting')]}>
        <Button className="bd-button bd-solid" onPress={turnOn}>
          {words('empty.turn-on')}
        </Button>
      </Empty>
    );
  if (summary.tracked === 0) return <Empty title={words('empty.untracked-title')} texts={[words('empty.untracked')]} />;
  const silenced = Object.values(summary.silenced).reduce((sum, count) => sum + count, 0);
  const isSilent = silenced + summary.finished + summary.sourceGone + summary.provenanceUnknown > 0;
  const texts = [isSilent ? words('empty.fresh-silent') : words('empty.fresh', { count: summary.tracked })];
  return <Empty title={words('empty.fresh-title')} texts={texts} />;
}

function Empty({ title, texts, children }: { readonly title: string; readonly texts: readonly string[]; readonly children?: ReactNode }) {
  return (
    <section className="bd-empty">
      <h2>{title}</h2>
      {texts.map((text) => (
        <p key={text}>{text}</p>
      ))}
      {children}
    </section>
  );
}
