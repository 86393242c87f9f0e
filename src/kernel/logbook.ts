import type { EdgeRef } from '#kernel/body-field';
import type { Entry } from '#kernel/entry';
import { edgeKey } from '#kernel/facts';

/** The kinds of entries that say something of one edge. */
const edgeEntryKinds = ['ratification', 'waiver', 'check-result', 'flag-judgment', 'edge-anchor'] as const;
/** An entry that says something of one edge. */
export type EdgeEntry = Extract<Entry, { kind: (typeof edgeEntryKinds)[number] }>;

/** How an edge was judged: whether showing it was worth it. */
export type Judgment = Extract<EdgeEntry, { kind: 'flag-judgment' }>['body']['judgment'];

/** All that was said of one edge, in reader order. */
export interface LogRow {
  readonly edge: EdgeRef;
  readonly entries: readonly EdgeEntry[];
  /** How often it was accepted or waived, and which of the two was last. */
  readonly resolutions: number;
  readonly lastResolution: 'ratification' | 'waiver' | null;
  readonly judgment: Judgment | null;
}

/** The coherence log: a row for each edge of which anything was said, by its first entry; and what they come to. */
export interface Logbook {
  readonly rows: readonly LogRow[];
  /** How many edges were resolved more than once. */
  readonly resolvedAgain: number;
  readonly tally: Readonly<Record<Judgment | 'unjudged', number>>;
}

/** Whether an entry says something of one edge. */
export function isEdgeEntry(entry: Entry): entry is EdgeEntry {
  return edgeEntryKinds.some((kind) => kind === entry.kind);
}

/** Puts entries together by their edges; they must come in reader order, one for each idem. */
export function logbook(entries: Iterable<EdgeEntry>): Logbook {
  const found = new Map<string, EdgeEntry[]>();
  for (const entry of entries) {
    const key = edgeKey(entry.body.edge);
    const known = found.get(key);
    if (known === undefined) found.set(key, [entry]);
    else known.push(entry);
  }
  const rows = [...found.values()].map(rowOf);
  const tally = { relevant: 0, noise: 0, unsure: 0, unjudged: 0 };
  for (const { judgment } of rows) tally[judgment ?? 'unjudged']++;
  return { rows, tally, resolvedAgain: rows.filter(({ resolutions }) => resolutions > 1).length };
}

function rowOf(entries: readonly EdgeEntry[]): LogRow {
  const resolutions = entries.filter(({ kind }) => kind === 'ratification' || kind === 'waiver');
  const judged = entries.findLast((entry) => entry.kind === 'flag-judgment');
  return {
    edge: entries[0]!.body.edge,
    entries,
    resolutions: resolutions.length,
    lastResolution: (resolutions.at(-1)?.kind as LogRow['lastResolution']) ?? null,
    judgment: judged?.body.judgment ?? null,
  };
}
