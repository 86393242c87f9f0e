import {
  type AnchorReason,
  type Baseline,
  type Candidate,
  candidateOf,
  type Found,
  identityKey,
  likeness,
  suggestedLikeness,
  type Twin,
  type UncheckedReason,
  unrelatedLikeness,
  type Verdict,
} from '#kernel/anchor';
import type { CodeIndex, ReadFile } from '#kernel/anchor-index';
import { familyOf, MIN_BODY_TOKENS, similarity } from '#kernel/declaration';

/** What the hinted file is; only `absent` may lead to `lost` for want of a file. */
export type HintedFile = 'read' | 'absent' | 'unreadable' | 'too_large' | 'budget';

/** The code as a check sees it. */
export interface CodeView {
  readonly index: CodeIndex;
  readonly hinted: HintedFile;
  /** Why not all other files that may hold the declaration were read, or null. Then only the hinted file answers. */
  readonly unseen: UncheckedReason | null;
}

/** Where a declaration is now (code-anchors §2). The same baseline and code give the same answer, in whatever order files were read. */
export function resolveDeclaration(baseline: Baseline, view: CodeView): Verdict {
  const { hinted } = view;
  if (hinted !== 'read' && hinted !== 'absent') return { state: 'unchecked', reason: hinted };
  const file = view.index.file(baseline.file);
  return (file === null ? null : inFile(baseline, file)) ?? elsewhere(baseline, view);
}

/** What the hinted file alone says, or null if it does not hold the declaration. */
export function inFile(baseline: Baseline, file: ReadFile): Verdict | null {
  if (baseline.hashes(file.parsed.language) === null) return { state: 'unchecked', reason: 'unreadable' };
  const own = file.parsed.declarations.map((declaration) => ({ file: file.path, declaration }));
  const found = sameIdentity(baseline, own, file.parsed.parseErrors > 0);
  if (found !== null) return found;
  // What is gone may stand in the part that could not be read.
  return file.parsed.parseErrors > 0 ? { state: 'unchecked', reason: 'parse_error' } : sameName(baseline, own);
}

function sameIdentity(baseline: Baseline, own: readonly Found[], isHalfRead: boolean): Verdict | null {
  const key = identityKey(baseline.language, baseline.kind, baseline.plainName);
  const alike = own.filter(({ declaration: { language, kind, plainName } }) => identityKey(language, kind, plainName) === key);
  const chosen = chooseOverload(baseline, alike);
  if (chosen === undefined) return null;
  if (chosen.declaration.damaged) return { state: 'unchecked', reason: 'parse_error' };
  return inPlace(baseline, chosen, isHalfRead);
}

/** Of overloads that only types or their order tell apart: the same in name, unless only another says the same. */
function chooseOverload(baseline: Baseline, alike: readonly Found[]): Found | undefined {
  const named = alike.find(({ declaration }) => declaration.qualifiedName === baseline.qualifiedName);
  if (named !== undefined && (named.declaration.damaged || compare(baseline, named).token)) return named;
  const healthy = alike.filter((found) => !found.declaration.damaged && !isTwinBeside(baseline, found));
  const same = healthy.filter((found) => compare(baseline, found).token);
  if (same.length === 1) return same[0];
  if (named !== undefined) return named;
  return (
    healthy.find((found) => compare(baseline, found).body) ??
    healthy.find((found) => compare(baseline, found).shape) ??
    healthy[0] ??
    alike.find(({ declaration }) => declaration.damaged)
  );
}

/** An overload that stood beside the baseline, as it was then. */
function isTwinBeside(baseline: Baseline, found: Found): boolean {
  if (!baseline.comparable || compare(baseline, found).token) return false;
  return baseline.twins.some((twin) => twin.file === found.file && twin.token_hash === found.declaration.tokenHash);
}

