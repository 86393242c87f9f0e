import { appendFirst, isBlank } from '#core/workspace/act';
import { personName } from '#core/workspace/person';
import type { NewEntry } from '#core/workspace/recorder';
import { carriedAnchors, renewedAnchor } from '#core/workspace/section-anchor';
import { entryLine } from '#core/workspace/version';
import { entryWithIdem } from '#core/workspace/versions';
import { type View, viewOf } from '#core/workspace/view';
import type { Workspace } from '#core/workspace/workspace';
import type { Resolution } from '#kernel/body-act';
import type { EdgeRef } from '#kernel/body-field';
import type { Input, Transformation } from '#kernel/body-transformation';
import { grantFor } from '#kernel/delegation';
import { parseInstant } from '#kernel/instant';
import { none } from '#kernel/key-table';
import { findListed, live } from '#kernel/projection';
import type { RevisionId } from '#kernel/revision';
import type { Uuid } from '#kernel/uuid';

/** What was decided about a row: the source as it was shown, accepted or waived. */
export interface Resolving {
  readonly edge: EdgeRef;
  /** The current revision of the source that was shown. */
  readonly against: RevisionId;
  readonly decision: { readonly kind: 'accept' } | { readonly kind: 'waive'; readonly reason: string; readonly expires: string | null };
  /** The context that it was shown in, by name or id; the default one without. */
  readonly context?: string | undefined;
  /** Minted once per decision and used again by a retry, which then records nothing more. */
  readonly idem?: Uuid;
}

/**
 * What became of a decision. `moved`: the source is not at the revision that was shown, so nothing was recorded;
 * `undecidable`: it has several current versions or none; `gone`: the row is not listed any more; `blank-reason`: a
 * waiver says why; `no-end`: what was given as its end is no time. Nothing is recorded but where it is `resolved`.
 */
export type Resolved =
  | { readonly kind: 'resolved'; readonly entry: Uuid }
  | { readonly kind: 'moved'; readonly current: RevisionId }
  | { readonly kind: 'undecidable' }
  | { readonly kind: 'gone' }
  | { readonly kind: 'blank-reason' }
  | { readonly kind: 'no-end' };

/** Records Accept latest or Waive of a person. The caller holds the lock and has reconciled the files. */
export async function resolve(workspace: Workspace, request: Resolving): Promise<Resolved> {
  const person = await personName(workspace);
  await workspace.replica.refresh();
  return decide(workspace, request, { actor: { type: 'human', id: person }, delegation: null });
}

/** A decision of an agent: `principal` is who its token says it is. */
export interface DelegatedResolving extends Resolving {
  readonly principal: string;
}

/** Records a decision of an agent, if a person's grant to it allows just this now; else `not-delegated`, and nothing. Its waivers end with the grant at the latest. As `resolve` otherwise. */
export async function resolveDelegated(
  workspace: Workspace,
  { principal, ...request }: DelegatedResolving,
): Promise<Resolved | { readonly kind: 'not-delegated' }> {
  await workspace.replica.refresh();
  const scope = request.decision.kind === 'accept' ? 'resolve.accept-newer' : 'resolve.waive';
  const grant = grantFor(workspace.replica.reading.facts, { principal, scope, now: workspace.chance.now() });
  if (grant === null) return { kind: 'not-delegated' };
  const decision = withinGrant(request.decision, grant.value.expires);
  return decide(workspace, { ...request, decision }, { actor: { type: 'agent', id: principal }, delegation: grant.grant });
}

/** A waiver of an agent holds as long as its grant does, at most: who let it decide that long has let it decide no longer. */
function withinGrant(decision: Resolving['decision'], granted: string): Resolving['decision'] {
  if (decision.kind === 'accept') return decision;
  if (hasNoEnd(decision)) return decision;
  const asked = decision.expires === null ? null : parseInstant(decision.expires);
  const isWithin = asked !== null && asked <= parseInstant(granted)!;
  return isWithin ? decision : { ...decision, expires: granted };
}

/** A waiver without an end holds for ever; one whose end cannot be read would, and was not meant to. */
const hasNoEnd = (decision: Resolving['decision']) =>
  decision.kind === 'waive' && decision.expires !== null && parseInstant(decision.expires) === null;

async function decide(
  workspace: Workspace,
  { edge, against, decision, context, idem }: Resolving,
  by: Pick<Resolution, 'actor' | 'delegation'>,
): Promise<Resolved> {
  const view = viewOf(workspace, { context });
  const { graph } = view;
  const earlier = idem === undefined ? null : entryWithIdem(graph, idem);
  if (earlier !== null) return finishResolved(view, { edge, against, decision, ...(idem === undefined ? {} : { idem }) }, earlier);
  const number = findListed(graph, view.select, edge);
  if (number === none) return { kind: 'gone' };
  const source = graph.edgeSource.at(number);
  const selection = view.select(source);
  if (selection.kind !== 'one') return { kind: 'undecidable' };
  const current = graph.revisionText(selection.node);
  if (current !== against) return { kind: 'moved', current };
  const isWaiver = decision.kind === 'waive';
  if (isWaiver && isBlank(decision.reason)) return { kind: 'blank-reason' };
  if (hasNoEnd(decision)) return { kind: 'no-end' };
  const sourceId = graph.objectText(source);
  const resolution: NewEntry = {
    kind: isWaiver ? 'waiver' : 'ratification',
    body: {
      edge,
      upstream_object: sourceId,
      pinned: graph.revisionText(graph.edgePinned.at(number)),
      resolved_against: current,
      reason: isWaiver ? decision.reason.trim().toWellFormed() : null,
      expires: isWaiver ? decision.expires : null,
      ...by,
    },
    subjects: [sourceId, graph.objectText(graph.nodeObject(graph.edgeArtifact.at(number)))],
    ...(idem === undefined ? {} : { idem }),
  };
  const anchor = isWaiver ? [] : renewedAnchor(view, number, selection.node, idem);
  return { kind: 'resolved', entry: await appendFirst(workspace, [resolution, ...anchor]) };
}

