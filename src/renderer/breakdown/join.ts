import type { CallInput, JoinPart, JoinProposal } from '#protocol/calls';

/** What is chosen for a place that several versions changed: one side, all of them in their order, or how it was before. */
export type Choice = { readonly kind: 'side'; readonly side: number } | { readonly kind: 'all' | 'before' };

/** What was chosen so far, by the number of the part. */
export type Choices = ReadonlyMap<number, Choice>;

/** The numbers of the parts that are to be chosen. */
export function conflictsOf(parts: readonly JoinPart[]): number[] {
  return parts.flatMap((part, at) => (part.kind === 'conflict' ? [at] : []));
}

/** The joined text; null while something is still to be chosen. */
export function joinedText(parts: readonly JoinPart[], choices: Choices): string | null {
  const texts = parts.map((part, at) => (part.kind === 'same' ? part.text : chosenText(part, choices.get(at))));
  return texts.every((text) => text !== null) ? texts.join('') : null;
}

/** What a place reads once it is chosen; null before. */
export function chosenText({ base, sides }: Extract<JoinPart, { kind: 'conflict' }>, choice: Choice | undefined): string | null {
  if (choice === undefined) return null;
  if (choice.kind === 'before') return base;
  return choice.kind === 'side' ? (sides[choice.side] ?? null) : sides.map(endedLine).join('');
}

/** Sides that are put one after the other must not run together in one line. */
const endedLine = (text: string, at: number, all: readonly string[]) =>
  at < all.length - 1 && text !== '' && !text.endsWith('\n') ? `${text}\n` : text;

/** The request that records a join as it was proposed. */
export function joinRequest(
  proposal: JoinProposal,
  copy: string | null,
  result: CallInput<'document/join'>['result'],
  idem: string,
): CallInput<'document/join'> {
  const content = copy === null ? null : (proposal.sides.find((side) => side.copy !== null)?.content ?? null);
  return { path: proposal.path, copy, heads: [...proposal.heads], base: proposal.base, content, result, idem };
}
