import { Button, ToggleButton, ToggleButtonGroup } from 'react-aria-components';
import type { BreakdownRow } from '#protocol/breakdown-calls';
import type { Judgment } from '#renderer/breakdown/acts.ts';
import type { ListedRow } from '#renderer/breakdown/listing.ts';
import type { PageVerbs } from '#renderer/breakdown/page-verbs.ts';
import { sectionName } from '#renderer/breakdown/row-words.ts';
import { useBreakdownWords } from '#renderer/breakdown/words.ts';

/** The quiet things of an open row: its section anchor, whether it was worth flagging, and what would ask less. */
export function RowQuiet({ listed, verbs }: { readonly listed: ListedRow; readonly verbs: PageVerbs }) {
  const words = useBreakdownWords();
  const { row } = listed;
  if (row.edge === null) return null;
  return (
    <>
      {row.notCarried !== undefined && (
        <p className="bd-quiet bd-why">
          {words(`anchor.not-carried-${row.notCarried.reason}`, { section: sectionName(row.notCarried.path) })}
        </p>
      )}
      {isSuggested(row) && <Suggestion listed={listed} verbs={verbs} />}
      <div className="bd-actions bd-second">
        <WorthFlagging judgment={row.judgment} judge={(judgment) => verbs.judge(listed, judgment)} />
        <span className="bd-space" />
        <Anchor listed={listed} isSuggested={isSuggested(row)} verbs={verbs} />
      </div>
      <Provenance row={row} />
    </>
  );
}

/** Rows that were resolved more than once, or judged noise, ask too much (breakdown.md §2). */
const isSuggested = ({ resolutions, judgment }: Pick<BreakdownRow, 'resolutions' | 'judgment'>): boolean =>
  resolutions > 1 || judgment === 'noise';

function Suggestion({ listed, verbs }: { readonly listed: ListedRow; readonly verbs: PageVerbs }) {
  const words = useBreakdownWords();
  const { row, artifact } = listed;
  const why = row.judgment === 'noise' ? 'noise' : 'resolved';
  return (
    <div className="bd-suggestion">
      <span>{words(`suggest.${why}`, { count: row.resolutions })}</span>
      <Button className="bd-button bd-link" onPress={() => verbs.ask({ kind: 'sections', row: listed })}>
        {words(row.section === null ? 'anchor.set' : 'anchor.change')}
      </Button>
      {artifact.lifecycle === 'live' && (
        <>
          <span>{words('suggest.or')}</span>
          <Button className="bd-button bd-link" onPress={() => verbs.ask({ kind: 'finish', document: artifact })}>
            {words('finish.mark')}
          </Button>
        </>
      )}
    </div>
  );
}

/** What the row is narrowed to, and the way to another section where it is not suggested above. */
function Anchor({
  listed,
  isSuggested: isOffered,
  verbs,
}: {
  readonly listed: ListedRow;
  readonly isSuggested: boolean;
  readonly verbs: PageVerbs;
}) {
  const words = useBreakdownWords();
  const { section } = listed.row;
  const choose = () => verbs.ask({ kind: 'sections', row: listed });
  if (section === null)
    return isOffered ? null : (
      <Button className="bd-button bd-muted" onPress={choose}>
        {words('anchor.set')}
      </Button>
    );
  const name = sectionName(section.path);
  return (
    <>
      <span className="bd-faint">{words(section.carried === true ? 'anchor.carried' : 'anchor.to', { section: name })}</span>
      {!isOffered && (
        <Button className="bd-button bd-muted" onPress={choose}>
          {words('anchor.change')}
        </Button>
      )}
      <Button className="bd-button bd-muted" onPress={() => verbs.narrow(listed, [])}>
        {words('anchor.whole')}
      </Button>
    </>
  );
}

/** How often it was decided, and what is known of how it came from its source. */
function Provenance({ row }: { readonly row: BreakdownRow }) {
  const words = useBreakdownWords();
  const parts = [
    ...(row.resolutions === 0 ? [] : [words('badges.resolved', { count: row.resolutions })]),
    ...(row.provenance === null ? [] : [words(`provenance.${row.provenance}`)]),
  ];
  return <p className="bd-faint bd-foot">{parts.join(' · ')}</p>;
}

const judgments: readonly Judgment[] = ['relevant', 'noise', 'unsure'];

/** Nothing is chosen beforehand; what was said can be said otherwise. */
function WorthFlagging({ judgment, judge }: { readonly judgment: Judgment | null; readonly judge: (judgment: Judgment) => void }) {
  const words = useBreakdownWords();
  return (
    <>
      <span className="bd-faint" aria-hidden="true">
        {words('judge.question')}
      </span>
      <ToggleButtonGroup
        className="bd-judge"
        aria-label={words('judge.question')}
        selectionMode="single"
        disallowEmptySelection
        selectedKeys={judgment === null ? [] : [judgment]}
        onSelectionChange={(keys) => {
          const chosen = judgments.find((name) => keys.has(name));
          if (chosen !== undefined && chosen !== judgment) judge(chosen);
        }}
      >
        {judgments.map((name) => (
          <ToggleButton key={name} id={name} className="bd-button bd-outline bd-small">
            {words(`judge.${name}`)}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
      <span className="bd-faint">{words('hint.judging')}</span>
    </>
  );
}
