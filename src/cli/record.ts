import { parseAgent } from '#cli/argument';
import { argumentOf, type Call, linesOf, optionValue, optionValues, type Run } from '#cli/command';
import { reasonSentence } from '#cli/sentence';
import { usageFault } from '#cli/usage';
import type { Core } from '#core';
import type { Outputs } from '#protocol';

type Recorded = Outputs['record'];

/** `stemma record`: a write made by a script, with the sources it names. */
export const record: Run = async (call: Call) => {
  const from = optionValues(call, 'from');
  if (from.length === 0) throw usageFault('missing-from');
  const agent = parseAgent(optionValue(call, 'agent'));
  const core = await call.open();
  const output = await core.record({
    path: argumentOf(call, 0),
    from,
    contextFrom: optionValues(call, 'contextFrom'),
    agent,
    summary: optionValue(call, 'intent') ?? null,
  });
  return { output, print: () => print(output, core, call) };
};

async function print(output: Recorded, core: Core, { words }: Call) {
  const { path, dropped, inputs, entry } = output;
  const count = inputs.filter(({ role }) => role === 'direct').length;
  const said = entry === null ? 'unchanged' : count === 0 ? 'alone' : 'done';
  const detail = { path, label: await labelOf(output, core), count };
  return {
    text: linesOf([words(`cli.record.${said}`, detail)]),
    notes: dropped.map(({ path, reason }) => words('cli.record.dropped', { path, reason: reasonSentence(reason, path, words) })),
  };
}

async function labelOf({ path, revision }: Recorded, core: Core): Promise<string> {
  // A name with a slash in front of it is inside the workspace wherever the command was started.
  const { revisions } = await core.logFile(`${core.root}/${path}`);
  return revisions.find((found) => found.revision === revision)?.label ?? revision;
}
