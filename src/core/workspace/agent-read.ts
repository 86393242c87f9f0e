import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { isLink } from '#core/storage/disk';
import { documentPlace, folderPlace, readForAgent } from '#core/workspace/agent-place';
import { type Sighted, sightText } from '#core/workspace/agent-sight';
import { listFiles } from '#core/workspace/files';
import { readPosition } from '#core/workspace/position';
import { takeTurns } from '#core/workspace/turns';
import { versionsOf } from '#core/workspace/versions';
import type { Workspace } from '#core/workspace/workspace';
import { none } from '#kernel/key-table';
import type { RevisionId } from '#kernel/revision';
import { headings } from '#kernel/section';
import type { Uuid } from '#kernel/uuid';
import type { Outputs } from '#protocol';
import type { AgentOutputs, AgentReading, Served } from '#protocol/agent-calls';

/** A breakdown that was computed, and when, in ms. */
export interface Answered {
  readonly asOf: number;
  readonly breakdown: Outputs['breakdown'];
}

/** The most documents that one list names. */
const listLimit = 5000;
/** How many documents are looked up before others have their turn. */
const turn = 500;

/** A document as it is on disk, for an agent; what it was is told apart for the read set. A pure read. */
export async function agentReading(workspace: Workspace, named: string, answered: Answered | null): Promise<AgentReading> {
  const path = documentPlace(workspace, named);
  return readingOf(workspace, path, readForAgent(workspace, path), answered);
}

/** The same, of bytes that were read already. */
export async function readingOf(workspace: Workspace, path: string, bytes: Buffer, answered: Answered | null): Promise<AgentReading> {
  const sighted = await sightText(bytes.toString('utf8'), takeTurns());
  const served = servedOf(workspace, path, sighted);
  const { hash, object, revision } = served;
  const coherence = object === null || answered === null ? null : coherenceOf(object, answered);
  return { answer: { path, text: sighted.text, hash, id: object, revision, tracked: object !== null, coherence }, served };
}

/** What a content is to the ledger: the object of its id, else of its path, and the revision with that content. */
export function servedOf(workspace: Workspace, path: string, { identity, hash }: Omit<Sighted, 'text'>): Served {
  const { facts } = workspace.replica.reading;
  const object = identity?.id ?? facts.objectAt(path);
  if (object === null || !facts.registrations.has(object)) return { path, hash, object: null, revision: null };
  return { path, hash, object, revision: revisionWith(workspace, object as Uuid, hash) };
}

/** The revision that a content was read from: the one on disk, a head, else the newest that has it; null when none has. */
export function revisionWith(workspace: Workspace, object: Uuid, hash: string): RevisionId | null {
  const { graph } = workspace.replica.reading;
  const versions = versionsOf(graph, object, readPosition(workspace).working[object]);
  const nearest = [...(versions.working === null ? [] : [versions.working]), ...versions.heads];
  return nearest.find((revision) => versions.contentOf(revision) === hash) ?? versions.withContent(hash);
}

/** How many rows of a document ask something of the writer, in a breakdown that was computed before. */
function coherenceOf(object: string, { asOf, breakdown }: Answered): AgentReading['answer']['coherence'] {
  const rows = breakdown.artifacts.find((artifact) => artifact.object === object)?.rows ?? [];
  const changed = rows.filter(({ state }) => state !== 'waived' && state !== 'fresh').length;
  return { as_of: new Date(asOf).toISOString(), changed, code: 0 };
}

/** The headings of a document and where their sections end, in the lines that a read gives. */
export async function agentOutline(workspace: Workspace, named: string): Promise<AgentOutputs['agent/outline']> {
  const { answer, served } = await agentReading(workspace, named, null);
  const { path, text, hash, revision } = answer;
  const lineAt = lineCounter(text);
  const found = headings(text).map(({ level, text: heading, start, end }) => {
    const line = lineAt(start);
    return { level, text: heading, line, end_line: Math.max(line, lineAt(text.endsWith('\n', end) ? end - 1 : end)) };
  });
  return { answer: { path, hash, revision, headings: found }, served };
}

/** Answers the line, from 1, of any place in a text. */
export function lineCounter(text: string): (at: number) => number {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (place) => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (starts[middle]! <= place) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  };
}

/** The documents of a workspace that git would not ignore, links left out, sorted by path. */
async function documentsUnder(workspace: Workspace, under: string | null): Promise<string[]> {
  const folder = folderPlace(workspace, under);
  const files = await listFiles(workspace.disk, workspace.root);
  return files.filter(({ path, document }) => document && `${path}/`.startsWith(folder)).map(({ path }) => path);
}

/** What is there to read, and what the ledger knows of it, without looking into any file. */
export async function agentList(workspace: Workspace, under: string | null): Promise<AgentOutputs['agent/list']> {
  const paths = await documentsUnder(workspace, under);
  const documents: AgentOutputs['agent/list']['documents'] = [];
  for (const [index, path] of paths.slice(0, listLimit).entries()) {
    if (!isLink(workspace.disk, join(workspace.root, path))) documents.push(listed(workspace, path));
    if (index % turn === turn - 1) await setImmediate();
  }
  return { documents, total: paths.length, truncated: paths.length > listLimit };
}

function listed({ replica }: Workspace, path: string): AgentOutputs['agent/list']['documents'][number] {
  const { graph, facts } = replica.reading;
  const id = facts.objectAt(path);
  const number = id === null ? none : graph.findObject(id);
  const heads = number === none ? [] : graph.heads(number);
  const head = heads.length === 1 ? heads[0]! : null;
  const revision = head === null ? null : graph.revisionText(head);
  return { path, id, revision, label: head === null ? null : `v${graph.depth(head)}`, tracked: id !== null };
}
