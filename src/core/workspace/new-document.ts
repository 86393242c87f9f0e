import { readDocument } from '#core/document';
import { capture, type Recorded } from '#core/workspace/capture';
import { observed } from '#core/workspace/observation';
import { confine } from '#core/workspace/place';
import { readFile, refuseLink, refuseUnscanned } from '#core/workspace/record';
import { bytesHash } from '#core/workspace/save';
import { scan } from '#core/workspace/scan';
import { policyOf, type Workspace } from '#core/workspace/workspace';
import { replaceId } from '#kernel/identity-change';
import type { Uuid } from '#kernel/uuid';
import { Fault } from '#protocol';

/** A copy that became a document of its own. */
export interface NewDocument extends Recorded {
  readonly path: string;
  readonly derivedFrom: Uuid;
  readonly bytes: Buffer;
}

/**
 * *This copy is a new document* (`spec/format.md` §2): the file gets an id of its own, of which nothing but the
 * characters of the old one change; it is registered as derived from the other, with a first version whose maker is not
 * known. `base` names the file as it was seen. The caller holds the lock.
 */
export async function makeNewDocument(workspace: Workspace, asked: { readonly path: string; readonly base: string }): Promise<NewDocument> {
  const path = confine(workspace.disk, workspace.root, asked.path);
  refuseLink(workspace, path);
  if (policyOf(workspace) === 'nothing') throw new Fault('no-workspace-record', {});
  const report = await scan(workspace, { mode: 'append' });
  refuseUnscanned(report);
  const before = readFile(workspace, path);
  if (bytesHash(before) !== asked.base) throw new Fault('conflict-on-disk', { path });
  const document = readDocument(before, path);
  const old = document.identity?.id;
  const isCopy = old !== undefined && (report.held.get(old)?.includes(path) === true || report.copies.has(path));
  const object = workspace.chance.newId(workspace.chance.now());
  const text = isCopy && document.text !== null ? replaceId(document.text, object) : null;
  if (text === null) throw new Fault('not-a-copy', { path, other: old ?? '' });
  const bytes = Buffer.from(text, 'utf8');
  const own = readDocument(bytes, path);
  const identified = { object, schema: own.identity?.schema ?? null, bytes, document: own, given: before, byPath: null, isStamped: true };
  const due = workspace.dues.at(path);
  const writing = { path, identified, inputs: [], ...observed(null), parents: [], derivedFrom: [old!] };
  const recorded = await capture(workspace, writing, { bytes, before });
  // What was due of this file is the first version of the new document now.
  if (due !== null) workspace.dues.remove(due);
  return { ...recorded, path, derivedFrom: old!, bytes };
}