function inPlace(baseline: Baseline, target: Found, isHalfRead: boolean): Verdict {
  const { token, body, shape } = compare(baseline, target);
  if (token) return answer(baseline, 'fresh', 'identity_matched', target);
  // What the damage cut off, and the statement in it that exports this, may be whole again in a moment.
  const isHidden = isHalfRead && body && shape;
  if (target.declaration.besideDamage || isHidden) return { state: 'unchecked', reason: 'parse_error' };
  return answer(baseline, 'stale', !body ? 'body_changed' : !shape ? 'signature_changed' : 'visibility_changed', target);
}

/** Between stage 1 and 2: in the same container the same name of another kind, or the same base name called otherwise. */
function sameName(baseline: Baseline, own: readonly Found[]): Verdict | null {
  const { kind, container, baseName, plainName, names } = baseline;
  const isNew = ({ declaration }: Found) => !names.includes(`${declaration.kind} ${declaration.plainName}`);
  const beside = own.filter((found) => found.declaration.container === container && !found.declaration.damaged && isNew(found));
  const otherKind = beside.filter(({ declaration }) => declaration.plainName === plainName && declaration.kind !== kind);
  const changed = soleOf(baseline, otherKind);
  if (changed !== null) return answer(baseline, 'stale', 'kind_changed', changed);
  const called = beside.filter(({ declaration }) => declaration.baseName === baseName && declaration.kind === kind);
  const sole = soleOf(baseline, called);
  if (sole === null) return null;
  return hasSameBody(baseline, sole)
    ? answer(baseline, 'moved-renamed', 'renamed', sole)
    : answer(baseline, 'stale', 'signature_changed', sole);
}

/** The only one, or of several the only one with the same body. */
function soleOf(baseline: Baseline, found: readonly Found[]): Found | null {
  if (found.length <= 1) return found[0] ?? null;
  const same = found.filter((one) => hasSameBody(baseline, one));
  return same.length === 1 ? same[0]! : null;
}

function elsewhere(baseline: Baseline, view: CodeView): Verdict {
  if (view.unseen !== null) return { state: 'unchecked', reason: view.unseen };
  return moved(baseline, view) ?? renamed(baseline, view) ?? alike(baseline, view);
}

/** Stage 2: the same identity in another file. */
function moved(baseline: Baseline, { index }: CodeView): Verdict | null {
  const all = index.withIdentity(identityKey(baseline.language, baseline.kind, baseline.plainName));
  const others = all.filter(({ file }) => file !== baseline.file);
  const candidates = newOnes(baseline, index, others, 'identity').filter((found) => isRelated(baseline, found));
  if (candidates.length === 0) return null;
  const chosen = choose(baseline, index, candidates, 'identity');
  if (chosen === null) return ambiguous(candidates);
  if (chosen.declaration.damaged) return { state: 'unchecked', reason: 'parse_error' };
  return answer(baseline, 'moved-renamed', 'moved', chosen);
}

/** A changed body of the same name must still be like the old one, where both are long enough to tell. */
function isRelated(baseline: Baseline, found: Found): boolean {
  if (found.declaration.damaged || compare(baseline, found).body) return true;
  const like = likenessOf(baseline, found);
  return like === null || like >= unrelatedLikeness;
}

/** Stages 3 and 4: the same body under another name, first in the same container, then anywhere. */
function renamed(baseline: Baseline, { index }: CodeView): Verdict | null {
  if (baseline.bodyTokens < MIN_BODY_TOKENS) return null;
  const bodies = new Set(languagesOf(baseline).flatMap((language) => baseline.hashes(language)?.body ?? []));
  const same = [...bodies].flatMap((body) => index.withBody(familyOf(baseline.language), body));
  const eligible = same.filter((found) => hasSameBody(baseline, found));
  const candidates = newOnes(baseline, index, eligible, 'body');
  const beside = candidates.filter(({ file, declaration }) => file === baseline.file && declaration.container === baseline.container);
  const stage = beside.length > 0 ? beside : candidates;
  if (stage.length === 0) return null;
  const chosen = choose(baseline, index, stage, 'body');
  return chosen === null ? ambiguous(stage) : answer(baseline, 'moved-renamed', reasonOf(baseline, chosen), chosen);
}

