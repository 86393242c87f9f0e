import { type Delegation, type Resolution, readDelegation, readResolution, writeDelegation, writeResolution } from '#kernel/body-act';
import {
  type CodeAnchor,
  type CodeAnchorConfirmation,
  type CodeAnchorObservation,
  type CodeAnchorRemoval,
  type CodeAnchorRetirement,
  readCodeAnchor,
  readCodeAnchorConfirmation,
  readCodeAnchorObservation,
  readCodeAnchorRemoval,
  readCodeAnchorRetirement,
  writeCodeAnchor,
  writeCodeAnchorConfirmation,
  writeCodeAnchorObservation,
  writeCodeAnchorRemoval,
  writeCodeAnchorRetirement,
} from '#kernel/body-anchor';
import { type CheckResult, type Claim, readCheckResult, readClaim, writeCheckResult, writeClaim } from '#kernel/body-check';
import {
  type EdgeAnchor,
  type FlagJudgment,
  readEdgeAnchor,
  readFlagJudgment,
  writeEdgeAnchor,
  writeFlagJudgment,
} from '#kernel/body-edge';
import { isJson, type Json, type Sizes } from '#kernel/body-field';
import {
  type Diagnostic,
  type Navigation,
  type ObjectLifecycle,
  type ObjectRegistered,
  readDiagnostic,
  readNavigation,
  readObjectLifecycle,
  readObjectRegistered,
  writeDiagnostic,
  writeNavigation,
  writeObjectLifecycle,
  writeObjectRegistered,
} from '#kernel/body-object';
import {
  type DocumentPair,
  type DocumentPairConfirmation,
  type DocumentPairRemoval,
  readDocumentPair,
  readDocumentPairConfirmation,
  readDocumentPairRemoval,
  writeDocumentPair,
  writeDocumentPairConfirmation,
  writeDocumentPairRemoval,
} from '#kernel/body-pair';
import { readTransformation, type Transformation, writeTransformation } from '#kernel/body-transformation';

/** The body of every kind of entry that the kernel reads. */
export interface Bodies {
  transformation: Transformation;
  navigation: Navigation;
  ratification: Resolution;
  waiver: Resolution;
  'check-result': CheckResult;
  claim: Claim;
  'object-registered': ObjectRegistered;
  'object-lifecycle': ObjectLifecycle;
  'flag-judgment': FlagJudgment;
  delegation: Delegation;
  diagnostic: Diagnostic;
  'edge-anchor': EdgeAnchor;
  'code-anchor': CodeAnchor;
  'code-anchor-confirmation': CodeAnchorConfirmation;
  'code-anchor-observation': CodeAnchorObservation;
  'code-anchor-retirement': CodeAnchorRetirement;
  'code-anchor-removal': CodeAnchorRemoval;
  'document-pair': DocumentPair;
  'document-pair-confirmation': DocumentPairConfirmation;
  'document-pair-removal': DocumentPairRemoval;
}

/** A kind whose bodies are validated; all others are kept and ignored. */
export type KnownKind = keyof Bodies;

interface Codec<B> {
  readonly read: (raw: Json, sizes: Sizes) => B | string;
  readonly write: (body: B) => Json;
}

const codecs: { readonly [K in KnownKind]: Codec<Bodies[K]> } = {
  transformation: { read: readTransformation, write: writeTransformation },
  navigation: { read: readNavigation, write: writeNavigation },
  ratification: { read: readResolution, write: writeResolution },
  waiver: { read: readResolution, write: writeResolution },
  'check-result': { read: readCheckResult, write: writeCheckResult },
  claim: { read: readClaim, write: writeClaim },
  'object-registered': { read: readObjectRegistered, write: writeObjectRegistered },
  'object-lifecycle': { read: readObjectLifecycle, write: writeObjectLifecycle },
  'flag-judgment': { read: readFlagJudgment, write: writeFlagJudgment },
  delegation: { read: readDelegation, write: writeDelegation },
  diagnostic: { read: readDiagnostic, write: writeDiagnostic },
  'edge-anchor': { read: readEdgeAnchor, write: writeEdgeAnchor },
  'code-anchor': { read: readCodeAnchor, write: writeCodeAnchor },
  'code-anchor-confirmation': { read: readCodeAnchorConfirmation, write: writeCodeAnchorConfirmation },
  'code-anchor-observation': { read: readCodeAnchorObservation, write: writeCodeAnchorObservation },
  'code-anchor-retirement': { read: readCodeAnchorRetirement, write: writeCodeAnchorRetirement },
  'code-anchor-removal': { read: readCodeAnchorRemoval, write: writeCodeAnchorRemoval },
  'document-pair': { read: readDocumentPair, write: writeDocumentPair },
  'document-pair-confirmation': { read: readDocumentPairConfirmation, write: writeDocumentPairConfirmation },
  'document-pair-removal': { read: readDocumentPairRemoval, write: writeDocumentPairRemoval },
};

/** Every known kind, in the order of the format's table. */
export const knownKinds = Object.keys(codecs) as readonly KnownKind[];

/** Whether the kernel reads bodies of this kind. */
export function isKnownKind(kind: string): kind is KnownKind {
  return Object.hasOwn(codecs, kind);
}

/** The body of a known kind, or why it is malformed (a short phrase); fields that are not known are passed over. */
export function readBody<K extends KnownKind>(kind: K, raw: unknown, sizes: Sizes): Bodies[K] | string {
  return isJson(raw) ? codecs[kind].read(raw, sizes) : 'the body is not an object';
}

/** The body as the ledger holds it, its keys in the order of the format's table. */
export function writeBody<K extends KnownKind>(kind: K, body: Bodies[K]): Json {
  return codecs[kind].write(body);
}
