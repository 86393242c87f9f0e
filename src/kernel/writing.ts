import { uncheckedReasons } from '#kernel/anchor';
import { type Bodies, type KnownKind, readBody, writeBody } from '#kernel/body';
import type { Delegation, Resolution } from '#kernel/body-act';
import type { CodeAnchor, CodeAnchorConfirmation, CodeAnchorObservation, CodeAnchorRetirement, CodePin } from '#kernel/body-anchor';
import type { CheckResult, Claim } from '#kernel/body-check';
import type { EdgeAnchor } from '#kernel/body-edge';
import { type EdgeRef, fits } from '#kernel/body-field';
import type { Diagnostic, Navigation, ObjectRegistered } from '#kernel/body-object';
import type { Transformation } from '#kernel/body-transformation';
import type { Digest } from '#kernel/digest';
import { parseInstant } from '#kernel/instant';
import { parseContentHash, type RevisionId, revisionId } from '#kernel/revision';
import { parseUuid, type Uuid, uuidFromHex } from '#kernel/uuid';

/** The most inputs that one transformation may record. */
export const inputsCap = 512;
/** The most bytes that an intent's kind and summary may take together. */
export const intentCap = 8192;
/** The most bytes that an agent's id may take. */
export const agentIdCap = 8192;
/** What a grant may allow. */
export const grantScopes = ['resolve.accept-newer', 'resolve.waive'] as const;

const navigationOps = ['checkout', 'branch-switch', 'reset', 'detach', 'worktree-switch'];
const downgradeReasons = ['below-tau', 'contradiction-without-evidence'];

/** A reason to refuse, or null. */
type Rule<B> = (body: B, digest: Digest) => string | null;

const rules: { readonly [K in KnownKind]?: Rule<Bodies[K]> } = {
  transformation: refuseTransformation,
  navigation: refuseNavigation,
  ratification: (body) => refuseResolution(body) ?? (body.expires === null ? null : 'a ratification does not expire'),
  waiver: (body) => refuseResolution(body) ?? refuseWaiver(body),
  'check-result': refuseCheckResult,
  claim: refuseClaim,
  'object-registered': refuseObjectRegistered,
  delegation: refuseDelegation,
  diagnostic: refuseDiagnostic,
  'edge-anchor': refuseEdgeAnchor,
  'code-anchor': refuseCodeAnchor,
  'code-anchor-confirmation': refuseCodeAnchorConfirmation,
  'code-anchor-observation': refuseCodeAnchorObservation,
  'code-anchor-retirement': refuseCodeAnchorRetirement,
  'document-pair': ({ technical, human }) => (technical === human ? 'a document cannot be its own pair' : null),
};

/**
 * Why we must not write this body (a short phrase), or null when we may. It is stricter than reading: all that we write
 * reads back, whole, here and in VMark. What needs the ledger or a clock is asked elsewhere: whether an edge, an
 * object or a grant exists, and whether an expiry is still to come.
 */
export function checkBody<K extends KnownKind>(kind: K, body: Bodies[K], digest: Digest): string | null {
  const written = writeBody(kind, body);
  // VMark's parser refuses the escapes that half a surrogate pair is written as.
  if (!everyText(written, (text) => text.isWellFormed())) return 'a text is not well-formed Unicode';
  const read = readBody(kind, written, digest);
  if (typeof read === 'string') return read;
  return rules[kind]?.(body, digest) ?? null;
}

/** The idem of an entry that a scan makes: the UUID of the SHA-256 of the JSON list `[kind, object, revision]`. */
export function scanIdem(digest: Digest, kind: string, object: Uuid, revision: RevisionId): Uuid {
  return derivedIdem(digest, [kind, object, revision]);
}

/**
 * The idem of a registration that a scan makes: the UUID of the SHA-256 of the JSON list
 * `["object-registered", object, path, follows]`, where `follows` is the id of the object's registration before, or null.
 */
export function registrationIdem(digest: Digest, object: Uuid, path: string, follows: Uuid | null): Uuid {
  return derivedIdem(digest, ['object-registered', object, path, follows]);
}

