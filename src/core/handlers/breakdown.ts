import type { Core } from '#core/core';
import { afterDecision, type HeldBreakdown, pageOf, summaryOf } from '#core/handlers/held-breakdown';
import type { EdgeRef } from '#kernel/body-field';
import type { RevisionId } from '#kernel/revision';
import type { Uuid } from '#kernel/uuid';
import { Fault } from '#protocol';
import type { CallInput, Handlers, ResolvedEdge } from '#protocol/calls';

/** The breakdown in pages, what is behind a row, and what a person decides. A breakdown is held until it is asked for anew. */
export function breakdownHandlers(core: Core, now: () => number) {
  let held: HeldBreakdown | null = null;
  const refresh = async () => (held = await computed(core, now));
  return {
    'breakdown/refresh': async () => summaryOf(await refresh()),
    'breakdown/page': async (input) => pageOf(held ?? (await refresh()), input),
    'edge/change': ({ edge }) => core.edgeChange(edge as EdgeRef),
    'edge/resolve': async (input) => {
      const resolved = await resolveEdge(core, input);
      if (resolved.kind !== 'resolved' && resolved.kind !== 'moved' && resolved.kind !== 'gone') return resolved;
      const row = await core.rowNow(input.edge as EdgeRef);
      if (held !== null) held = afterDecision(held, input.edge as EdgeRef, row);
      return resolved;
    },
    'provenance/inputs': ({ path }) => core.earlierInputs(path),
    'provenance/confirm': (input) => confirm(core, input),
    'coherence/document': ({ path }) => core.coherence(path),
  } satisfies Partial<Handlers>;
}

/** Where provenance is off and there is no ledger nothing is scanned, and that is said as the scan's reason. */
async function computed(core: Core, now: () => number): Promise<HeldBreakdown> {
  const { setting, initialized } = await core.info();
  const isOff = setting === 'off' && !initialized;
  const answer = await core.breakdown({ all: false, scan: !isOff, observe: true });
  const tracked = await core.tracked();
  const scan = isOff ? { ...answer.scan, reason: 'provenance-off' as const } : answer.scan;
  return { asOf: now(), breakdown: { ...answer, scan }, initialized, setting, tracked };
}

/** A decision is about the files as they are: what changed since the row was shown makes it `moved`. */
async function resolveEdge(core: Core, { edge, against, decision, idem }: CallInput<'edge/resolve'>): Promise<ResolvedEdge> {
  await reconcile(core);
  return core.resolve({ edge: edge as EdgeRef, against: against as RevisionId, decision, idem: idem as Uuid });
}

async function confirm(core: Core, { object, head, inputs }: CallInput<'provenance/confirm'>) {
  await reconcile(core);
  const named = inputs.map(({ object: input, role }) => ({ object: input as Uuid, role }));
  const { kind } = await core.confirmProvenance({ object: object as Uuid, head: head as RevisionId, inputs: named });
  return { kind };
}

async function reconcile(core: Core): Promise<void> {
  const { reason } = await core.scan();
  if (reason === 'git-busy') throw new Fault('git-busy', {});
  if (reason === 'git-unreadable') throw new Fault('scan-incomplete', { reason });
}