/** Asked again, a decision is there. Its write may have ended before the anchor that goes with it: that is written then. */
async function finishResolved(
  view: View,
  { edge, against, decision, idem }: Pick<Resolving, 'edge' | 'against' | 'decision' | 'idem'>,
  entry: Uuid,
): Promise<Resolved> {
  const { workspace, graph } = view;
  const number = idem === undefined || decision.kind === 'waive' ? none : findListed(graph, view.select, edge);
  const selection = number === none ? null : view.select(graph.edgeSource.at(number));
  if (selection?.kind === 'one' && graph.revisionText(selection.node) === against) {
    const missing = renewedAnchor(view, number, selection.node, idem).filter((anchor) => entryWithIdem(graph, anchor.idem!) === null);
    if (missing.length > 0) await appendFirst(workspace, missing);
  }
  return { kind: 'resolved', entry };
}

/** Inputs that a person confirms for the version a document has now. */
export interface Confirming {
  readonly object: Uuid;
  /** The head that the person saw. */
  readonly head: RevisionId;
  readonly inputs: readonly { readonly object: Uuid; readonly role: 'direct' | 'contextual' }[];
}

/**
 * What became of a confirmation. `moved`: the document has another current version than was shown; `undecidable`: it
 * or an input has several or none; `no-inputs`: nothing to confirm, or the document itself.
 */
export type Confirmed = { readonly kind: 'confirmed'; readonly entry: Uuid } | { readonly kind: 'moved' | 'undecidable' | 'no-inputs' };

/**
 * Attaches inputs to the present version without a new revision: the only entry that names a revision again
 * (`spec/format.md` §5). Inputs are pinned at their current heads; those that it has there already are not attached
 * again. The caller holds the lock.
 */
export async function confirmProvenance(workspace: Workspace, { object, head, inputs }: Confirming): Promise<Confirmed> {
  const person = await personName(workspace);
  await workspace.replica.refresh();
  const { graph } = workspace.replica.reading;
  const current = selectionOf(workspace, object);
  if (current === none) return { kind: 'undecidable' };
  if (graph.revisionText(current) !== head) return { kind: 'moved' };
  if (inputs.length === 0 || inputs.some((input) => input.object === object)) return { kind: 'no-inputs' };
  const pinned = inputs.map((input) => ({ ...input, selection: selectionOf(workspace, input.object) }));
  if (pinned.some((input) => input.selection === none)) return { kind: 'undecidable' };
  const attached = attachedTo(workspace, current);
  const added = pinned.filter(
    ({ object: source, selection }, at) =>
      !attached.some((input) => input.object === source && input.revision === graph.revisionText(selection)) &&
      pinned.findIndex((input) => input.object === source) === at,
  );
  if (added.length === 0) return { kind: 'confirmed', entry: graph.entryText(graph.nodeEntry.at(current)) };
  const entry: NewEntry = {
    kind: 'transformation',
    body: {
      inputs: added.map((input) => ({
        object: input.object,
        revision: graph.revisionText(input.selection),
        role: input.role,
        kind: 'dependency' as const,
      })),
      outputs: [
        {
          object,
          revision: head,
          content_hash: graph.contentText(current),
          parents: graph.parentsOf(current).map((parent) => graph.revisionText(parent)),
        },
      ],
      agent: { type: 'human', id: person },
      intent: { kind: 'provenance-confirmation', summary: `confirmed ${added.length} inputs`, prompt_hash: null },
      confidence: 'inferred',
    },
    subjects: [object],
  };
  const confirmed = await appendFirst(workspace, [entry]);
  const carried = carriedAnchors(workspace, confirmed, entry);
  await workspace.recorder.append(workspace.recorder.ready(carried));
  return { kind: 'confirmed', entry: confirmed };
}

/** The inputs that a version has, of whichever entries: edges, and what else is in those that made them. */
function attachedTo(workspace: Workspace, node: number): readonly Pick<Input, 'object' | 'revision'>[] {
  const { graph } = workspace.replica.reading;
  const rows = new Set([graph.nodeEntry.at(node), ...[...graph.edgesInto(node)].map((edge) => graph.edgeEntry.at(edge))]);
  return [...rows].flatMap((row) => (JSON.parse(entryLine(workspace, row)) as { body: Pick<Transformation, 'inputs'> }).body.inputs);
}

function selectionOf({ replica }: Workspace, object: Uuid): number {
  const { graph } = replica.reading;
  const number = graph.findObject(object);
  const selection = number === none ? null : live(graph)(number);
  return selection?.kind === 'one' ? selection.node : none;
}
