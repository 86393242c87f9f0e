import {
  type Actor,
  actorOf,
  type EdgeRef,
  edgeOf,
  isJson,
  type Json,
  looseId,
  looseListOf,
  optionalText,
  revisionOf,
  textOf,
  uuidOf,
} from '#kernel/body-field';
import type { RevisionId } from '#kernel/revision';
import type { Uuid } from '#kernel/uuid';

/**
 * A ratification or a waiver of one edge against one revision of its source, with fields named as on disk. `expires`
 * is kept as it was written: one that is no time makes a waiver inactive. `delegation` names a grant, or its entry.
 */
export interface Resolution {
  readonly edge: EdgeRef;
  readonly upstream_object: Uuid;
  readonly pinned: RevisionId;
  readonly resolved_against: RevisionId;
  readonly actor: Actor;
  readonly reason: string | null;
  readonly expires: string | null;
  readonly delegation: string | null;
}

/** A grant to an agent; an empty scope revokes it. `delegation` is the same for all entries of one grant. */
export interface Delegation {
  readonly delegation: string;
  readonly actor: Actor | null;
  readonly delegate: { readonly type: string; readonly id: string };
  readonly scope: readonly string[];
  readonly expires: string;
  readonly supersedes: Uuid | null;
}

/** The resolution, or why it is malformed; a waiver without a reason is read. */
export function readResolution(raw: Json): Resolution | string {
  const edge = edgeOf(raw.edge);
  if (edge === null) return 'the edge is not valid';
  const upstream_object = uuidOf(raw.upstream_object);
  if (upstream_object === null) return 'the source is not a UUID';
  const pinned = revisionOf(raw.pinned);
  const resolved_against = revisionOf(raw.resolved_against);
  if (pinned === null || resolved_against === null) return 'a revision is not valid';
  const actor = actorOf(raw.actor);
  if (actor === null) return 'the actor is not valid';
  const reason = optionalText(raw.reason);
  const expires = optionalText(raw.expires);
  const delegation = optionalText(raw.delegation);
  if (reason === undefined) return 'the reason is not text';
  if (expires === undefined) return 'the expiry is not text';
  if (delegation === undefined) return 'the delegation is not text';
  if (delegation === null && actor.type !== 'human') return 'an agent without a delegation';
  return { edge, upstream_object, pinned, resolved_against, actor, reason, expires, delegation: delegation && looseId(delegation) };
}

/** The resolution as it is written: an absent reason and expiry as null, an absent delegation left out. */
export function writeResolution(body: Resolution): Json {
  const { edge, upstream_object, pinned, resolved_against, actor, reason, expires, delegation } = body;
  return {
    edge: { txf: edge.txf, input: edge.input },
    upstream_object,
    pinned,
    resolved_against,
    actor: { type: actor.type, id: actor.id },
    reason,
    expires,
    ...(delegation === null ? {} : { delegation }),
  };
}

/** The grant, or why it is malformed; what is not text in its scope grants nothing. */
export function readDelegation(raw: Json): Delegation | string {
  const delegation = textOf(raw.delegation);
  if (delegation === null) return 'the grant has no id';
  const expires = textOf(raw.expires);
  if (expires === null) return 'the grant has no expiry';
  if (!isJson(raw.delegate)) return 'the delegate is not valid';
  const id = textOf(raw.delegate.id);
  if (id === null) return 'the delegate has no id';
  if (!Array.isArray(raw.scope)) return 'the scope is no list';
  return {
    delegation: looseId(delegation),
    actor: actorOf(raw.actor),
    delegate: { type: textOf(raw.delegate.type) ?? 'external', id },
    scope: looseListOf(raw.scope, textOf),
    expires,
    supersedes: uuidOf(raw.supersedes),
  };
}

/** The grant as it is written. */
export function writeDelegation(body: Delegation): Json {
  const { delegation, actor, delegate, scope, expires, supersedes } = body;
  return {
    delegation,
    ...(actor === null ? {} : { actor: { type: actor.type, id: actor.id } }),
    delegate: { type: delegate.type, id: delegate.id },
    scope,
    expires,
    supersedes,
  };
}
