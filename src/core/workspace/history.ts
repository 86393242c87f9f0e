import { createTwoFilesPatch, diffLines, FILE_HEADERS_ONLY } from 'diff';
import { readDocument } from '#core/document';
import { readWholeLedger } from '#core/workspace/entries';
import { readFile } from '#core/workspace/record';
import { objectAt } from '#core/workspace/spelling';
import type { Workspace } from '#core/workspace/workspace';
import type { Entry } from '#kernel/entry';
import { none } from '#kernel/key-table';
import type { RevisionId } from '#kernel/revision';
import type { Uuid } from '#kernel/uuid';
import { Fault, type Outputs } from '#protocol';

/** The ledger in reader order (`stemma log`). */
export async function log({ disk, vmark }: Workspace): Promise<Outputs['log']> {
  const { entries } = await readWholeLedger(disk, vmark);
  return { entries: entries.map(({ id, idem, time, kind, writer, raw }) => ({ id, idem, time, kind: String(kind), writer, body: raw })) };
}

/** The revisions of one document in reader order (`stemma log FILE`). */
export async function logFile(workspace: Workspace, path: string): Promise<Outputs['log-file']> {
  const { graph, facts } = workspace.replica.reading;
  const { object, number } = trackedDocument(workspace, path);
  const { entries } = await readWholeLedger(workspace.disk, workspace.vmark);
  const made = entries.filter((entry) => entry.kind === 'transformation').flatMap((entry) => revisionsBy(entry, object));
  const seen = new Map<string, Outputs['log-file']['revisions'][number]>();
  for (const { entry, output } of made) {
    const node = graph.findNode(number, output.revision);
    if (node === none) continue;
    const before = seen.get(output.revision);
    if (before !== undefined && (before.inputs.length > 0 || entry.body.inputs.length === 0)) continue;
    const { agent, intent, confidence, inputs } = entry.body;
    seen.set(output.revision, {
      revision: output.revision,
      label: `v${graph.depth(node)}`,
      time: before?.time ?? entry.time,
      agent: { type: agent.type, id: agent.id },
      intent: { kind: intent.kind, summary: intent.summary },
      confidence,
      parents: [...output.parents],
      inputs: inputs.map((input) => ({
        object: input.object,
        path: facts.pathOf(input.object),
        revision: input.revision,
        role: input.role,
      })),
    });
  }
  const heads = graph.heads(number).map((head) => graph.revisionText(head));
  return { object, path: facts.pathOf(object), heads, revisions: [...seen.values()] };
}

function revisionsBy(entry: Extract<Entry, { kind: 'transformation' }>, object: Uuid) {
  return entry.body.outputs.filter((output) => output.object === object).map((output) => ({ entry, output }));
}

/** The object of a path: registered there, or named by the id that the file carries. */
export function trackedDocument(workspace: Workspace, path: string): { object: Uuid; number: number } {
  const { graph } = workspace.replica.reading;
  const object = objectAt(workspace, path) ?? idInFile(workspace, path);
  const number = object === null ? none : graph.findObject(object);
  if (object === null || number === none) throw new Fault('not-tracked', { path });
  return { object, number };
}

function idInFile(workspace: Workspace, path: string): Uuid | null {
  return readDocument(readFile(workspace, path), path).identity?.id ?? null;
}

/** A recorded revision by what a person types: `v3`, a whole name, or enough of its hash. */
function findRevision(workspace: Workspace, path: string, typed: string): number {
  const { graph } = workspace.replica.reading;
  const { number } = trackedDocument(workspace, path);
  const wanted = typed.toLowerCase();
  const nodes = [...graph.revisions(number)];
  const found = /^v\d+$/u.test(wanted)
    ? nodes.filter((node) => `v${graph.depth(node)}` === wanted)
    : nodes.filter(
        (node) =>
          wanted !== '' &&
          graph
            .revisionText(node)
            .slice(wanted.startsWith('rev1:') ? 0 : 5)
            .startsWith(wanted),
      );
  if (found.length === 1) return found[0]!;
  if (found.length === 0) throw new Fault('revision-unknown', { path, revision: typed });
  const candidates = found.map((node) => graph.revisionText(node).slice(0, 17)).join(', ');
  throw new Fault('revision-ambiguous', { path, revision: typed, candidates });
}

/** A version of a document as it is stored, or as it is on disk. */
export interface Version {
  readonly revision: RevisionId | null;
  readonly label: string | null;
  readonly hash: string;
  readonly bytes: Buffer;
  readonly binary: boolean;
}

/** A recorded version with its stored content. Throws where it is not known, or its snapshot is missing or damaged. */
export function versionAt(workspace: Workspace, path: string, typed: string): Version {
  const { graph } = workspace.replica.reading;
  const node = findRevision(workspace, path, typed);
  const hash = graph.contentText(node);
  const snapshot = workspace.snapshots.get(hash);
  const revision = graph.revisionText(node);
  if (snapshot.kind === 'missing') throw new Fault('content-unavailable', { path, revision: typed });
  if (snapshot.kind === 'damaged') throw new Fault('content-damaged', { path, revision: typed });
  const { binary } = readDocument(snapshot.bytes, path);
  return { revision, label: `v${graph.depth(node)}`, hash, bytes: snapshot.bytes, binary };
}

function versionOnDisk(workspace: Workspace, path: string): Version {
  const bytes = readFile(workspace, path);
  const { masked, binary, contentHash } = readDocument(bytes, path);
  return { revision: null, label: null, hash: contentHash, bytes: masked === null ? bytes : Buffer.from(masked, 'utf8'), binary };
}

/** The content of a revision (`stemma show`): the canonical text without its identity block, or the bytes. */
export function show(workspace: Workspace, path: string, typed: string): Outputs['show'] {
  const { object } = trackedDocument(workspace, path);
  const { revision, label, hash, bytes, binary } = versionAt(workspace, path, typed);
  const content = binary ? { text: null, base64: bytes.toString('base64') } : { text: bytes.toString('utf8'), base64: null };
  const where = { object, path: workspace.replica.reading.facts.pathOf(object) };
  return { ...where, revision: revision!, label: label!, content_hash: hash, binary, ...content };
}

/** What changed between two revisions, or since one (`stemma diff`). */
export function diff(workspace: Workspace, path: string, from: string, to: string | null): Outputs['diff'] {
  const { object } = trackedDocument(workspace, path);
  const before = versionAt(workspace, path, from);
  const after = to === null ? versionOnDisk(workspace, path) : versionAt(workspace, path, to);
  const side = ({ revision, label, hash }: Version) => ({ revision, label, content_hash: hash });
  const where = { object, path: workspace.replica.reading.facts.pathOf(object), from: side(before), to: side(after) };
  const equal = before.hash === after.hash;
  if (before.binary || after.binary) return { ...where, equal, binary: true, added: 0, removed: 0, diff: null };
  const [left, right] = [before.bytes.toString('utf8'), after.bytes.toString('utf8')];
  const parts = equal ? [] : diffLines(left, right);
  const lines = (pick: 'added' | 'removed') => parts.filter((part) => part[pick]).reduce((sum, part) => sum + (part.count ?? 0), 0);
  const patch = equal
    ? ''
    : createTwoFilesPatch(`a/${path}`, `b/${path}`, left, right, before.label ?? 'on disk', after.label ?? 'on disk', {
        headerOptions: FILE_HEADERS_ONLY,
      });
  return { ...where, equal, binary: false, added: lines('added'), removed: lines('removed'), diff: patch };
}
