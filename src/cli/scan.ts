import { type Call, linesOf, type Printed, type Run } from '#cli/command';
import { diagnosticNotes, incompleteNotes } from '#cli/sentence';
import type { Outputs, Words } from '#protocol';

/** `stemma scan`: records what changed outside and says what was found. */
export const scan: Run = async ({ open, words }: Call) => {
  const output = await (await open()).scan();
  return { output, print: () => scanText(output, words) };
};

/** One line of counts, and what a person should know about. */
function scanText(output: Outputs['scan'], words: Words): Printed {
  const { external, git, adopted, moved, absent, navigations, held, diagnostics } = output;
  const isQuiet = output.complete && external + git + adopted + moved + absent === 0;
  const lines = [
    isQuiet ? words('cli.scan.nothing') : words('cli.scan.summary', output),
    ...(navigations === 0 ? [] : [words('cli.scan.navigations', { count: navigations })]),
  ];
  const named = new Set(diagnostics.filter(({ code }) => code === 'duplicate-id').map(({ path }) => path));
  const alone = held.filter((path) => !named.has(path)).map((path) => words('diagnostics.duplicate-id', { path }));
  return { text: linesOf(lines), notes: [...incompleteNotes(output, words), ...diagnosticNotes(diagnostics, words), ...alone] };
}