/** The idem of a diagnostic: the UUID of the SHA-256 of the JSON list `["diagnostic", code, path]`, path or null. */
export function diagnosticIdem(digest: Digest, code: string, path: string | null): Uuid {
  return derivedIdem(digest, ['diagnostic', code, path]);
}

/** The idem of an anchor that a new version carries: the UUID of the SHA-256 of the JSON list `["edge-anchor", txf, input]`, the input as text. */
export function carriedIdem(digest: Digest, { txf, input }: EdgeRef): Uuid {
  return derivedIdem(digest, ['edge-anchor', txf, String(input)]);
}

/** The idem of the anchor that an acceptance renews: the UUID of the SHA-256 of the JSON list `["edge-anchor", idem]`, that of the acceptance. */
export function renewedIdem(digest: Digest, idem: Uuid): Uuid {
  return derivedIdem(digest, ['edge-anchor', idem]);
}

/**
 * The idem of an observation: the UUID of the SHA-256 of the JSON list `["code-anchor-observation", anchor, baseline,
 * state, reason, file, moved_to, renamed_to, actual_hash, follows]`, where `follows` is the id of the observation before, or null.
 */
export function observationIdem(digest: Digest, body: CodeAnchorObservation, follows: string | null): Uuid {
  const { anchor, baseline, state, reason, file, moved_to, renamed_to, actual_hash } = body;
  const fields = [anchor, baseline, state, reason, file, moved_to, renamed_to, actual_hash, follows];
  return derivedIdem(digest, ['code-anchor-observation', ...fields]);
}

/** JSON quotes every field, so that no two lists have one text. */
function derivedIdem(digest: Digest, fields: readonly (string | null)[]): Uuid {
  return uuidFromHex(digest.sha256(JSON.stringify(fields)));
}

function refuseTransformation(body: Transformation, digest: Digest): string | null {
  const { inputs, outputs, agent, intent, confidence } = body;
  if (inputs.length > inputsCap) return 'there are too many inputs';
  if (!fits(intent.kind + intent.summary, intentCap, digest)) return 'the intent is too long';
  if (agent.id !== null && !fits(agent.id, agentIdCap, digest)) return "the agent's id is too long";
  if (outputs.some((output) => output.revision !== revisionId(digest, output.content_hash, output.parents))) {
    return 'a revision is not that of its content and parents';
  }
  if (confidence === 'unknown' && !(isSeen(body) && inputs.length === 0)) return 'only a scan may not know the inputs';
  return intent.kind === 'provenance-confirmation' ? refuseConfirmation(body) : null;
}

function isSeen({ agent }: Transformation): boolean {
  return agent.type === 'external' || agent.type === 'git';
}

function refuseConfirmation({ inputs, outputs, agent, confidence }: Transformation): string | null {
  if (agent.type !== 'human' || confidence !== 'inferred') return 'only a person confirms provenance, as inferred';
  if (outputs.length !== 1) return 'a confirmation is of one document';
  if (inputs.length === 0) return 'a confirmation without inputs';
  return inputs.some(({ object }) => object === outputs[0]?.object) ? 'a document cannot rest on itself' : null;
}

function refuseNavigation({ git }: Navigation): string | null {
  return navigationOps.includes(git.op) ? null : 'the git move is not known';
}

function refuseResolution({ actor, delegation }: Resolution): string | null {
  if (isBlank(actor.id)) return 'the actor has no name';
  if (actor.type === 'human') return delegation === null ? null : 'a person needs no delegation';
  return parseUuid(delegation ?? '') === null ? 'the delegation is not the id of a grant' : null;
}

function refuseWaiver({ reason, expires }: Resolution): string | null {
  if (reason === null || isBlank(reason)) return 'a waiver needs a reason';
  return expires === null || parseInstant(expires) !== null ? null : 'the expiry is not RFC 3339';
}

