import { uncheckedNotes } from '#cli/anchors';
import { parseStates } from '#cli/argument';
import { type Call, linesOf, optionValue, type Printed, type Run } from '#cli/command';
import { findingSentence, findingsOf } from '#cli/finding';
import { type HeadingLine, toSarif } from '#cli/sarif';
import { diagnosticNotes, incompleteNotes } from '#cli/sentence';
import { safeJson } from '#cli/text';
import { usageFault } from '#cli/usage';
import type { Core } from '#core';
import type { Outputs, Words } from '#protocol';

type Check = Outputs['check'];

/** `stemma check`: 1 when a listed state is present, else 3 when the answer is incomplete. */
export const check: Run = async (call: Call) => {
  const { open, options, words, isJson } = call;
  if (options.sarif === true && isJson) throw usageFault('two-formats');
  const failOn = parseStates(optionValue(call, 'failOn'));
  const context = optionValue(call, 'context');
  const core = await open();
  const output = await core.check({ failOn, ...(context === undefined ? {} : { context }) });
  const code = Object.keys(output.failing).length > 0 ? 1 : output.complete ? 0 : 3;
  return { output, code, print: () => (options.sarif === true ? sarifText(core, output, words) : checkText(output, words)) };
};

/** The findings, a line each, and how many rows are in a listed state. */
export function checkText(output: Check, words: Words): Printed {
  const findings = findingsOf(output).map((finding) => findingSentence(finding, words));
  const count = Object.values(output.failing).reduce((sum, rows) => sum + rows, 0);
  const sum = count > 0 ? [words('cli.check.failed', { count })] : output.complete ? [words('cli.check.passed')] : [];
  const { name } = output.breakdown.context;
  const through = name === 'default' ? [] : [words('cli.breakdown.context', { name })];
  return { text: linesOf([...through, ...findings, ...sum]), notes: notesOf(output, words) };
}

function sarifText(core: Core, output: Check, words: Words): Printed {
  const headingLine: HeadingLine = ({ document: { path, section } }) => (path === null ? 1 : core.anchors.headingLine(path, section));
  return { text: `${safeJson(toSarif(findingsOf(output), headingLine))}\n`, notes: notesOf(output, words) };
}

function notesOf({ complete, reason, breakdown, anchors }: Check, words: Words): string[] {
  return [
    ...diagnosticNotes(breakdown.context.problems ?? [], words),
    ...incompleteNotes({ complete, reason }, words),
    ...diagnosticNotes(breakdown.scan.diagnostics, words),
    ...uncheckedNotes(anchors, words),
  ];
}
