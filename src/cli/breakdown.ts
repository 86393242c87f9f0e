import { breakdownLines, hasRows } from '#cli/breakdown-page';
import { type Call, linesOf, optionValue, type Run } from '#cli/command';
import { diagnosticNotes, incompleteNotes } from '#cli/sentence';
import type { Core } from '#core';
import type { Outputs, Words } from '#protocol';

/** `stemma breakdown`: scans, unless told not to, and shows every pin that the world has moved past. */
export const breakdown: Run = async (call: Call) => {
  const { open, options, words, ink } = call;
  const core = await open();
  const context = optionValue(call, 'context');
  const all = options.all === true;
  const output = await core.breakdown({ all, scan: options.scan !== false, ...(context === undefined ? {} : { context }) });
  const print = async () => ({
    text: linesOf(hasRows(output) ? breakdownLines(output, words, ink) : await emptyLines(output, all, core, words)),
    notes: [
      ...diagnosticNotes(output.context.problems ?? [], words),
      ...incompleteNotes(output.scan, words),
      ...diagnosticNotes(output.scan.diagnostics, words),
    ],
  });
  return { output, print };
};

/** Why there is nothing to show. */
async function emptyLines(output: Outputs['breakdown'], all: boolean, core: Core, words: Words): Promise<string[]> {
  const { initialized, tracked } = await core.status();
  if (!initialized) return [words('cli.breakdown.no-ledger')];
  if (tracked === 0) return [words('cli.breakdown.nothing-recorded')];
  return all ? [words('cli.breakdown.no-edges')] : breakdownLines(output, words);
}
