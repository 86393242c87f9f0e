import { parseFileAtRevision } from '#cli/argument';
import { argumentOf, type Call, linesOf, type Printed, type Run } from '#cli/command';
import type { Ink } from '#cli/ink';
import { visibleText } from '#cli/text';
import type { Outputs, Words } from '#protocol';

type Shown = Outputs['show'];
type Difference = Outputs['diff'];

/** `stemma show FILE@REV`: the content of a revision, byte for byte; on a terminal no byte of it may act. */
export const show: Run = async (call: Call) => {
  const { path, revision } = parseFileAtRevision(argumentOf(call, 0));
  const output = await (await call.open()).show(path, revision);
  return { output, print: () => ({ text: shownContent(output, call.isTerminal, call.words) }) };
};

/** `stemma diff FILE REV [REV2]`: a unified diff. */
export const diff: Run = async (call: Call) => {
  const to = call.positional[2];
  const core = await call.open();
  const output = await core.diff(argumentOf(call, 0), argumentOf(call, 1), typeof to === 'string' ? to : null);
  return { output, print: () => diffText(output, call) };
};

/** What `show` prints: the bytes, or what can be shown of them on a terminal. */
export function shownContent(output: Shown, isTerminal: boolean, words: Words): string | Uint8Array {
  const { text, base64, path, object, label } = output;
  if (text !== null) return isTerminal ? visibleText(text) : text;
  const bytes = Buffer.from(base64 ?? '', 'base64');
  return isTerminal ? linesOf([words('cli.show.binary', { path: path ?? object, label, count: bytes.length })]) : bytes;
}

/** What `diff` prints; that there is no difference is said beside it, so that its output stays a diff. */
export function diffText(output: Difference, { isTerminal, ink, words }: Pick<Call, 'isTerminal' | 'ink' | 'words'>): Printed {
  if (output.equal) return { text: '', notes: [words('cli.diff.same')] };
  if (output.diff === null) return { text: '', notes: [words('cli.diff.binary')] };
  if (!isTerminal) return { text: output.diff };
  return {
    text: output.diff
      .split('\n')
      .map((line) => inkedLine(line, ink))
      .join('\n'),
  };
}

function inkedLine(line: string, ink: Ink): string {
  const safe = visibleText(line);
  if (/^(---|\+\+\+) /u.test(line)) return ink('heading', safe);
  if (line.startsWith('@@')) return ink('mark', safe);
  return line.startsWith('+') ? ink('good', safe) : line.startsWith('-') ? ink('wrong', safe) : safe;
}
