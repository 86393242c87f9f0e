import { entryLine } from '#core/workspace/version';
import { type Looking, viewOf } from '#core/workspace/view';
import type { Workspace } from '#core/workspace/workspace';
import { none } from '#kernel/key-table';
import type { DocumentOrigin } from '#protocol/breakdown-calls';

interface WrittenLine {
  readonly time: string;
  readonly body: {
    readonly agent: { readonly type: DocumentOrigin['agent']; readonly id?: string | null };
    readonly inputs: readonly { readonly role: string }[];
  };
}

/** Who made the current version of each document, when, and from how many sources; null where there is no one version. */
export function originsOf(workspace: Workspace, objects: readonly string[], looking: Looking = {}): (DocumentOrigin | null)[] {
  const { graph, select } = viewOf(workspace, looking);
  return objects.map((object) => {
    const number = graph.findObject(object);
    const selection = number === none ? null : select(number);
    if (selection?.kind !== 'one' || graph.nodeRecorded.at(selection.node) !== 1) return null;
    const { time, body } = JSON.parse(entryLine(workspace, graph.nodeEntry.at(selection.node))) as WrittenLine;
    const sources = body.inputs.filter(({ role }) => role === 'direct').length;
    return { agent: body.agent.type, by: body.agent.id ?? null, at: time, sources };
  });
}