/** After stage 4: one new declaration of the same kind that is clearly the most like; else nothing, with what is a little like it. */
function alike(baseline: Baseline, { index, hinted }: CodeView): Verdict {
  const near = nearOnes(baseline, index);
  const [best, next] = near;
  const isAhead = best !== undefined && best.like >= likeness.least && best.like - (next?.like ?? 0) >= likeness.ahead;
  if (isAhead && !mayBeTwin(baseline, index, best.like)) {
    return answer(baseline, 'moved-renamed', reasonOf(baseline, best.found), best.found);
  }
  const candidates = near.slice(0, suggestions).map(({ found, like }) => candidateOf(found, like));
  const isTied = best !== undefined && best.like >= likeness.least;
  const reason = isTied ? 'ambiguous' : hinted === 'absent' ? 'file_missing' : 'declaration_missing';
  return { state: 'lost', reason, candidates };
}

const suggestions = 5;

/** Declarations of the same kind whose bodies are a little like the baseline's, the most like first; without its twins and itself. */
export function nearOnes(baseline: Baseline, index: CodeIndex): { readonly found: Found; readonly like: number }[] {
  const { trigrams, bodyTokens, language, kind, twins } = baseline;
  if (trigrams === null || bodyTokens < MIN_BODY_TOKENS) return [];
  const places = new Set(twins.map(placeOf));
  return index
    .ofKind(familyOf(language), kind)
    .filter((found) => !places.has(placeOfFound(found)) && !isBaseline(baseline, found))
    .map((found) => ({ found, like: likenessOf(baseline, found) ?? 0 }))
    .filter(({ like }) => like >= suggestedLikeness)
    .sort((a, b) => b.like - a.like);
}

/** Whether a twin that was about as like the baseline has left its place: what is like the baseline now may be that one. */
function mayBeTwin({ twins }: Baseline, index: CodeIndex, like: number): boolean {
  return twins.some((twin) => twin.similarity > like - likeness.ahead && !stands(twin, index));
}

function likenessOf({ trigrams, bodyTokens }: Baseline, { declaration }: Found): number | null {
  const other = declaration.trigrams;
  if (trigrams === null || other === undefined) return null;
  if (bodyTokens < MIN_BODY_TOKENS || declaration.bodyTokens < MIN_BODY_TOKENS) return null;
  // Dice cannot be more than this, so most need no comparing.
  const [small, large] = trigrams.length < other.length ? [trigrams.length, other.length] : [other.length, trigrams.length];
  if ((2 * small) / (small + large) < unrelatedLikeness) return 0;
  return similarity(trigrams, other);
}

/** Which twins a stage may mistake for a successor: those of the same identity, or those of the same body. */
type Match = 'identity' | 'body';

const rivals = ({ twins }: Baseline, match: Match) =>
  twins.filter((twin) => (match === 'identity' ? twin.match === 'identity' : twin.match !== 'near' && twin.similarity === 1));

/**
 * Those that may be a successor: new since the baseline. A twin that left its place takes along what is its own by its
 * hash; what it might be is left to `choose`.
 */
function newOnes(baseline: Baseline, index: CodeIndex, found: readonly Found[], match: Match): Found[] {
  const places = new Set(baseline.twins.map(placeOf));
  const fresh = found.filter((one) => !places.has(placeOfFound(one)) && !isBaseline(baseline, one));
  const major = fresh.filter((one) => !index.isMinor(one.file));
  const left = major.length > 0 ? major : fresh;
  if (!baseline.comparable) return left;
  const gone = rivals(baseline, match).filter((twin) => !stands(twin, index));
  const hashes = gone.map((twin) => twin.token_hash);
  return left.filter((one) => compare(baseline, one).token || !hashes.includes(one.declaration.tokenHash));
}

function isBaseline({ file, kind, plainName }: Baseline, found: Found): boolean {
  return found.file === file && found.declaration.kind === kind && found.declaration.plainName === plainName;
}

