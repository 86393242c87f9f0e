import { anchorSentence } from '#cli/anchor-sentence';
import { type ShownRow, shownRow } from '#cli/breakdown-row';
import { columns } from '#cli/column';
import { pairSentence } from '#cli/finding';
import { type Ink, plainInk } from '#cli/ink';
import { visible } from '#cli/text';
import { uncheckedReasons } from '#kernel/anchor';
import type { Outputs, Words } from '#protocol';

type Breakdown = Outputs['breakdown'];

/** How many documents a folded group names. */
const namedInGroup = 5;

/** Whether there is anything to show. */
export function hasRows(output: Breakdown): boolean {
  const { artifacts, silenced, sourceGone, provenanceUnknown } = output;
  return (
    artifacts.length +
      silenced.length +
      sourceGone.length +
      provenanceUnknown.length +
      openAnchors(output).length +
      openPairs(output).length >
    0
  );
}

/** A breakdown as lines: a group for each artifact, what is folded as counted lines, and a sum. */
export function breakdownLines(output: Breakdown, words: Words, ink: Ink = plainInk): string[] {
  const { context, scan } = output;
  return [
    ...(context.name === 'default' ? [] : [words('cli.breakdown.context', { name: context.name }), '']),
    ...(scan.reason === 'not-scanned' ? [words('cli.breakdown.not-scanned'), ''] : []),
    ...artifactLines(output, words, ink),
    ...besideLines(output, words),
    ...foldedLines(output, words, ink),
    sumLine(output, words),
  ];
}

function artifactLines({ artifacts }: Breakdown, words: Words, ink: Ink): string[] {
  const groups = artifacts.map((artifact) => ({ artifact, rows: artifact.rows.map((row) => shownRow(row, words)) }));
  // All groups share their columns, so that the eye can run down them.
  const aligned = columns(
    groups.flatMap(({ rows }) => rows.filter(({ about }) => about === 'source').map(({ cells }) => cells)),
    '  ',
    ink,
  )[Symbol.iterator]();
  return groups.flatMap(({ artifact, rows }) => [
    ink('heading', visible(artifact.path ?? artifact.object)),
    ...(artifact.lifecycle === 'finished' ? [`  ${ink('quiet', words('cli.breakdown.finished'))}`] : []),
    ...rows.flatMap((row) => {
      const line = row.about === 'source' ? aligned.next().value : columns([row.cells], '  ', ink)[0];
      return [line ?? '', ...belowLines(row, ink)];
    }),
    '',
  ]);
}

const belowLines = ({ below }: ShownRow, ink: Ink) => below.map((line) => `      ${ink('quiet', visible(line))}`);

/** Those that ask something, and those of which nothing can be said. */
const openAnchors = ({ codeAnchors }: Breakdown) => codeAnchors.filter((anchor) => anchor.state !== 'fresh' || wasUnchecked(anchor));
const openPairs = ({ pairs }: Breakdown) => pairs.filter(({ state }) => state === 'pair-ahead');

const wasUnchecked = ({ detail }: Breakdown['codeAnchors'][number]) => uncheckedReasons.some((reason) => reason === detail.reason);

/** What a text describes, and what it is paired with, that has moved on: a sentence each, as `stemma check` says it. */
function besideLines(output: Breakdown, words: Words): string[] {
  const lines = [
    ...openAnchors(output).map((anchor) => anchorSentence(anchor, wasUnchecked(anchor), words)),
    ...openPairs(output).map((pair) => pairSentence({ pair }, words)),
  ];
  return lines.length === 0 ? [] : [...lines.map(visible), ''];
}

function foldedLines({ silenced, sourceGone, provenanceUnknown }: Breakdown, words: Words, ink: Ink): string[] {
  const silences = new Map<string, number>();
  for (const row of silenced) silences.set(row.silenced, (silences.get(row.silenced) ?? 0) + 1);
  const reasons = [...silences].map(([silence, count]) => `${words(`silences.${silence}`)} ${count}`);
  const lines = [
    folded('silenced', silenced.length, reasons, words, ink),
    folded('source-gone', sourceGone.length, named(sourceGone.map(({ source }) => source)), words, ink),
    folded('provenance-unknown', provenanceUnknown.length, named(provenanceUnknown), words, ink),
  ].filter((line) => line !== null);
  return lines.length === 0 ? [] : [...lines, ''];
}

function folded(heading: string, count: number, about: readonly string[], words: Words, ink: Ink): string | null {
  if (count === 0) return null;
  return `${words(`headings.${heading}`)}: ${count}  ${ink('quiet', `(${about.join(', ')})`)}`;
}

/** The first few documents, each once. */
function named(documents: readonly { readonly object: string; readonly path: string | null }[]): string[] {
  const paths = [...new Set(documents.map(({ path, object }) => visible(path ?? object)))];
  return paths.length <= namedInGroup ? paths : [...paths.slice(0, namedInGroup), '…'];
}

const passed = ['version-stale', 'diverged', 'diverged-multi-head', 'anchor-lost', 'unpinnable'] as const;

/** That nothing is stale is said only where it holds of code and pairs, too. */
function sumLine(output: Breakdown, words: Words): string {
  const pins = passed.reduce((sum, state) => sum + output.counts[state], 0);
  const sums = [
    sumOf('stale', pins, words),
    sumOf('code', openAnchors(output).length, words),
    sumOf('pairs', openPairs(output).length, words),
  ].filter((sum) => sum !== null);
  return sums.length === 0 ? words('cli.breakdown.nothing-stale') : sums.join(' ');
}

const sumOf = (what: 'stale' | 'code' | 'pairs', count: number, words: Words) =>
  count === 0 ? null : words(`cli.breakdown.${what}`, { count });
