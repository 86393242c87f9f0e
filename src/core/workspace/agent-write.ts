import { isUtf8 } from 'node:buffer';
import { join } from 'node:path';
import { type Agents, unnamedAgent } from '#core/agents';
import { readDocument } from '#core/document';
import { readIfThere } from '#core/storage/disk';
import { noReads, type PinnedReads, pinReads, stampTaken } from '#core/workspace/agent-input';
import { documentPlace, readForAgent, refuseLarge } from '#core/workspace/agent-place';
import { type Answered, readingOf } from '#core/workspace/agent-read';
import { rewritten, rewrittenByEdits, servedText, takenText } from '#core/workspace/agent-text';
import type { PinnedInput } from '#core/workspace/capture';
import { readInTurns } from '#core/workspace/document-turns';
import { makeFolders } from '#core/workspace/made-folders';
import { hasLedger } from '#core/workspace/place';
import { bytesHash, type SaveOutcome, save } from '#core/workspace/save';
import { scan } from '#core/workspace/scan';
import { finishStaged } from '#core/workspace/staging';
import { type Turns, takeTurns } from '#core/workspace/turns';
import { entryLine } from '#core/workspace/version';
import { rowWithIdem } from '#core/workspace/versions';
import { policyOf, type Workspace } from '#core/workspace/workspace';
import { folderOf } from '#kernel/address';
import { none } from '#kernel/key-table';
import type { RevisionId } from '#kernel/revision';
import type { Uuid } from '#kernel/uuid';
import { Fault } from '#protocol';
import type { AgentWrite } from '#protocol/agent-calls';
import type { CallInput } from '#protocol/calls';

type Request = CallInput<'agent/write'>;
type Written = Extract<AgentWrite, { kind: 'written' }>['answer'];
type Author = Written['agent'];

/** What a write needs besides its workspace. */
export interface WriteParts {
  readonly agents: Agents;
  readonly answered: Answered | null;
}

/**
 * Writes a document for an agent: compared with what the agent read, kept in the file's own endings with its BOM and block, and recorded as
 * resting on what the agent read. A document that is another by now is a conflict, and nothing is written. The caller holds the lock where
 * there is a ledger to write.
 */
export async function agentWrite(workspace: Workspace, request: Request, { agents, answered }: WriteParts): Promise<AgentWrite> {
  const agent = authorOf(agents, request.credential);
  const path = documentPlace(workspace, request.path);
  const before = bytesBefore(workspace, path);
  const { change } = request;
  const isMoved =
    change.action === 'create' ? before !== null : before !== null && (await readInTurns(before, path)).contentHash !== change.base;
  if (isMoved) {
    const earlier = await writtenEarlier(workspace, path, request, agent);
    if (earlier !== null) return { kind: 'written', answer: earlier };
    if (before !== null && isThereAlready(workspace, request, before)) return unrecorded(path, request, agent, before);
    if (change.action === 'create') throw new Fault('already-exists', { path });
    return { kind: 'conflict', now: await nowAt(workspace, path, answered) };
  }
  const turns = takeTurns();
  const bytes = await bytesAfter(path, before, change, turns);
  refuseLarge(path, bytes.length);
  await turns.rest();
  const unmake = before === null ? makeFolders(workspace, folderOf(path), path) : () => {};
  try {
    const reads = await pinned(workspace, path, before, request);
    const outcome = await save(workspace, {
      path,
      bytes,
      base: before === null ? null : bytesHash(before),
      inputs: reads.inputs,
      needs: reads.needs,
      agent,
      intent: { kind: 'mcp-document-write', summary: summaryOf(request), prompt_hash: null },
      confidence: 'inferred',
      idem: request.idem as Uuid,
    });
    if (outcome.kind === 'conflict') return { kind: 'conflict', now: await nowAt(workspace, path, answered) };
    if (outcome.recorded.kind === 'recorded' && outcome.recorded.entry !== null) await stampTaken(workspace, reads.taken);
    return { kind: 'written', answer: answerOf(path, request, agent, outcome, reads) };
  } catch (error) {
    unmake();
    throw error;
  }
}

/** Who writes: the agent of a token, else somebody outside. A token that is nobody's is said, and nothing is written under another name. */
function authorOf(agents: Agents, credential: string | null): Author {
  if (credential === null) return { type: 'external', id: unnamedAgent };
  const name = agents.whose(credential);
  if (name === null) throw new Fault('agent-unknown', {});
  return { type: 'model', id: name };
}

/** Null where there is no file. What an agent may not read it may not write over. */
function bytesBefore(workspace: Workspace, path: string): Buffer | null {
  try {
    return readForAgent(workspace, path);
  } catch (error) {
    if (error instanceof Fault && error.code === 'file-missing') return null;
    throw error;
  }
}

async function bytesAfter(path: string, before: Buffer | null, change: Request['change'], turns: Turns): Promise<Buffer> {
  if (change.action === 'create') return Buffer.from(takenText(change.text).toWellFormed(), 'utf8');
  if (before === null) throw new Fault('file-missing', { path });
  const { yamlMapping } = await import('#core/yaml');
  const raw = before.toString('utf8');
  await turns.rest();
  const isWhole = change.action === 'replace';
  const text = isWhole
    ? await rewritten(raw, change.text, yamlMapping, turns)
    : await rewrittenByEdits(raw, change.edits, yamlMapping, turns);
  if (text === null) throw new Fault('identity-unwritable', { path });
  await turns.rest();
  return Buffer.from(text.toWellFormed(), 'utf8');
}

