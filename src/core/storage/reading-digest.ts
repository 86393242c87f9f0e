import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { none } from '#kernel/key-table';
import { resolutionsOf } from '#kernel/projection';
import type { Reading } from '#kernel/reading';

/** How many rows are taken before others get their turn. */
const slice = 4000;

/**
 * A number for all that a reading says, row by row, whatever the order in which it was read: equal for two readings of
 * one ledger, and for an index and the ledger that it was made from.
 */
export async function readingDigest(reading: Reading): Promise<string> {
  let sum = 0n;
  let rows = 0;
  for (const row of rowsOf(reading)) {
    sum = (sum + BigInt(`0x${hash('sha256', row, 'hex').slice(0, 16)}`)) & 0xffff_ffff_ffff_ffffn;
    if (++rows % slice === 0) await setImmediate();
  }
  return `${rows} ${sum.toString(16)}`;
}

function* rowsOf(reading: Reading): Generator<string> {
  const { graph, facts, future, malformed } = reading;
  yield `counts ${future} ${malformed.length} ${graph.mismatches.length / 2}`;
  for (let entry = 0; entry < graph.entryTime.length; entry++) yield `entry ${graph.entryText(entry)} ${graph.entryTime.at(entry)}`;
  for (let object = 0; object < graph.objects.size; object++) yield* objectRows(reading, object);
  for (let edge = 0; edge < graph.edgeEntry.length; edge++) yield edgeRow(reading, edge);
  for (const [name, pairs] of Object.entries(facts.toJSON())) for (const pair of pairs) yield `${name} ${JSON.stringify(pair)}`;
}

function* objectRows({ graph }: Reading, object: number): Generator<string> {
  const id = graph.objectText(object);
  const heads = graph.heads(object).map((head) => graph.revisionText(head));
  yield `object ${id} ${graph.objectNewest.at(object)} ${graph.isArtifact(object)} ${heads.join(' ')}`;
  for (const node of graph.revisions(object)) {
    const parents = graph.parentsOf(node).map((parent) => graph.revisionText(parent));
    const author = `${graph.entryText(graph.nodeEntry.at(node))} ${graph.nodeConfidence.at(node)} ${graph.nodeFromInputs.at(node)}`;
    yield `revision ${id} ${graph.revisionText(node)} ${graph.contentText(node)} ${author} ${parents.sort().join(' ')}`;
  }
}

function edgeRow({ graph }: Reading, edge: number): string {
  const resolutions = [...resolutionsOf(graph, edge)].map((one) => {
    const against = graph.resolutionAgainst.at(one);
    const what = `${graph.resolutionWaives.at(one)} ${graph.resolutionExpires.at(one)} ${against === none ? '' : graph.revisionText(against)}`;
    return `${graph.entryText(graph.resolutionEntry.at(one))} ${what}`;
  });
  const ends = [graph.edgePinned.at(edge), graph.edgeArtifact.at(edge)].map((node) => graph.revisionText(node)).join(' ');
  const source = graph.objectText(graph.edgeSource.at(edge));
  const how = `${graph.edgeKindText(edge)} ${graph.edgeConfidence.at(edge)}`;
  return `edge ${graph.entryText(graph.edgeEntry.at(edge))} ${graph.edgeInput.at(edge)} ${source} ${ends} ${how} ${resolutions.sort().join(' ')}`;
}
