import type { LogRequest } from '#core/workspace/coherence-log';
import { entriesWith } from '#core/workspace/ledger-search';
import type { Workspace } from '#core/workspace/workspace';
import type { Entry } from '#kernel/entry';
import type { Facts } from '#kernel/facts';
import type { ConfirmationOutputs, ConfirmationRow, LoggedConfirmation } from '#protocol/confirmation-calls';

type Confirmation = Extract<Entry, { kind: 'code-anchor-confirmation' | 'document-pair-confirmation' }>;

const isConfirmation = (entry: Entry): entry is Confirmation =>
  entry.kind === 'code-anchor-confirmation' || entry.kind === 'document-pair-confirmation';

/** Every confirmation of code anchors and pairs, read from the ledger anew (`spec/breakdown.md` §4). The replica must be fresh. */
export async function confirmationLog(
  workspace: Workspace,
  { offset, limit }: LogRequest,
): Promise<ConfirmationOutputs['coherence/confirmations']> {
  const entries = await entriesWith(workspace, '-confirmation"', isConfirmation);
  const groups = [...Map.groupBy(entries, aboutOf).values()];
  const { facts } = workspace.replica.reading;
  return { total: groups.length, rows: groups.slice(offset, offset + limit).map((own) => rowOf(facts, own)) };
}

const aboutOf = ({ body }: Confirmation) => ('anchor' in body ? `code ${body.anchor}` : `pair ${body.pair}`);

function rowOf(facts: Facts, entries: readonly Confirmation[]): ConfirmationRow {
  const { body } = entries.at(-1)!;
  const acts = entries.map(actOf);
  const named = (object: string) => ({ object, path: facts.pathOf(object) });
  if (!('anchor' in body)) {
    const made = facts.pairs.get(body.pair)?.value;
    const documents = made === undefined ? null : { technical: named(made.technical), human: named(made.human) };
    return { kind: 'pair', pair: body.pair, documents, isGone: facts.pairRemovals.has(body.pair), acts };
  }
  const made = facts.codeAnchors.get(body.anchor)?.value;
  return {
    kind: 'code',
    anchor: body.anchor,
    document: made === undefined ? null : named(made.document),
    section: made?.section ?? [],
    declared: { kind: body.kind, qualified_name: body.qualified_name, fallback: body.fallback },
    isGone: facts.codeRemovals.has(body.anchor),
    acts,
  };
}

function actOf({ id, time, body }: Confirmation): LoggedConfirmation {
  return { id, time, by: body.actor, note: body.note, from: 'from' in body ? body.from : null };
}
