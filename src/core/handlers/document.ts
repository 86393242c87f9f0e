import { isUtf8 } from 'node:buffer';
import type { Core } from '#core/core';
import { byHand, bytesHash, type SaveOutcome, type SaveRecord } from '#core/workspace/save';
import type { Uuid } from '#kernel/uuid';
import type { CallInput, Handlers, RecordedAs, SavedDocument } from '#protocol/calls';

/** Opening, saving and making documents, and the tree that they are in. */
export function documentHandlers(core: Core) {
  return {
    'workspace/info': () => core.info(),
    'workspace/set-provenance': ({ on }) => core.setProvenance(on),
    'workspace/files': () => core.tree(),
    'document/open': ({ path }) => core.openDocument(path),
    'document/create': ({ path, text }) => core.createDocument(path, text),
    'document/save': (input) => saveDocument(core, input),
  } satisfies Partial<Handlers>;
}

async function saveDocument(core: Core, { path, text, base, idem }: CallInput<'document/save'>): Promise<SavedDocument> {
  const request = { ...byHand, path, bytes: Buffer.from(text, 'utf8'), base, idem: idem as Uuid };
  const first = await core.save(request);
  const isThere = first.kind === 'conflict' && first.bytes?.equals(request.bytes) === true;
  // What is on disk is what the writer wants there, whoever wrote it: nothing to decide, and the ledger is asked with that as the base.
  const outcome = isThere ? await core.save({ ...request, base: bytesHash(request.bytes) }) : first;
  return outcome.kind === 'conflict' ? conflictOf(outcome) : savedOf(core, path, outcome);
}

/** A text is null where there is none: the file is gone, or is no UTF-8 any more. */
function conflictOf({ bytes }: Extract<SaveOutcome, { kind: 'conflict' }>): SavedDocument {
  const text = bytes !== null && isUtf8(bytes) ? bytes.toString('utf8') : null;
  return { kind: 'conflict', text, base: bytes === null ? null : bytesHash(bytes) };
}

async function savedOf(
  core: Core,
  path: string,
  { bytes, base, recorded }: Extract<SaveOutcome, { kind: 'saved' }>,
): Promise<SavedDocument> {
  const tracking = await core.tracking(path);
  return { kind: 'saved', text: bytes.toString('utf8'), base, recorded: recordedAs(recorded), tracking };
}

function recordedAs(recorded: SaveRecord): RecordedAs {
  if (recorded.kind === 'failed') return { kind: 'failed', code: recorded.code, detail: recorded.detail };
  if (recorded.kind === 'off') return { kind: 'off' };
  return { kind: recorded.entry === null ? 'unchanged' : 'recorded' };
}
