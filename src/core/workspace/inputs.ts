import { trackedDocument } from '#core/workspace/history';
import { entryLine } from '#core/workspace/version';
import type { Workspace } from '#core/workspace/workspace';
import { live } from '#kernel/projection';
import type { EarlierInputs } from '#protocol/calls';

type Input = EarlierInputs['inputs'][number];

/** The inputs of the newest revision before the present one that had some, each document once, itself left out. */
export function earlierInputs(workspace: Workspace, path: string): EarlierInputs {
  const { graph, facts } = workspace.replica.reading;
  const { object, number } = trackedDocument(workspace, path);
  const selection = live(graph)(number);
  const head = selection.kind === 'one' ? selection.node : null;
  const timeOf = (node: number) => graph.entryTime.at(graph.nodeEntry.at(node));
  const earlier = [...graph.revisions(number)].filter((node) => node !== head && graph.nodeFromInputs.at(node) === 1);
  const newest = earlier.sort((a, b) => graph.depth(b) - graph.depth(a) || timeOf(b) - timeOf(a))[0];
  const inputs = new Map<string, Input>();
  for (const input of newest === undefined ? [] : inputsOf(workspace, newest)) {
    const known = inputs.get(input.object);
    if (input.object !== object && known?.role !== 'direct') inputs.set(input.object, { ...input, path: facts.pathOf(input.object) });
  }
  return { object, head: head === null ? null : graph.revisionText(head), inputs: [...inputs.values()] };
}

function inputsOf(workspace: Workspace, node: number): readonly Omit<Input, 'path'>[] {
  const { body } = JSON.parse(entryLine(workspace, workspace.replica.reading.graph.nodeEntry.at(node))) as {
    body: { inputs: readonly { object: string; role: 'direct' | 'contextual' }[] };
  };
  return body.inputs.map(({ object, role }) => ({ object, role }));
}