/** The one that is better than all others: equal wholly, then equal in body, then of the same kind. Null: several are as good. */
function choose(baseline: Baseline, index: CodeIndex, candidates: readonly Found[], match: 'identity' | 'body'): Found | null {
  const gone = baseline.twins.filter(
    (twin) => (match === 'identity' ? twin.match === match : twin.match !== 'near') && !stands(twin, index),
  );
  const rank = (found: Found) => {
    const { token, body } = compare(baseline, found);
    return (token ? 4 : 0) + (body ? 2 : 0) + (found.declaration.kind === baseline.kind ? 1 : 0);
  };
  const best = Math.max(...candidates.map(rank));
  const finest = candidates.filter((found) => rank(found) === best);
  if (finest.length > 1) return null;
  const [chosen] = finest;
  // A twin that left its place without a trace may be this one, unless it said something else.
  const couldBe = gone.some(
    (twin) => !isClaimed(baseline, index, twin, candidates) && !(compare(baseline, chosen!).token && differs(baseline, twin)),
  );
  return couldBe ? null : chosen!;
}

function differs(baseline: Baseline, twin: Twin): boolean {
  return baseline.comparable && languagesOf(baseline).every((language) => baseline.hashes(language)?.token !== twin.token_hash);
}

/** Whether a twin that left its place is seen somewhere else, as itself. */
function isClaimed(baseline: Baseline, index: CodeIndex, twin: Twin, candidates: readonly Found[]): boolean {
  if (!differs(baseline, twin)) return false;
  const family = familyOf(baseline.language);
  const bodies = languagesOf(baseline).flatMap((language) => baseline.hashes(language)?.body ?? []);
  const seen = [
    ...index.withIdentity(identityKey(baseline.language, twin.kind, twin.name)),
    ...bodies.flatMap((body) => index.withBody(family, body)),
  ];
  return seen.some((found) => found.declaration.tokenHash === twin.token_hash && !candidates.includes(found));
}

const placeOf = ({ file, kind, name }: Twin) => `${file}\n${kind}\n${name}`;
const placeOfFound = ({ file, declaration }: Found) => `${file}\n${declaration.kind}\n${declaration.plainName}`;

function stands({ file, kind, name }: Twin, index: CodeIndex): boolean {
  const declarations = index.file(file)?.parsed.declarations ?? [];
  return declarations.some((declaration) => declaration.kind === kind && declaration.plainName === name);
}

function reasonOf(baseline: Baseline, { file, declaration }: Found): AnchorReason {
  if (declaration.plainName === baseline.plainName) return 'moved';
  return file === baseline.file && declaration.container === baseline.container ? 'renamed' : 'moved_and_renamed';
}

/** More than these nobody looks through. */
const mostCandidates = 20;

function ambiguous(found: readonly Found[]): Verdict {
  const candidates: Candidate[] = found.slice(0, mostCandidates).map((one) => candidateOf(one));
  return { state: 'lost', reason: 'ambiguous', candidates };
}

function languagesOf({ language }: Baseline): readonly Baseline['language'][] {
  return familyOf(language) === 'ecmascript' ? ['typescript', 'tsx', 'javascript'] : [language];
}

function hasSameBody(baseline: Baseline, found: Found): boolean {
  const long = baseline.bodyTokens >= MIN_BODY_TOKENS && found.declaration.bodyTokens >= MIN_BODY_TOKENS;
  return long && compare(baseline, found).body;
}

function compare(baseline: Baseline, { declaration }: Found): { token: boolean; body: boolean; shape: boolean } {
  const hashes = baseline.hashes(declaration.language);
  return {
    token: hashes?.token === declaration.tokenHash,
    body: hashes?.body === declaration.bodyHash,
    shape: hashes?.shape === declaration.shapeHash,
  };
}

function answer(baseline: Baseline, state: 'fresh' | 'stale' | 'moved-renamed', reason: AnchorReason, target: Found): Verdict {
  const expected = baseline.hashes(target.declaration.language);
  if (expected === null) return { state: 'unchecked', reason: 'unreadable' };
  const { bodyHash, signatureHash } = target.declaration;
  const flags = { bodyChanged: expected.body !== bodyHash, signatureChanged: expected.signature !== signatureHash };
  return { state, reason, target, expected, ...flags };
}
