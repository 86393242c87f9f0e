import { type Outputs, wordsFor } from '#protocol';

/** One thing that is wrong with a ledger, as `stemma verify` says it. */
export type Problem = Outputs['verify']['problems'][number];

/** A problem with its English sentence; other languages word `code` and `detail`. */
export function problem(code: string, where: string | null, detail: Problem['detail']): Problem {
  return { code, message: wordsFor('en')(`problems.${code}`, detail), where, detail };
}
