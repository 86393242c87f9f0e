import {
  type Actor,
  actorOf,
  type EdgeRef,
  edgeOf,
  isJson,
  type Json,
  looseId,
  looseListOf,
  type ObjectRevision,
  objectRevisionOf,
  revisionOf,
  textOf,
  uuidOf,
} from '#kernel/body-field';
import type { RevisionId } from '#kernel/revision';
import type { Uuid } from '#kernel/uuid';

/** What a model said of one edge. */
export type Verdict = 'no-contradiction' | 'contradiction' | 'unknown';

/** A passage that a verdict stands on. */
export interface Evidence {
  readonly object?: Uuid;
  readonly quote: string;
  readonly loc: string;
}

/** The model's own answer when it was not taken, and why not. */
export interface Downgrade {
  readonly verdict: string;
  readonly reason: string;
  readonly tau: number | null;
  readonly evidence: readonly Evidence[];
}

/** A check of one edge, with fields named as on disk; without `context` or `claims_fingerprint` it is history only. */
export interface CheckResult {
  readonly edge: EdgeRef;
  readonly pinned: RevisionId;
  readonly checked_against: RevisionId;
  readonly verdict: Verdict;
  readonly model: string | null;
  readonly prompt_version: string | null;
  readonly evidence: readonly Evidence[];
  readonly confidence: number | null;
  /** A text had to be cut, so the model did not see all of it. */
  readonly partial?: true;
  readonly context: string | null;
  readonly claims_fingerprint: string | null;
  readonly downgraded: Downgrade | null;
}

/** One statement of a claim; the newest entry that no other supersedes is the claim. */
export interface Claim {
  readonly claim: string;
  readonly statement: string;
  readonly valid_at: string | null;
  readonly invalid_at: string | null;
  readonly established_by: readonly ObjectRevision[];
  readonly supersedes: Uuid | null;
  readonly maturity: 'draft' | 'established';
  readonly actor: Actor | null;
}

/** The check, or why it is malformed; an optional field of another type reads as absent, but a confidence must be one. */
export function readCheckResult(raw: Json): CheckResult | string {
  const edge = edgeOf(raw.edge);
  if (edge === null) return 'the edge is not valid';
  const pinned = revisionOf(raw.pinned);
  const checked_against = revisionOf(raw.checked_against);
  if (pinned === null || checked_against === null) return 'a revision is not valid';
  const { verdict } = raw;
  if (verdict !== 'no-contradiction' && verdict !== 'contradiction' && verdict !== 'unknown') return 'the verdict is not known';
  const confidence = raw.confidence === undefined ? null : unitOf(raw.confidence);
  if (confidence === undefined) return 'the confidence is not between 0 and 1';
  const context = textOf(raw.context);
  return {
    edge,
    pinned,
    checked_against,
    verdict,
    model: textOf(raw.model),
    prompt_version: textOf(raw.prompt_version),
    evidence: looseListOf(raw.evidence, evidenceOf),
    confidence,
    ...(raw.partial === true ? { partial: true } : {}),
    context: context && looseId(context),
    claims_fingerprint: textOf(raw.claims_fingerprint),
    downgraded: downgradeOf(raw.downgraded),
  };
}

/** The check as it is written: `downgraded` always there, what else is absent left out. */
export function writeCheckResult(body: CheckResult): Json {
  const { edge, pinned, checked_against, verdict, downgraded } = body;
  return {
    edge: { txf: edge.txf, input: edge.input },
    pinned,
    checked_against,
    verdict,
    ...present('model', body.model),
    ...present('prompt_version', body.prompt_version),
    evidence: body.evidence.map(writeEvidence),
    ...present('confidence', body.confidence),
    ...(body.partial === true ? { partial: true } : {}),
    ...present('context', body.context),
    ...present('claims_fingerprint', body.claims_fingerprint),
    downgraded: downgraded && {
      verdict: downgraded.verdict,
      reason: downgraded.reason,
      ...present('tau', downgraded.tau),
      evidence: downgraded.evidence.map(writeEvidence),
    },
  };
}

/** The claim, or why it is malformed; a maturity that is not known reads as draft. */
export function readClaim(raw: Json): Claim | string {
  const claim = textOf(raw.claim);
  if (claim === null) return 'the claim has no id';
  const statement = textOf(raw.statement);
  if (statement === null) return 'the claim has no statement';
  return {
    claim: looseId(claim),
    statement,
    valid_at: textOf(raw.valid_at),
    invalid_at: textOf(raw.invalid_at),
    established_by: looseListOf(raw.established_by, objectRevisionOf),
    supersedes: uuidOf(raw.supersedes),
    maturity: raw.maturity === 'established' ? 'established' : 'draft',
    actor: actorOf(raw.actor),
  };
}

/** The claim as it is written. */
export function writeClaim(body: Claim): Json {
  const { claim, statement, valid_at, invalid_at, established_by, supersedes, maturity, actor } = body;
  return {
    claim,
    statement,
    valid_at,
    invalid_at,
    established_by: established_by.map(({ object, revision }) => ({ object, revision })),
    supersedes,
    maturity,
    ...(actor === null ? {} : { actor: { type: actor.type, id: actor.id } }),
  };
}

function evidenceOf(value: unknown): Evidence | null {
  if (!isJson(value)) return null;
  const object = uuidOf(value.object);
  const quote = textOf(value.quote);
  if (quote === null) return null;
  const loc = textOf(value.loc) ?? '';
  return object === null ? { quote, loc } : { object, quote, loc };
}

function writeEvidence({ object, quote, loc }: Evidence): Json {
  return object === undefined ? { quote, loc } : { object, quote, loc };
}

function downgradeOf(value: unknown): Downgrade | null {
  if (!isJson(value)) return null;
  const verdict = textOf(value.verdict);
  const reason = textOf(value.reason);
  if (verdict === null || reason === null) return null;
  return { verdict, reason, tau: unitOf(value.tau) ?? null, evidence: looseListOf(value.evidence, evidenceOf) };
}

/** A number from 0 to 1 (-0 is 0), else undefined. */
function unitOf(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 && value <= 1 ? value + 0 : undefined;
}

function present(name: string, value: string | number | null): Json {
  return value === null ? {} : { [name]: value };
}
