import fc from 'fast-check';
import { digest } from '#core/digest';
import { anchorStates } from '#kernel/anchor';
import { type Bodies, type KnownKind, knownKinds, writeBody } from '#kernel/body';
import type { CodePin } from '#kernel/body-anchor';
import type { Input, Output, Transformation } from '#kernel/body-transformation';
import { agentTypes, confidences, edgeKinds } from '#kernel/body-transformation';
import { type Draft, type Entry, parseUnknownKind, type UnknownEntry } from '#kernel/entry';
import { formatInstant } from '#kernel/instant';
import { type ContentHash, type RevisionId, revisionId } from '#kernel/revision';
import type { Uuid } from '#kernel/uuid';

const hexes = (length: number) => fc.stringMatching(new RegExp(`^[0-9a-f]{${length}}$`));
const nullable = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });

/** Any UUID in its written form. */
export const arbitraryUuid = (): fc.Arbitrary<Uuid> =>
  hexes(32).map((hex) => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') as Uuid);
/** Any content hash. */
const arbitraryHash = (): fc.Arbitrary<ContentHash> => hexes(64).map((hex) => `sha256:${hex}` as ContentHash);
/** Any revision id; of nothing that exists. */
export const arbitraryRevision = (): fc.Arbitrary<RevisionId> => hexes(64).map((hex) => `rev1:${hex}` as RevisionId);
/** Well-formed text with all that JSON has to escape. */
export const arbitraryText = (): fc.Arbitrary<string> => fc.string({ unit: 'binary', maxLength: 40 });
/** Text that says something. */
const arbitraryWords = (): fc.Arbitrary<string> => arbitraryText().map((text) => `a${text}`);
/** An instant of the years that a ledger may see, as it is written. */
export const arbitraryTime = (): fc.Arbitrary<string> => fc.integer({ min: 0, max: 4_102_444_800_000 }).map(formatInstant);

const edge = () => fc.record({ txf: arbitraryUuid(), input: fc.nat(0xffff_ffff) });
const human = () => fc.record({ type: fc.constant('human' as const), id: arbitraryWords() });
const objectRevision = () => fc.record({ object: arbitraryUuid(), revision: arbitraryRevision() });

/** An input of any kind and role. */
export const arbitraryInput = (): fc.Arbitrary<Input> =>
  fc.record({
    object: arbitraryUuid(),
    revision: arbitraryRevision(),
    role: fc.constantFrom('direct' as const, 'contextual' as const),
    kind: fc.constantFrom(...edgeKinds),
  });

/** An output whose revision id is that of its content and parents. */
export const arbitraryOutput = (): fc.Arbitrary<Output> =>
  fc
    .record({ object: arbitraryUuid(), content_hash: arbitraryHash(), parents: fc.array(arbitraryRevision(), { maxLength: 3 }) })
    .map(({ object, content_hash, parents }) => ({
      object,
      revision: revisionId(digest, content_hash, parents),
      content_hash,
      parents,
    }));

const transformation = (): fc.Arbitrary<Transformation> =>
  fc
    .record({
      inputs: fc.array(arbitraryInput(), { maxLength: 4 }),
      outputs: fc.array(arbitraryOutput(), { minLength: 1, maxLength: 2 }),
      agent: fc.record({ type: fc.constantFrom(...agentTypes), id: nullable(arbitraryText()) }),
      intent: fc.record({ kind: arbitraryText(), summary: arbitraryText(), prompt_hash: nullable(arbitraryHash()) }),
      confidence: fc.constantFrom(...confidences),
    })
    .map((body) => {
      const isSeen = body.confidence === 'unknown';
      return isSeen ? { ...body, inputs: [], agent: { type: 'external', id: null } } : body;
    });

const resolution = () =>
  fc
    .record({
      edge: edge(),
      upstream_object: arbitraryUuid(),
      pinned: arbitraryRevision(),
      resolved_against: arbitraryRevision(),
      actor: fc.record({ type: fc.constantFrom('human' as const, 'agent' as const), id: arbitraryWords() }),
      reason: arbitraryWords(),
      expires: nullable(arbitraryTime()),
      grant: arbitraryUuid(),
    })
    .map(({ grant, ...body }) => ({ ...body, delegation: body.actor.type === 'human' ? null : grant }));

const evidence = () =>
  fc
    .record({ object: nullable(arbitraryUuid()), quote: arbitraryText(), loc: arbitraryText() })
    .map(({ object, ...found }) => (object === null ? found : { object, ...found }));
const unit = () => fc.double({ min: 0, max: 1, noNaN: true }).map((value) => value + 0);
const answer = () => fc.constantFrom('no-contradiction' as const, 'contradiction' as const);

const checkResult = (): fc.Arbitrary<Bodies['check-result']> => {
  const about = {
    edge: edge(),
    pinned: arbitraryRevision(),
    checked_against: arbitraryRevision(),
    model: arbitraryText(),
    prompt_version: fc.constant('check-v1'),
    confidence: unit(),
    context: arbitraryUuid(),
    claims_fingerprint: arbitraryHash(),
  };
  const taken = { verdict: answer(), evidence: fc.array(evidence(), { minLength: 1, maxLength: 3 }), downgraded: fc.constant(null) };
  const lowered = fc.record({
    verdict: answer(),
    reason: fc.constantFrom('below-tau', 'contradiction-without-evidence'),
    tau: unit(),
    evidence: fc.array(evidence(), { maxLength: 2 }),
  });
  const downgraded = { verdict: fc.constant('unknown' as const), evidence: fc.constant([]), downgraded: lowered };
  return fc.oneof(fc.record({ ...about, ...taken }), fc.record({ ...about, ...downgraded }));
};

const anchorActor = () => fc.record({ type: fc.constantFrom('human' as const, 'external' as const), id: arbitraryWords() });
const share = () => fc.nat(100).map((percent) => percent / 100);

const twin = () =>
  fc.record({
    file: fc.constantFrom('src/a.ts', 'app/[slug]/page.tsx', 'ñ/c d.kt'),
    kind: fc.constantFrom('function', 'fun', 'struct'),
    name: arbitraryWords(),
    match: fc.constantFrom('identity' as const, 'body' as const, 'near' as const),
    token_hash: hexes(64),
    similarity: share(),
  });

const occurrence = () => fc.tuple(fc.nat(3), fc.integer({ min: 1, max: 3 })).map(([index, more]) => ({ index, count: index + more }));

const pin = (): fc.Arbitrary<CodePin> =>
  fc
    .record({
      language: fc.constantFrom('typescript', 'kotlin', 'none'),
      kind: arbitraryWords(),
      qualified_name: arbitraryWords(),
      base_name: arbitraryText(),
      plain_name: arbitraryText(),
      container: arbitraryText(),
      visibility: arbitraryText(),
      file_hint: fc.constantFrom('src/a.ts', 'app/(group)/[slug]/page.tsx', '.github/w.yml'),
      hashes: fc.record({ token: hexes(64), body: hexes(64), signature: hexes(64), shape: hexes(64) }),
      body_tokens: fc.nat(0xffff_ffff),
      recipe: arbitraryText(),
      lines: fc.tuple(fc.integer({ min: 1, max: 9999 }), fc.nat(99)).map(([start, more]) => ({ start, end: start + more })),
      snapshot: arbitraryHash(),
      blob: hexes(40),
      commit: nullable(hexes(40)),
      names: fc.array(arbitraryText(), { maxLength: 3 }),
      twins: fc.record({ complete: fc.boolean(), found: fc.array(twin(), { maxLength: 2 }) }),
      occurrence: nullable(occurrence()),
    })
    .map((body) => ({ ...body, fallback: body.occurrence !== null }));

const bodies: { readonly [K in KnownKind]: () => fc.Arbitrary<Bodies[K]> } = {
  transformation,
  navigation: () =>
    fc.record({
      git: fc.record({
        op: fc.constantFrom('checkout', 'branch-switch', 'reset', 'detach', 'worktree-switch'),
        from: arbitraryText(),
        to: arbitraryText(),
        ref: nullable(arbitraryText()),
      }),
    }),
  ratification: () => resolution().map((body) => ({ ...body, expires: null })),
  waiver: resolution,
  'check-result': checkResult,
  claim: () =>
    fc.record({
      claim: arbitraryUuid(),
      statement: arbitraryWords(),
      valid_at: nullable(arbitraryText()),
      invalid_at: nullable(arbitraryText()),
      established_by: fc.array(objectRevision(), { maxLength: 2 }),
      supersedes: nullable(arbitraryUuid()),
      maturity: fc.constantFrom('draft' as const, 'established' as const),
      actor: human(),
    }),
  'object-registered': () =>
    fc.record({
      object: arbitraryUuid(),
      path: fc.constantFrom('a.md', 'parts/b.md', 'ñ/c d.md', 'line\nbreak.md'),
      schema: nullable(arbitraryText()),
      derived_from: fc.array(arbitraryUuid(), { maxLength: 2 }),
    }),
  'object-lifecycle': () =>
    fc.record({ object: arbitraryUuid(), state: fc.constantFrom('live' as const, 'frozen' as const), reason: arbitraryText() }),
  'flag-judgment': () =>
    fc.record({
      edge: edge(),
      judgment: fc.constantFrom('relevant' as const, 'noise' as const, 'unsure' as const),
      note: arbitraryText(),
    }),
  delegation: () =>
    fc.record({
      delegation: arbitraryUuid(),
      actor: human(),
      delegate: fc.record({ type: fc.constant('external'), id: arbitraryWords() }),
      scope: fc.subarray(['resolve.accept-newer', 'resolve.waive'], { minLength: 1 }),
      expires: arbitraryTime(),
      supersedes: nullable(arbitraryUuid()),
    }),
  diagnostic: () => fc.record({ code: arbitraryWords(), message: arbitraryWords(), path: nullable(arbitraryText()) }),
  'edge-anchor': () =>
    fc.oneof(
      fc.record(
        {
          edge: edge(),
          headings: fc.array(arbitraryWords(), { minLength: 1, maxLength: 16 }),
          anchored_hash: arbitraryHash(),
          carried_from: edge(),
        },
        { requiredKeys: ['edge', 'headings', 'anchored_hash'] },
      ),
      fc.record({ edge: edge(), headings: fc.constant([]), anchored_hash: fc.constant(null) }),
    ),
  'code-anchor': () =>
    fc
      .record({
        anchor: arbitraryUuid(),
        document: arbitraryUuid(),
        section: fc.array(arbitraryWords(), { maxLength: 3 }),
        repository: nullable(arbitraryWords()),
        pin: pin(),
        actor: anchorActor(),
      })
      .map(({ pin: pinned, ...body }) => ({ ...body, ...pinned })),
  'code-anchor-confirmation': () =>
    fc
      .record({
        anchor: arbitraryUuid(),
        from: fc.constantFrom('fresh' as const, 'stale' as const, 'moved-renamed' as const),
        pin: pin(),
        note: arbitraryText(),
        actor: anchorActor(),
      })
      .map(({ pin: pinned, ...body }) => ({ ...body, ...pinned, hash_seen: pinned.hashes.token })),
  'code-anchor-observation': () =>
    fc.record({
      anchor: arbitraryUuid(),
      baseline: arbitraryUuid(),
      state: fc.constantFrom(...anchorStates),
      reason: fc.constantFrom('body_changed' as const, 'moved' as const, 'file_missing' as const, 'reverted' as const),
      file: arbitraryWords(),
      moved_to: nullable(arbitraryText()),
      renamed_to: nullable(arbitraryText()),
      actual_hash: nullable(hexes(64)),
      body_changed: fc.boolean(),
      signature_changed: fc.boolean(),
      commit: nullable(hexes(40)),
    }),
  'code-anchor-retirement': () =>
    fc.record({
      anchor: arbitraryUuid(),
      state: fc.constantFrom('retired' as const, 'live' as const),
      reason: arbitraryWords(),
      actor: human(),
    }),
  'code-anchor-removal': () => fc.record({ anchor: arbitraryUuid(), actor: anchorActor() }),
  'document-pair': () =>
    fc
      .record({ pair: arbitraryUuid(), technical: arbitraryUuid(), human: arbitraryUuid(), hashes: pairHashes(), actor: anchorActor() })
      .filter(({ technical, human: other }) => technical !== other),
  'document-pair-confirmation': () =>
    fc.record({ pair: arbitraryUuid(), hashes: pairHashes(), note: arbitraryText(), actor: anchorActor() }),
  'document-pair-removal': () => fc.record({ pair: arbitraryUuid(), actor: anchorActor() }),
};

const pairHashes = () => fc.record({ technical: arbitraryHash(), human: arbitraryHash() });

/** A body of this kind that we may write. */
export function arbitraryBody<K extends KnownKind>(kind: K): fc.Arbitrary<Bodies[K]> {
  return bodies[kind]();
}

const envelope = () => fc.record({ id: arbitraryUuid(), time: arbitraryTime(), writer: arbitraryUuid(), idem: arbitraryUuid() });

/** An entry whose body is of this kind. */
export function arbitraryEntryOf(kind: KnownKind): fc.Arbitrary<Entry> {
  return fc.tuple(envelope(), arbitraryBody(kind)).map(([around, body]) => entryOf({ ...around, kind, body } as Draft));
}

/** An entry of a kind that the kernel does not read. */
function arbitraryUnknownEntry(): fc.Arbitrary<UnknownEntry> {
  const kind = fc.constantFrom('document-trio', 'hologram-sync', '__proto__', 'constructor', '').map((word) => parseUnknownKind(word)!);
  return fc
    .tuple(envelope(), kind, fc.jsonValue({ maxDepth: 3 }))
    .map(([around, word, body]) => entryOf({ ...around, kind: word, body: JSON.parse(JSON.stringify(body)) }) as UnknownEntry);
}

/** Any entry: of every known kind, or of another. */
export function arbitraryEntry(): fc.Arbitrary<Entry> {
  return fc.oneof(arbitraryUnknownEntry(), ...knownKinds.map(arbitraryEntryOf));
}

/** The entry that reading a draft's line gives, made without writing or reading a line. */
export function entryOf(draft: Draft): Entry {
  const raw = knownKinds.includes(draft.kind as KnownKind) ? writeBody(draft.kind as KnownKind, draft.body as never) : draft.body;
  return { format: 0, ...draft, instant: Date.parse(draft.time), raw } as Entry;
}