/** Files are reconciled first. Where the ledger cannot be read or written, the save says why, and no read is pinned. */
async function pinned(workspace: Workspace, path: string, before: Buffer | null, { reads }: Request): Promise<PinnedReads> {
  try {
    const policy = policyOf(workspace);
    if (policy === 'nothing') return noReads;
    await workspace.replica.refresh();
    const report = hasLedger(workspace.disk, workspace.root) ? await scan(workspace, { mode: 'append' }) : null;
    const written = before === null ? null : readDocument(before, path).identity;
    const object = written?.id ?? workspace.replica.reading.facts.objectAt(path);
    // Where only what is tracked is recorded, the inputs of a document that is not are nothing to record.
    if (policy !== 'adopt' && object === null) return noReads;
    return await pinReads(workspace, reads, { path, object }, report);
  } catch {
    return { ...noReads, leftOut: reads.map((read) => ({ path: read.path, reason: 'unreadable' as const })) };
  }
}

function summaryOf({ change, leftOut }: Request): string {
  const done = { create: 'created', replace: 'replaced', edit: 'edited' }[change.action];
  return leftOut === 0 ? `${done} by an agent` : `${done} by an agent; ${leftOut} older reads left out`;
}

function nowAt(workspace: Workspace, path: string, answered: Answered | null) {
  const bytes = readIfThere(workspace.disk, join(workspace.root, path));
  return bytes === null || !isUtf8(bytes) ? null : readingOf(workspace, path, bytes, answered);
}

type Saved = Extract<SaveOutcome, { kind: 'saved' }>;

function answerOf(path: string, { leftOut }: Request, agent: Author, { bytes, recorded }: Saved, reads: PinnedReads): Written {
  if (recorded.kind === 'due') throw new RangeError('BUG: only autosave leaves a record due.');
  const isRecorded = recorded.kind === 'recorded';
  const failure = recorded.kind === 'failed' ? { code: recorded.code, message: recorded.message } : { code: null, message: null };
  return {
    path,
    hash: readDocument(bytes, path).contentHash,
    id: isRecorded ? recorded.object : null,
    revision: isRecorded ? recorded.revision : null,
    recorded: {
      kind: isRecorded && recorded.entry === null ? 'unchanged' : recorded.kind,
      entry: isRecorded ? recorded.entry : null,
      ...failure,
    },
    agent,
    inputs:
      isRecorded && recorded.entry !== null
        ? reads.inputs.map(({ path: at, object, revision, role }) => ({ path: at, object, revision, role }))
        : [],
    left_out: reads.leftOut.map((one) => ({ ...one })),
    left_out_older: leftOut,
  };
}

/** A write whose answer was lost is asked for again: its entry is there under its idem, and the file has its text. */
async function writtenEarlier(workspace: Workspace, path: string, request: Request, agent: Author): Promise<Written | null> {
  const { disk, root, replica } = workspace;
  if (!hasLedger(disk, root)) return null;
  await replica.refresh();
  await finishStaged(workspace);
  const { graph, facts } = replica.reading;
  const row = rowWithIdem(graph, request.idem as Uuid);
  const bytes = readIfThere(disk, join(root, path));
  if (row === none || bytes === null) return null;
  const { outputs, inputs } = (JSON.parse(entryLine(workspace, row)) as { body: Transformed }).body;
  const [output] = outputs;
  if (output === undefined || output.content_hash !== readDocument(bytes, path).contentHash) return null;
  const { object, revision } = output;
  const read = inputs.map((input) => ({ ...input, path: facts.pathOf(input.object) ?? path }));
  // Who died after the entry was written may not have stamped what it took in.
  await stampTaken(workspace, new Map(read.map((input) => [input.object, input.path])));
  const recorded = { kind: 'recorded' as const, object, revision, entry: graph.entryText(row) };
  return answerOf(path, request, agent, { kind: 'saved', bytes, base: bytesHash(bytes), recorded }, { ...noReads, inputs: read });
}

/** Without a ledger nothing tells whose a text is; that the wanted one is there is all that was asked for. */
function isThereAlready(workspace: Workspace, { change, again = false }: Request, before: Buffer): boolean {
  if (!again || change.action === 'edit' || policyOf(workspace) !== 'nothing') return false;
  return servedText(before.toString('utf8')) === takenText(change.text);
}

function unrecorded(path: string, request: Request, agent: Author, bytes: Buffer): AgentWrite {
  const saved = { kind: 'saved' as const, bytes, base: bytesHash(bytes), recorded: { kind: 'off' as const } };
  return { kind: 'written', answer: answerOf(path, request, agent, saved, noReads) };
}

interface Transformed {
  readonly outputs: readonly { readonly object: Uuid; readonly revision: RevisionId; readonly content_hash: string }[];
  readonly inputs: readonly Omit<PinnedInput, 'path'>[];
}
