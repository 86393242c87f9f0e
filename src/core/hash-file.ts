import { readFileSync } from 'node:fs';
import { readDocument } from '#core/document';
import { realDisk } from '#core/storage/disk';
import { confine, findRoot } from '#core/workspace/place';
import { faultFromSystem, type Outputs } from '#protocol';

/**
 * The content hash of a file and the identity that it carries (`stemma hash`). A pure read that opens neither git nor
 * the ledger; `folder` is where the workspace is looked for, and relative names start at `from`.
 */
export function hashFile(folder: string, named: string, from: string): Outputs['hash'] {
  const root = findRoot(realDisk, folder);
  const path = confine(realDisk, root, named, from);
  let bytes: Buffer;
  try {
    bytes = readFileSync(`${root}/${path}`);
  } catch (error) {
    throw faultFromSystem(error, named);
  }
  const document = readDocument(bytes, path);
  return {
    path,
    binary: document.binary,
    content_hash: document.contentHash,
    masked_bytes: document.masked === null ? bytes.length : Buffer.byteLength(document.masked, 'utf8'),
    id: document.identity?.id ?? null,
    schema: document.identity?.schema ?? null,
    tracked_by: document.identity === null ? null : 'id',
  };
}
