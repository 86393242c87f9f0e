import type { Core } from '#core/core';
import type { PairHashes } from '#kernel/body-pair';
import type { Uuid } from '#kernel/uuid';
import type { BreakdownSummary } from '#protocol/breakdown-calls';
import type { Handlers } from '#protocol/calls';
import type { PairRow } from '#protocol/pair-calls';

/** The pairs as they were last seen, until they are looked at anew. */
export interface HeldPairs {
  take(rows: readonly PairRow[], asOf: number): void;
  summary(): BreakdownSummary['pairs'];
  /** The rows of a group, and the moment that they are of. */
  rows(group: 'waiting' | 'fresh'): readonly PairRow[];
  readonly asOf: () => number;
}

/** Holds pairs for the pages of a core. */
export function createHeldPairs(): HeldPairs {
  let held: readonly PairRow[] = [];
  let asOf = 0;
  return {
    take(rows, at) {
      held = rows;
      asOf = at;
    },
    summary() {
      const waiting = held.filter(asks).length;
      return { waiting, fresh: held.length - waiting };
    },
    rows: (group) => held.filter((row) => asks(row) === (group === 'waiting')),
    asOf: () => asOf,
  };
}

const asks = ({ ahead, gone }: PairRow) => ahead.length + gone.length > 0;

const by = { type: 'human' } as const;

/** What a person at the window does with pairs. After each act they are looked at anew. */
export function pairHandlers(core: Core, held: HeldPairs) {
  const acted = async <T>(work: Promise<T>): Promise<T> => {
    const done = await work;
    held.take(await core.pairs.current(), held.asOf());
    return done;
  };
  return {
    'pair/make': (request) => acted(core.pairs.make({ ...request, by })),
    'pair/page': async ({ group, offset, limit, search }) => {
      const wanted = search.trim().toLowerCase();
      const found = held
        .rows(group)
        .filter(({ technical, human }) => [technical, human].some(({ path, object }) => (path ?? object).toLowerCase().includes(wanted)));
      return { asOf: held.asOf(), total: found.length, rows: found.slice(offset, offset + limit) };
    },
    'pair/look': ({ pair }) => core.pairs.look(pair),
    'pair/confirm': async ({ hashes, idem, ...said }) =>
      acted(core.pairs.confirm({ ...said, hashes: hashes as PairHashes, idem: idem as Uuid, by })),
    'pair/remove': async ({ pair }) => {
      await acted(core.pairs.remove(pair, by));
      return { pair };
    },
  } satisfies Partial<Handlers>;
}
