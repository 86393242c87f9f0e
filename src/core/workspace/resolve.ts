import { userInfo } from 'node:os';
import type { NewEntry } from '#core/workspace/recorder';
import { forgetRidden, ridingMoves } from '#core/workspace/riding';
import { readSection } from '#core/workspace/section';
import { entryWithIdem } from '#core/workspace/versions';
import type { Workspace } from '#core/workspace/workspace';
import type { EdgeRef } from '#kernel/body-field';
import { edgeKey } from '#kernel/facts';
import { none } from '#kernel/key-table';
import { listedEdges, live } from '#kernel/projection';
import type { RevisionId } from '#kernel/revision';
import type { Uuid } from '#kernel/uuid';

/** What a person decided about a row: the source as it was shown, accepted or waived. */
export interface Resolving {
  readonly edge: EdgeRef;
  /** The current revision of the source that the person saw. */
  readonly against: RevisionId;
  readonly decision: { readonly kind: 'accept' } | { readonly kind: 'waive'; readonly reason: string; readonly expires: string | null };
  /** Minted once per decision and used again by a retry, which then records nothing more. */
  readonly idem?: Uuid;
}

/**
 * What became of a decision. `moved`: the source is not at the revision that was shown, so nothing was recorded;
 * `undecidable`: it has several current versions or none; `gone`: the row is not listed any more; `blank-reason`: a
 * waiver says why.
 */
export type Resolved =
  | { readonly kind: 'resolved'; readonly entry: Uuid }
  | { readonly kind: 'moved'; readonly current: RevisionId }
  | { readonly kind: 'undecidable' }
  | { readonly kind: 'gone' }
  | { readonly kind: 'blank-reason' };

/** Records Accept latest or Waive. The caller holds the lock and has reconciled the files. */
export async function resolve(workspace: Workspace, { edge, against, decision, idem }: Resolving): Promise<Resolved> {
  const person = await personName(workspace);
  await workspace.replica.refresh();
  const { graph } = workspace.replica.reading;
  const earlier = idem === undefined ? null : entryWithIdem(graph, idem);
  if (earlier !== null) return { kind: 'resolved', entry: earlier };
  const number = findListed(workspace, edge);
  if (number === none) return { kind: 'gone' };
  const source = graph.edgeSource.at(number);
  const selection = live(graph)(source);
  if (selection.kind !== 'one') return { kind: 'undecidable' };
  const current = graph.revisionText(selection.node);
  if (current !== against) return { kind: 'moved', current };
  const isWaiver = decision.kind === 'waive';
  if (isWaiver && isBlank(decision.reason)) return { kind: 'blank-reason' };
  const sourceId = graph.objectText(source);
  const resolution: NewEntry = {
    kind: isWaiver ? 'waiver' : 'ratification',
    body: {
      edge,
      upstream_object: sourceId,
      pinned: graph.revisionText(graph.edgePinned.at(number)),
      resolved_against: current,
      actor: { type: 'human', id: person },
      reason: isWaiver ? decision.reason.trim().toWellFormed() : null,
      expires: isWaiver ? decision.expires : null,
      delegation: null,
    },
    subjects: [sourceId, graph.objectText(graph.nodeObject(graph.edgeArtifact.at(number)))],
    ...(idem === undefined ? {} : { idem }),
  };
  const anchor = isWaiver ? [] : renewedAnchor(workspace, edge, selection.node);
  return { kind: 'resolved', entry: await appendFirst(workspace, [resolution, ...anchor]) };
}

/** White space as JavaScript and as Unicode count it. */
const isBlank = (text: string) => /^[\s\u0085]*$/u.test(text);

/** Appends, with the moves of HEAD that wait for a real entry; answers the id of the first. */
async function appendFirst(workspace: Workspace, entries: readonly NewEntry[]): Promise<Uuid> {
  const ready = workspace.recorder.ready([...entries, ...ridingMoves(workspace)]);
  await workspace.recorder.append(ready);
  forgetRidden(workspace);
  return ready[0]!.id;
}

/** Accepting an edge that is narrowed to a section pins the section as it is now. */
function renewedAnchor(workspace: Workspace, edge: EdgeRef, node: number): NewEntry[] {
  const anchor = workspace.replica.reading.facts.anchors.get(edgeKey(edge))?.value;
  if (anchor === undefined || anchor.headings.length === 0) return [];
  const section = readSection(workspace, anchor.headings, node);
  if (section.kind !== 'found') return [];
  return [{ kind: 'edge-anchor', body: { edge, headings: anchor.headings, anchored_hash: section.hash }, subjects: [] }];
}

/** The number of a listed edge by its name, or `none`. */
export function findListed({ replica }: Workspace, edge: EdgeRef): number {
  const { graph } = replica.reading;
  for (const number of listedEdges(graph, live(graph))) {
    if (graph.edgeInput.at(number) === edge.input && graph.entryText(graph.edgeEntry.at(number)) === edge.txf) return number;
  }
  return none;
}

/** Who acts: git's user, else the system's; a system may have no name for who runs it. */
export async function personName(workspace: Workspace): Promise<string> {
  try {
    return (await workspace.git?.userName()) ?? userInfo().username;
  } catch {
    return 'unknown';
  }
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
 * (`spec/format.md` §5). Inputs are pinned at their current heads. The caller holds the lock.
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
  const entry: NewEntry = {
    kind: 'transformation',
    body: {
      inputs: pinned.map((input) => ({
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
      intent: { kind: 'provenance-confirmation', summary: `confirmed ${inputs.length} inputs`, prompt_hash: null },
      confidence: 'inferred',
    },
    subjects: [object],
  };
  return { kind: 'confirmed', entry: await appendFirst(workspace, [entry]) };
}

function selectionOf({ replica }: Workspace, object: Uuid): number {
  const { graph } = replica.reading;
  const number = graph.findObject(object);
  const selection = number === none ? null : live(graph)(number);
  return selection?.kind === 'one' ? selection.node : none;
}
