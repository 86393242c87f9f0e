import { trackedDocument } from '#core/workspace/history';
import { entryLine } from '#core/workspace/version';
import type { Workspace } from '#core/workspace/workspace';
import type { Graph } from '#kernel/graph';
import { live } from '#kernel/projection';
import type { EarlierInputs } from '#protocol/breakdown-calls';

type Input = EarlierInputs['inputs'][number];

/**
 * What the present version would still rest on if it rests on anything: the inputs of the versions before it that had
 * some, each document once, itself left out. On every line that it comes from the nearest such version counts: a joined
 * version has those of all that were joined.
 */
export function earlierInputs(workspace: Workspace, path: string): EarlierInputs {
  const { graph, facts } = workspace.replica.reading;
  const { object, number } = trackedDocument(workspace, path);
  const selection = live(graph)(number);
  const head = selection.kind === 'one' ? selection.node : null;
  const nearest = nearestWithInputs(graph, head === null ? graph.heads(number) : graph.parentsOf(head));
  const versions = nearest.length > 0 ? nearest : newestWithInputs(graph, number, head);
  const inputs = new Map<string, Input>();
  for (const input of versions.flatMap((node) => inputsOf(workspace, node))) {
    const known = inputs.get(input.object);
    if (input.object !== object && known?.role !== 'direct') inputs.set(input.object, { ...input, path: facts.pathOf(input.object) });
  }
  return { object, head: head === null ? null : graph.revisionText(head), inputs: [...inputs.values()] };
}

/** Of each line back from these versions the first that had inputs, in the order of the lines. */
function nearestWithInputs(graph: Graph, from: readonly number[]): number[] {
  const seen = new Set(from);
  // What is added while the loop runs is looked at, too.
  for (const node of seen) {
    if (graph.nodeRecorded.at(node) !== 1 || graph.nodeFromInputs.at(node) === 1) continue;
    for (const parent of graph.parentsOf(node)) seen.add(parent);
  }
  return [...seen].filter((node) => graph.nodeRecorded.at(node) === 1 && graph.nodeFromInputs.at(node) === 1);
}

/** Of versions that lead nowhere from the present one: the newest that had inputs. */
function newestWithInputs(graph: Graph, number: number, head: number | null): number[] {
  const timeOf = (node: number) => graph.entryTime.at(graph.nodeEntry.at(node));
  const earlier = [...graph.revisions(number)].filter((node) => node !== head && graph.nodeFromInputs.at(node) === 1);
  return earlier.sort((a, b) => graph.depth(b) - graph.depth(a) || timeOf(b) - timeOf(a)).slice(0, 1);
}

function inputsOf(workspace: Workspace, node: number): readonly Omit<Input, 'path'>[] {
  const { body } = JSON.parse(entryLine(workspace, workspace.replica.reading.graph.nodeEntry.at(node))) as {
    body: { inputs: readonly { object: string; role: 'direct' | 'contextual' }[] };
  };
  return body.inputs.map(({ object, role }) => ({ object, role }));
}
