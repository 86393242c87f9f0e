import type { Core } from '#core/core';
import { sightDocument } from '#core/document';
import { fetchPicture } from '#core/remote-picture';
import { decodeText, encodeText } from '#core/text-encoding';
import { type Acceptance, byHand } from '#core/workspace/authorship';
import { decodedParts } from '#core/workspace/opening';
import { bytesHash, type SaveOutcome, type SaveRequest } from '#core/workspace/save';
import type { SaveRecord } from '#core/workspace/save-record';
import type { SettledDue } from '#core/workspace/settling';
import type { ContentHash } from '#kernel/revision';
import type { Uuid } from '#kernel/uuid';
import type { CallInput, Handlers } from '#protocol/calls';
import type { RecordedAs, SavedDocument, SettledDocument } from '#protocol/document-calls';
import type { Encoding } from '#protocol/encoding';

/** Opening, saving and making documents, and the tree that they are in. `rested` is told of each text that autosave left due. */
export function documentHandlers(core: Core, rested: (path: string) => void = () => {}) {
  return {
    'workspace/info': () => core.info(),
    'workspace/set-provenance': ({ on }) => core.setProvenance(on),
    'workspace/files': () => core.tree(),
    'document/open': ({ path, ...wanted }) => core.openDocument(path, wanted),
    'document/encodings': async ({ path }) => ({ samples: await core.encodings(path) }),
    'document/create': ({ path, text }) => core.createDocument(path, text),
    'document/save': async (input) => {
      const saved = await saveDocument(core, input);
      if (saved.kind === 'saved' && saved.recorded.kind === 'due') rested(input.path);
      return saved;
    },
    'document/settle': async ({ path }) => ({ settled: (await core.settle(path)).map(settledAs) }),
    'document/pin': (input) => core.pin(input),
    'document/put-asset': ({ bytes, ...asset }) => core.putAsset({ ...asset, bytes: Buffer.from(bytes, 'base64') }),
    'picture/fetch': ({ url }) => fetchPicture(url),
  } satisfies Partial<Handlers>;
}

/** A settled due as it is told. */
export const settledAs = ({ path, recorded }: SettledDue): SettledDocument => ({ path, recorded: recordedAs(recorded) });

async function saveDocument(
  core: Core,
  { text, accepted = [], undone = [], ...input }: CallInput<'document/save'>,
): Promise<SavedDocument> {
  const { path, base, auto = false, descends = null } = input;
  const request: SaveRequest = {
    ...byHand,
    path,
    base,
    auto,
    bytes: encodeText(path, text, input.encoding),
    idem: input.idem as Uuid,
    descends: descends as ContentHash | null,
    accepted: accepted as readonly unknown[] as readonly Acceptance[],
    undone: undone as readonly string[] as readonly Uuid[],
  };
  const first = await core.save(request);
  const isThere = first.kind === 'conflict' && first.bytes?.equals(request.bytes) === true;
  // What is on disk is what the writer wants there, whoever wrote it: nothing to decide, and the ledger is asked with that as the base.
  const outcome = isThere ? await core.save({ ...request, base: bytesHash(request.bytes) }) : first;
  return outcome.kind === 'conflict' ? conflictOf(path, outcome, input.encoding) : savedOf(core, path, outcome, input.encoding);
}

/** A conflict as the page is told of it. A text is null where there is none: the file is gone, or is no text any more. */
export function conflictOf(path: string, { bytes }: Extract<SaveOutcome, { kind: 'conflict' }>, encoding?: Encoding): SavedDocument {
  const decoded = bytes === null ? null : decodeText(path, bytes, { encoding });
  const base = bytes === null ? null : bytesHash(bytes);
  return { kind: 'conflict', ...(decoded === null ? { text: null } : decodedParts(decoded)), base, content: null };
}

/** A save as the page is told of it. */
export async function savedOf(
  core: Core,
  path: string,
  { bytes, base, recorded }: Extract<SaveOutcome, { kind: 'saved' }>,
  encoding?: Encoding,
): Promise<SavedDocument> {
  const tracking = await core.tracking(path);
  const content = recorded.kind === 'off' ? null : sightDocument(bytes, path).contentHash;
  // What was saved was written in that encoding, also where it would read as UTF-8.
  const text = decodeText(path, bytes, { encoding, chosen: true })?.text ?? bytes.toString('utf8');
  return { kind: 'saved', text, base, content, recorded: recordedAs(recorded), tracking };
}

function recordedAs(recorded: SaveRecord): RecordedAs {
  if (recorded.kind === 'failed') return { kind: 'failed', code: recorded.code, detail: recorded.detail };
  if (recorded.kind !== 'recorded') return { kind: recorded.kind };
  return { kind: recorded.entry === null ? 'unchanged' : 'recorded' };
}
