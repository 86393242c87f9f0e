import { type EdgeRef, edgeOf, fits, hashOf, type Json, listOf, optionalText, type Sizes } from '#kernel/body-field';
import type { ContentHash } from '#kernel/revision';

/** The most bytes that the note of a judgment may take. */
export const judgmentNoteCap = 4096;
/** The most headings that a section anchor may have. */
export const anchorHeadingsCap = 16;
/** The most bytes that one heading of a section anchor may take; it takes at least one. */
export const anchorHeadingCap = 512;

/** Whether showing an edge was worth it; the latest counts. */
export interface FlagJudgment {
  readonly edge: EdgeRef;
  readonly judgment: 'relevant' | 'noise' | 'unsure';
  readonly note: string;
}

/**
 * The section of the source that an edge rests on, as a heading path; an empty path clears it, the latest counts.
 * `carried_from` is ours: no person set it here, it was carried from this edge of an earlier version.
 */
export interface EdgeAnchor {
  readonly edge: EdgeRef;
  readonly headings: readonly string[];
  readonly anchored_hash: ContentHash | null;
  readonly carried_from?: EdgeRef;
}

/** The judgment, or why it is malformed. */
export function readFlagJudgment(raw: Json, sizes: Sizes): FlagJudgment | string {
  const edge = edgeOf(raw.edge);
  if (edge === null) return 'the edge is not valid';
  const { judgment } = raw;
  if (judgment !== 'relevant' && judgment !== 'noise' && judgment !== 'unsure') return 'the judgment is not known';
  const note = optionalText(raw.note);
  if (note === undefined) return 'the note is not text';
  if (note !== null && !fits(note, judgmentNoteCap, sizes)) return 'the note is too long';
  return { edge, judgment, note: note ?? '' };
}

/** The judgment as it is written. */
export function writeFlagJudgment({ edge, judgment, note }: FlagJudgment): Json {
  return { edge: { txf: edge.txf, input: edge.input }, judgment, note };
}

/** The section anchor, or why it is malformed; a cleared one needs no hash, and whatever stands there is not read. */
export function readEdgeAnchor(raw: Json, sizes: Sizes): EdgeAnchor | string {
  const edge = edgeOf(raw.edge);
  if (edge === null) return 'the edge is not valid';
  const headings = listOf(raw.headings, (heading) => (isHeading(heading, sizes) ? heading : null));
  if (headings === null) return 'a heading is not valid';
  if (headings.length > anchorHeadingsCap) return 'there are too many headings';
  if (headings.length === 0) return { edge, headings, anchored_hash: null };
  const anchored_hash = hashOf(raw.anchored_hash);
  if (anchored_hash === null) return 'the section has no hash';
  const carried_from = edgeOf(raw.carried_from);
  return { edge, headings, anchored_hash, ...(carried_from === null ? {} : { carried_from }) };
}

/** The section anchor as it is written: a cleared one without a hash. */
export function writeEdgeAnchor({ edge, headings, anchored_hash, carried_from: from }: EdgeAnchor): Json {
  return {
    edge: { txf: edge.txf, input: edge.input },
    headings,
    ...(anchored_hash === null ? {} : { anchored_hash }),
    ...(from === undefined ? {} : { carried_from: { txf: from.txf, input: from.input } }),
  };
}

function isHeading(value: unknown, sizes: Sizes): value is string {
  return typeof value === 'string' && value !== '' && fits(value, anchorHeadingCap, sizes);
}