function refuseCheckResult(body: CheckResult): string | null {
  const { verdict, evidence, downgraded, context, claims_fingerprint } = body;
  if (body.model === null || body.prompt_version === null || body.confidence === null) return 'the check does not say how it was made';
  if (parseUuid(context ?? '') === null) return 'the check has no context';
  if (parseContentHash(claims_fingerprint ?? '') === null) return 'the check has no claims fingerprint';
  if (verdict === 'contradiction' && evidence.length === 0) return 'a contradiction needs evidence';
  if (downgraded === null) return null;
  if (verdict !== 'unknown' || evidence.length > 0) return 'a downgraded check says nothing itself';
  const isAnswer = downgraded.verdict === 'contradiction' || downgraded.verdict === 'no-contradiction';
  return isAnswer && downgradeReasons.includes(downgraded.reason) && downgraded.tau !== null ? null : 'the downgrade is not valid';
}

function refuseClaim({ claim, statement, actor }: Claim): string | null {
  if (parseUuid(claim) === null) return 'the claim is not a UUID';
  if (isBlank(statement)) return 'the claim says nothing';
  return refuseGiver(actor);
}

function refuseObjectRegistered({ path }: ObjectRegistered): string | null {
  const isInside = path !== '' && !path.startsWith('/') && !path.includes('\0') && !path.split('/').includes('..');
  return isInside ? null : 'the path is not within the workspace';
}

function refuseDelegation({ delegation, actor, delegate, scope, expires, supersedes }: Delegation): string | null {
  if (parseUuid(delegation) === null) return 'the grant is not a UUID';
  if (delegate.type !== 'external' || isBlank(delegate.id)) return 'the delegate has no name';
  if (scope.some((word) => !grantScopes.some((known) => known === word))) return 'the scope is not known';
  if (scope.length === 0 && supersedes === null) return 'a revocation needs the entry that it revokes';
  if (parseInstant(expires) === null) return 'the expiry is not RFC 3339';
  return refuseGiver(actor);
}

function refuseGiver(actor: Claim['actor']): string | null {
  return actor?.type === 'human' && !isBlank(actor.id) ? null : 'only a person, with a name, may say this';
}

function refuseDiagnostic({ code, message }: Diagnostic): string | null {
  return isBlank(code) || isBlank(message) ? 'the diagnostic says nothing' : null;
}

function refuseEdgeAnchor({ headings, anchored_hash, carried_from }: EdgeAnchor): string | null {
  if (headings.some(isBlank)) return 'a heading is blank';
  if (headings.length === 0 && carried_from !== undefined) return 'a cleared anchor is not carried';
  return headings.length === 0 && anchored_hash !== null ? 'a cleared anchor has no hash' : null;
}

function refuseCodeAnchor(body: CodeAnchor): string | null {
  if (body.section.some(isBlank)) return 'a heading is blank';
  return isBlank(body.actor.id) ? 'the actor has no name' : refusePin(body);
}

function refuseCodeAnchorConfirmation(body: CodeAnchorConfirmation): string | null {
  if (body.hash_seen !== body.hashes.token) return 'what was seen is not what is confirmed';
  return isBlank(body.actor.id) ? 'the actor has no name' : refusePin(body);
}

function refusePin({ file_hint, fallback, occurrence }: CodePin): string | null {
  const isInside = !file_hint.startsWith('/') && !/[\0\r\n]/u.test(file_hint) && !file_hint.split('/').includes('..');
  if (!isInside) return 'the path is not within the repository';
  return fallback === (occurrence !== null) ? null : 'only a range says which of several it is';
}

function refuseCodeAnchorObservation({ reason }: CodeAnchorObservation): string | null {
  return uncheckedReasons.some((unchecked) => unchecked === reason) ? 'what was not checked was not seen' : null;
}

function refuseCodeAnchorRetirement({ state, reason, actor }: CodeAnchorRetirement): string | null {
  if (actor.type !== 'human' || isBlank(actor.id)) return 'only a person, with a name, may say this';
  return state === 'retired' && isBlank(reason) ? 'a retirement needs a reason' : null;
}

/** Nothing but white space, of Unicode or of JavaScript. */
function isBlank(text: string): boolean {
  return /^[\s\u0085]*$/.test(text);
}

function everyText(value: unknown, holds: (text: string) => boolean): boolean {
  if (typeof value === 'string') return holds(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.values(value).every((part) => everyText(part, holds));
}
