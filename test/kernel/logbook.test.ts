import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { digest } from '#core/digest';
import { isEdgeEntry, logbook } from '#kernel/logbook';
import { arbitraryHistory, createHistory, type History } from '../helpers/history.ts';
import { vectorsOf } from '../helpers/vectors.ts';
import { currentOf, replay, tally } from '../reference/replay.ts';

type Judgment = 'relevant' | 'noise' | 'unsure';
interface LogbookVector {
  entries?: ('ratification' | 'waiver')[];
  resolutions?: number;
  last_resolution?: string;
  judgments_in_order?: Judgment[];
  current?: string;
  m2_over_rows?: (Judgment | null)[];
  summary?: object;
}

const logOf = (history: Pick<History, 'lines'>) => logbook(replay(history.lines, digest).entries.filter(isEdgeEntry));

/** An edge, of which nothing was said yet. */
function derived() {
  const history = createHistory();
  const [source, artifact] = [history.document('source.md'), history.document('artifact.md')];
  const { revision } = history.write(source, 'one');
  history.write(artifact, 'made', { inputs: [{ object: source.object, revision }] });
  return { history, revision, edge: history.edges[0]!.edge };
}

describe('the vectors of the logbook', () => {
  it.each(vectorsOf<LogbookVector>('logbook'))('$entries $judgments_in_order $m2_over_rows', (vector) => {
    const { history, revision, edge } = derived();
    const judge = (input: number, judgment: Judgment) =>
      void history.append('flag-judgment', { edge: { ...edge, input }, judgment, note: '' });
    for (const kind of vector.entries ?? []) history.resolve(kind, 0, revision);
    for (const judgment of vector.judgments_in_order ?? []) judge(0, judgment);
    for (const [input, judgment] of (vector.m2_over_rows ?? []).entries()) {
      if (judgment !== null) judge(input, judgment);
      else history.append('edge-anchor', { edge: { ...edge, input }, headings: [], anchored_hash: null });
    }
    const { rows, tally: counts } = logOf(history);
    if (vector.resolutions !== undefined) expect(rows[0]?.resolutions).toBe(vector.resolutions);
    if (vector.last_resolution !== undefined) expect(rows[0]?.lastResolution).toBe(vector.last_resolution);
    if (vector.current !== undefined) expect(rows[0]?.judgment).toBe(vector.current);
    if (vector.summary !== undefined) expect(counts).toEqual(vector.summary);
  });
});

describe('the coherence log', () => {
  it('says of every edge what the plain replay says, in the order of first activity', () => {
    fc.assert(
      fc.property(arbitraryHistory(), (history) => {
        const read = replay(history.lines, digest);
        const { rows, tally: counts, resolvedAgain } = logOf(history);
        const logs = [...read.logs.values()];
        expect(rows.map(({ edge, resolutions, judgment }) => ({ ...edge, resolutions, judgment }))).toEqual(
          logs.map((log) => ({ txf: log.txf, input: log.input, resolutions: log.resolutions.length, judgment: currentOf(log).judgment })),
        );
        expect(rows.map(({ entries }) => entries.length)).toEqual(
          logs.map((log) => log.resolutions.length + log.checks.length + log.judgments.length + log.anchors.length),
        );
        expect(counts).toEqual(tally(read));
        expect(resolvedAgain).toBe(logs.filter((log) => log.resolutions.length > 1).length);
      }),
    );
  });
});
