import type { Core } from '#core/core';
import { afterDecision, type HeldBreakdown, pageOf, quietOf, summaryOf } from '#core/handlers/held-breakdown';
import type { HeldCode } from '#core/handlers/held-code';
import type { HeldPairs } from '#core/handlers/pair';
import type { EdgeRef } from '#kernel/body-field';
import type { RevisionId } from '#kernel/revision';
import type { Uuid } from '#kernel/uuid';
import { Fault, type Outputs } from '#protocol';
import type { DocumentCoherence, ResolvedEdge } from '#protocol/breakdown-calls';
import type { CallInput, Handlers } from '#protocol/calls';

/** How many contexts a breakdown is held for at once; the one that was computed longest ago goes. */
const mostHeld = 4;

/** An answer that is being computed: what was decided meanwhile, and whether it is too old to be held. */
interface Computing {
  readonly context: string | undefined;
  readonly decided: EdgeRef[];
  isOvertaken: boolean;
}

/**
 * The breakdown in pages, what is behind a row, and what a person decides about it. A breakdown is held, one for each
 * context, until it is asked for anew.
 */
export function breakdownHandlers(core: Core, now: () => number, code: HeldCode, pairs: HeldPairs) {
  const held = new Map<string | undefined, HeldBreakdown>();
  const underWay = new Set<Computing>();
  const refresh = async (context: string | undefined) => {
    const own: Computing = { context, decided: [], isOvertaken: false };
    underWay.add(own);
    try {
      const computed = await compute(core, now, context, code);
      pairs.take(computed.breakdown.pairs, computed.asOf);
      if (!own.isOvertaken) hold(own, computed);
      // It may have been computed before these were written down.
      for (const edge of own.decided) await renewIn(context, edge);
      return held.get(context) ?? computed;
    } finally {
      underWay.delete(own);
    }
  };
  const hold = (own: Computing, computed: HeldBreakdown) => {
    for (const earlier of underWay) {
      if (earlier === own) break;
      if (earlier.context === own.context) earlier.isOvertaken = true;
    }
    held.delete(own.context);
    held.set(own.context, computed);
    for (const oldest of [...held.keys()].slice(0, -mostHeld)) held.delete(oldest);
  };
  const heldIn = async (context: string | undefined) => held.get(context) ?? refresh(context);
  /** In every context that is held, or about to be, the row becomes what it is there now. */
  const renew = async (edge: EdgeRef) => {
    for (const { decided } of underWay) decided.push(edge);
    for (const context of [...held.keys()]) await renewIn(context, edge);
  };
  /** What is held is looked up once the row is known: another answer may have come meanwhile. */
  const renewIn = async (context: string | undefined, edge: EdgeRef) => {
    const row = await core.rowNow(edge, context);
    const latest = held.get(context);
    if (latest !== undefined) held.set(context, afterDecision(latest, edge, row));
  };
  /** An act that moves rows between groups makes the next page a new answer. */
  const moving = async <T>(act: Promise<T>): Promise<T> => {
    const done = await act;
    held.clear();
    for (const one of underWay) one.isOvertaken = true;
    return done;
  };
  return {
    'breakdown/refresh': async ({ context }) => {
      const summary = summaryOf(await refresh(context));
      return { ...summary, code: code.summary(), pairs: pairs.summary() };
    },
    'breakdown/page': async (input) => {
      const page = pageOf(await heldIn(input.context), input);
      const objects = page.groups.map(({ object }) => object);
      const origins = await core.origins(objects, input.context);
      return { ...page, groups: page.groups.map((group, at) => ({ ...group, origin: origins[at] ?? null })) };
    },
    'breakdown/quiet': async (input) => quietOf(await heldIn(input.context), input),
    'edge/change': ({ edge, context }) => core.edgeChange(edge as EdgeRef, context),
    'edge/resolve': async (input) => {
      const resolved = await resolveEdge(core, input);
      if (resolved.kind === 'resolved' || resolved.kind === 'moved' || resolved.kind === 'gone') await renew(input.edge as EdgeRef);
      return resolved;
    },
    'edge/judge': async ({ edge, idem, ...said }) => {
      const judged = await core.judge({ ...said, edge: edge as EdgeRef, idem: idem as Uuid });
      if (judged.kind === 'done') await renew(edge as EdgeRef);
      return judged;
    },
    'edge/sections': ({ edge, context }) => core.edgeSections(edge as EdgeRef, context),
    'edge/narrow': async ({ edge, headings, context, idem }) => {
      await reconcile(core);
      return moving(core.narrow({ edge: edge as EdgeRef, headings, context, idem: idem as Uuid }));
    },
    'document/finish': async ({ object, idem, ...asked }) => {
      await reconcile(core);
      return moving(core.finish({ ...asked, object: object as Uuid, idem: idem as Uuid }));
    },
    'provenance/inputs': ({ path }) => core.earlierInputs(path),
    'provenance/confirm': async (input) => {
      await reconcile(core);
      return moving(confirm(core, input));
    },
    'provenance/confirm-several': async ({ documents }) => {
      await reconcile(core);
      const confirmed = [];
      for (const document of documents) confirmed.push({ object: document.object, ...(await moving(confirm(core, document))) });
      return { documents: confirmed };
    },
    'coherence/document': async ({ path, context }) => capped(await core.coherence(path, context)),
    'coherence/touch': (input) => core.touched(input),
    'coherence/log': (input) => core.coherenceLog(input),
    'coherence/confirmations': (input) => core.confirmationLog(input),
  } satisfies Partial<Handlers>;
}

