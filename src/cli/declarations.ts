import { columns } from '#cli/column';
import { argumentOf, type Call, linesOf, optionValue, type Printed, type Run } from '#cli/command';
import { visible } from '#cli/text';
import type { Outputs } from '#protocol';

/** `stemma declarations`: what an anchor could name in a file. Nothing is recorded. */
export const declarations: Run = async (call: Call) => {
  const core = await call.open();
  const output = await core.anchors.declarations(argumentOf(call, 0), optionValue(call, 'repo') ?? null);
  return { output, print: () => declarationsText(output, call) };
};

function declarationsText({ language, declarations: all, parse_errors }: Outputs['declarations'], { words, ink }: Call): Printed {
  const rows = all.map(({ kind, qualified_name, line_start, line_end }) => [
    { text: kind },
    { text: visible(qualified_name) },
    { text: `${line_start}-${line_end}`, style: 'quiet' as const },
  ]);
  const notes = parse_errors === 0 ? [] : [words('cli.declarations.errors', { count: parse_errors })];
  return { text: linesOf([...columns(rows, '', ink), words('cli.declarations.count', { count: all.length, language })]), notes };
}
