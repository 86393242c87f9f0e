import type { Core } from '#core/core';
import { Fault, type Outputs } from '#protocol';
import type { AnchorPage, AnchorRow, CodeSummary } from '#protocol/anchor-calls';
import type { CallInput } from '#protocol/calls';

type Check = Outputs['anchors-check'];
type Retired = Check['retired'][number];

/** What was seen of the code, until it is looked at anew. It is the same through every context. */
export interface HeldCode {
  /** Takes a check over; null where nothing was looked at. */
  take(check: Check | null, asOf: number): void;
  summary(): CodeSummary;
  page(input: CallInput<'anchor/page'>): AnchorPage;
  /** Puts one anchor as it is now in its place; one that is there no more is left out. */
  renew(id: string): Promise<void>;
}

const nothing: Check = {
  complete: true,
  budget: { files_read: 0, bytes_read: 0, elapsed_ms: 0, limit: null },
  anchors: [],
  unchecked_anchor_ids: [],
  fallback_share: { total: 0, fallback: 0, share: 0 },
  retired: [],
};

/** Holds what was seen of the code for the pages of a core. */
export function createHeldCode(core: Core): HeldCode {
  let asOf = 0;
  let check = nothing;
  let rows: readonly AnchorRow[] = [];
  const put = (anchors: readonly AnchorRow[], retired: readonly Retired[], fallback = check.fallback_share) => {
    check = { ...check, anchors: anchors.map(({ anchor }) => anchor), retired: [...retired], fallback_share: fallback };
    rows = anchors;
  };
  return {
    take(seen, at) {
      asOf = at;
      check = seen ?? nothing;
      const unchecked = new Set(check.unchecked_anchor_ids);
      rows = check.anchors.map((anchor) => ({ anchor, isUnchecked: unchecked.has(anchor.id) }));
    },
    summary() {
      const unchecked = rows.filter(({ isUnchecked }) => isUnchecked).length;
      const waiting = rows.filter(asks).length;
      const { budget, fallback_share: fallback, retired } = check;
      const about = { complete: unchecked === 0, limit: unchecked === 0 ? null : budget.limit, waiting, unchecked };
      return { ...about, fresh: rows.length - waiting, retired: retired.length, fallback };
    },
    page({ group, offset, limit, search }) {
      const part = <T>(all: readonly T[]) => all.slice(offset, offset + limit);
      if (group === 'retired') {
        const found = check.retired.filter((anchor) => mentions(anchor, search));
        return { asOf, total: found.length, rows: [], retired: part(found) };
      }
      const found = rows.filter((row) => asks(row) === (group === 'waiting') && mentions(row.anchor, search));
      return { asOf, total: found.length, rows: part(found), retired: [] };
    },
    async renew(id) {
      const now = await core.anchors.now(id).catch(gone);
      const at = rows.findIndex(({ anchor }) => anchor.id === id);
      const others = rows.filter(({ anchor }) => anchor.id !== id);
      const given = check.retired.filter((anchor) => anchor.id !== id);
      if (now === null) put(others, given);
      else if (now.retired !== null) put(others, [...given, now.retired], now.fallback);
      else put(others.toSpliced(at < 0 ? others.length : at, 0, now.row), given, now.fallback);
    },
  };
}

/** Whether a person has something to say about it. */
const asks = ({ anchor, isUnchecked }: AnchorRow) => anchor.state !== 'fresh' || isUnchecked;

function mentions({ document, qualified_name, file_hint }: Check['anchors'][number] | Retired, search: string): boolean {
  const wanted = search.trim().toLowerCase();
  return [document.path, qualified_name, file_hint].some((text) => text?.toLowerCase().includes(wanted) === true);
}

function gone(error: unknown): null {
  if (error instanceof Fault && error.code === 'anchor-unknown') return null;
  throw error;
}
