import type { BreakdownRow } from '#protocol/breakdown-calls';

/** A revision id of one repeated hex digit. */
export const revision = (digit: string): string => `rev1:${digit.repeat(64)}`;

type EdgeRow = Extract<BreakdownRow, { edge: object }>;

/** A row about an edge; `input` tells it from others. */
export function edgeRow({ input = 0, ...change }: Partial<EdgeRow> & { readonly input?: number }): EdgeRow {
  return {
    edge: { txf: '018f0000-0000-7000-8000-000000000001', input },
    source: { object: '018f0000-0000-7000-8000-00000000000a', path: 's.md' },
    pinned: { revision: revision('1'), label: 'v1' },
    current: { revision: revision('2'), label: 'v2' },
    state: 'version-stale',
    silenced: null,
    section: null,
    check: null,
    waiver: null,
    provenance: 'exact',
    resolutions: 0,
    judgment: null,
    actions: { accept: true, revise: true, waive: true },
    ...change,
  };
}

/** A row about a document with parallel versions. */
export function documentRow(): BreakdownRow {
  return {
    edge: null,
    source: null,
    pinned: null,
    current: null,
    state: 'parallel-versions',
    silenced: null,
    section: null,
    check: null,
    waiver: null,
    provenance: null,
    resolutions: 0,
    judgment: null,
    actions: { accept: false, revise: true, waive: false },
    heads: [
      { revision: revision('3'), label: 'v2' },
      { revision: revision('4'), label: 'v3' },
    ],
  };
}
