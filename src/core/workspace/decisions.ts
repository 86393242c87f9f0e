import { listClaims } from '#core/workspace/claims';
import { coherenceLog, type LogRequest } from '#core/workspace/coherence-log';
import { confirmationLog } from '#core/workspace/confirmation-log';
import { contextEntries } from '#core/workspace/context';
import {
  type ContextChange,
  type ContextChanged,
  type ContextMade,
  type ContextRemoved,
  changeContext,
  makeContext,
  type NewContext,
  removeContext,
} from '#core/workspace/context-act';
import { type Granted, type Granting, giveGrant, listGrants, type Revoked, revokeGrant } from '#core/workspace/grant';
import { type Judged, type Judging, judge } from '#core/workspace/judgment';
import { type Finished, type Finishing, finish } from '#core/workspace/lifecycle';
import { edgeSections, type Narrowed, type Narrowing, narrow } from '#core/workspace/narrowing';
import { originsOf } from '#core/workspace/origin';
import {
  type Confirmed,
  type Confirming,
  confirmProvenance,
  type DelegatedResolving,
  type Resolved,
  type Resolving,
  resolve,
  resolveDelegated,
} from '#core/workspace/resolve';
import { type Touching, touched } from '#core/workspace/touch';
import type { Workspace } from '#core/workspace/workspace';
import type { EdgeRef } from '#kernel/body-field';
import type { Uuid } from '#kernel/uuid';
import type { Outputs } from '#protocol';
import type { DocumentOrigin, EdgeSections, TouchedDocuments } from '#protocol/breakdown-calls';
import type { ConfirmationOutputs } from '#protocol/confirmation-calls';
import type { ClaimEntry, ContextEntries, GrantEntry } from '#protocol/context-entry';

/** What a person decides about edges, documents, contexts and agents, and what was decided. Contexts are named by name or id. */
export interface Decisions {
  resolve(request: Resolving): Promise<Resolved>;
  /** A decision of an agent, under a person's grant; for servers that know who their clients are. */
  resolveDelegated(request: DelegatedResolving): Promise<Resolved | { readonly kind: 'not-delegated' }>;
  confirmProvenance(request: Confirming): Promise<Confirmed>;
  judge(request: Judging): Promise<Judged>;
  finish(request: Finishing): Promise<Finished>;
  narrow(request: Narrowing): Promise<Narrowed>;
  edgeSections(edge: EdgeRef, context?: string): Promise<EdgeSections>;
  contexts(): Promise<ContextEntries>;
  makeContext(request: NewContext): Promise<ContextMade>;
  changeContext(request: ContextChange): Promise<ContextChanged>;
  removeContext(context: string): Promise<ContextRemoved>;
  grants(): Promise<GrantEntry[]>;
  giveGrant(request: Granting): Promise<Granted>;
  revokeGrant(request: { grant: string; idem?: Uuid }): Promise<Revoked>;
  claims(context?: string): Promise<ClaimEntry[]>;
  coherenceLog(request: LogRequest): Promise<Outputs['coherence-log']>;
  /** Confirmations of code anchors and pairs. */
  confirmationLog(request: LogRequest): Promise<ConfirmationOutputs['coherence/confirmations']>;
  /** What rests on a document, near ones first. */
  touched(request: Touching): Promise<TouchedDocuments>;
  /** How the current versions of these documents came to be, in their order. */
  origins(objects: readonly string[], context?: string): Promise<(DocumentOrigin | null)[]>;
}

/** How decisions reach what they share with the rest of a core. */
export interface DecisionParts {
  /** Runs under the lock. */
  change<T>(work: () => Promise<T>): Promise<T>;
  /** Takes in what the ledger has, where there is one. */
  refresh(): Promise<void>;
}

/** The decisions of a workspace. */
export function decisions(workspace: Workspace, { change, refresh }: DecisionParts): Decisions {
  const fresh = async <T>(read: () => T): Promise<T> => {
    await refresh();
    return read();
  };
  const changeFresh = <T>(work: () => T) =>
    change(async () => {
      await workspace.replica.refresh();
      return work();
    });
  return {
    resolve: (request) => change(() => resolve(workspace, request)),
    resolveDelegated: (request) => change(() => resolveDelegated(workspace, request)),
    confirmProvenance: (request) => change(() => confirmProvenance(workspace, request)),
    judge: (request) => change(() => judge(workspace, request)),
    finish: (request) => change(() => finish(workspace, request)),
    narrow: (request) => change(() => narrow(workspace, request)),
    edgeSections: (edge, context) => fresh(() => edgeSections(workspace, edge, { context })),
    contexts: () => fresh(() => contextEntries(workspace)),
    makeContext: (request) => changeFresh(() => makeContext(workspace, request)),
    changeContext: (request) => changeFresh(() => changeContext(workspace, request)),
    removeContext: (context) => changeFresh(() => removeContext(workspace, context)),
    grants: () => fresh(() => listGrants(workspace)),
    giveGrant: (request) => change(() => giveGrant(workspace, request)),
    revokeGrant: (request) => change(() => revokeGrant(workspace, request)),
    claims: (context) => fresh(() => listClaims(workspace, context)),
    touched: (request) => fresh(() => touched(workspace, request)),
    origins: (objects, context) => fresh(() => originsOf(workspace, objects, { context })),
    async coherenceLog(request) {
      await refresh();
      return coherenceLog(workspace, request);
    },
    async confirmationLog(request) {
      await refresh();
      return confirmationLog(workspace, request);
    },
  };
}