/** Where provenance is off and there is no ledger nothing is scanned, and that is said as the scan's reason. */
async function compute(core: Core, now: () => number, context: string | undefined, code: HeldCode): Promise<HeldBreakdown> {
  const { setting, initialized } = await core.info();
  const isOff = setting === 'off' && !initialized;
  const seen: { check: Outputs['anchors-check'] | null } = { check: null };
  const surveyed = (check: Outputs['anchors-check']) => {
    seen.check = check;
  };
  const answer = await core.breakdown({
    all: false,
    scan: !isOff,
    observe: true,
    surveyed,
    ...(context === undefined ? {} : { context }),
  });
  const tracked = await core.tracked();
  const scan = isOff ? { ...answer.scan, reason: 'provenance-off' as const } : answer.scan;
  const landed = initialized ? await core.landedMerge() : null;
  const merge = landed === null ? null : { commit: landed.commit, paths: new Set(landed.paths) };
  const asOf = now();
  code.take(seen.check, asOf);
  return { asOf, breakdown: { ...answer, scan }, initialized, setting, tracked, commit: await core.headCommit(), merge };
}

/** How many rows an answer holds. */
const mostRows = 200;

/** The coherence of a document without the rows that are more than a message holds; those are counted. */
export function capped({ restsOn, silenced, restedBy, ...answer }: Omit<DocumentCoherence, 'left'>): DocumentCoherence {
  const above = restsOn.slice(0, mostRows);
  const quiet = silenced.slice(0, mostRows - above.length);
  const below = restedBy.slice(0, mostRows - above.length - quiet.length);
  const left = restsOn.length + silenced.length + restedBy.length - above.length - quiet.length - below.length;
  return { ...answer, restsOn: above, silenced: quiet, restedBy: below, left };
}

/** A decision is about the files as they are: what changed since the row was shown makes it `moved`. */
async function resolveEdge(core: Core, { edge, against, decision, context, idem }: CallInput<'edge/resolve'>): Promise<ResolvedEdge> {
  await reconcile(core);
  return core.resolve({ edge: edge as EdgeRef, against: against as RevisionId, decision, context, idem: idem as Uuid });
}

async function confirm(core: Core, { object, head, inputs }: CallInput<'provenance/confirm'>) {
  const named = inputs.map(({ object: input, role }) => ({ object: input as Uuid, role }));
  const { kind } = await core.confirmProvenance({ object: object as Uuid, head: head as RevisionId, inputs: named });
  return { kind };
}

async function reconcile(core: Core): Promise<void> {
  const { reason } = await core.scan();
  if (reason === 'git-busy') throw new Fault('git-busy', {});
  if (reason === 'git-unreadable') throw new Fault('scan-incomplete', { reason });
}
