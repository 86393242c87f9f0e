import { Fault, type FaultDetail, type Words, wordsFor } from '#protocol';

/** What can be wrong with a command line; each has a sentence under `cli.usage`. */
export type UsageProblem =
  | 'unknown-command'
  | 'did-you-mean'
  | 'unknown-option'
  | 'missing-argument'
  | 'missing-value'
  | 'excess-arguments'
  | 'missing-files'
  | 'files-and-all'
  | 'missing-from'
  | 'missing-revision'
  | 'two-formats'
  | 'bad-port'
  | 'bad-agents-action'
  | 'unknown-action'
  | 'missing-target'
  | 'bad-lines'
  | 'needless-option'
  | 'empty-value';

/** A command line that cannot be understood. Its key travels along, so that it can be said in another language. */
export function usageFault(usage: UsageProblem, detail: FaultDetail = {}): Fault<'usage'> {
  return new Fault('usage', { ...detail, usage, problem: wordsFor('en')(`cli.usage.${usage}`, detail) });
}

/** The sentence of a fault in the language of `words`. */
export function sentenceOf({ code, detail }: Fault, words: Words): string {
  const isUsage = code === 'usage' && typeof detail.usage === 'string';
  const problem = isUsage ? { problem: words(`cli.usage.${detail.usage}`, detail) } : {};
  return words(`faults.${code}`, { ...detail, ...problem });
}
