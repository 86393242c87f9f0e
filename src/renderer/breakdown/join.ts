import type { CallInput } from '#protocol/calls';
import type { JoinPart, JoinProposal } from '#protocol/document-calls';

/** What is chosen for a place that several versions changed: one side, all of them in their order, how it was before, or words of one's own. */
export type Choice =
  | { readonly kind: 'side'; readonly side: number }
  | { readonly kind: 'all' | 'before' }
  | { readonly kind: 'own'; readonly text: string };

/** What was chosen so far, by the number of the part. */
export type Choices = ReadonlyMap<number, Choice>;

/** The numbers of the parts that are to be chosen; with `choices`, of those that are not chosen yet. */
export function conflictsOf(parts: readonly JoinPart[], choices: Choices = new Map()): number[] {
  return parts.flatMap((part, at) => (part.kind === 'conflict' && chosenText(part, choices.get(at)) === null ? [at] : []));
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
  // A place is whole lines: what stands behind it must not run into it. Nothing at all is no wording.
  if (choice.kind === 'own') return choice.text.trim() === '' ? null : `${choice.text.replace(/\n+$/u, '')}${endOf(base, sides)}`;
  return choice.kind === 'side' ? (sides[choice.side] ?? null) : sides.map(endedLine).join('');
}

/** How the place ends in what is known of it: the blank lines behind it stay. */
const endOf = (base: string, sides: readonly string[]): string =>
  [...sides, base].map((text) => /\n*$/u.exec(text)![0]).find((end) => end !== '') ?? '';

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
