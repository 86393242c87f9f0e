import { join } from 'node:path';
import { sightDocument } from '#core/document';
import { type DecodedText, decodeText, samplesOf, type WantedEncoding } from '#core/text-encoding';
import { openLimit, readFile } from '#core/workspace/record';
import { bytesHash } from '#core/workspace/save';
import { untracked } from '#core/workspace/tracking';
import { policyOf, type Workspace } from '#core/workspace/workspace';
import { Fault, faultFromSystem } from '#protocol';
import type { OpenedDocument } from '#protocol/document-calls';
import type { EncodingSample } from '#protocol/encoding';

/** A file that is not tracked, as far as is known, as it is on disk: BOM and line breaks included, through a link where there is one. */
export function openDocument(workspace: Workspace, path: string, wanted: WantedEncoding = {}): OpenedDocument {
  refuseUnopenable(workspace, path);
  const bytes = readFile(workspace, path);
  const decoded = decodeText(path, bytes, wanted);
  if (decoded === null) return { kind: 'not-text', bytes: bytes.length };
  return {
    kind: 'text',
    ...decodedParts(decoded),
    base: bytesHash(bytes),
    content: contentOf(workspace, path, bytes),
    tracking: untracked,
  };
}

/** A text as a page is told of it: UTF-8 is not said. */
export const decodedParts = ({ encoding, ...rest }: DecodedText) => (encoding === 'utf-8' ? rest : { encoding, ...rest });

/** How the bytes of a file read in each encoding. */
export function encodingSamples(workspace: Workspace, path: string): EncodingSample[] {
  refuseUnopenable(workspace, path);
  return samplesOf(readFile(workspace, path));
}

/** Null where there is nothing to record it, or nobody can tell. */
function contentOf(workspace: Workspace, path: string, bytes: Buffer): string | null {
  try {
    return policyOf(workspace) === 'nothing' ? null : sightDocument(bytes, path).contentHash;
  } catch {
    return null;
  }
}

/** A pipe or a device would be waited for without end. */
function refuseUnopenable({ disk, root }: Workspace, path: string): void {
  try {
    const stat = disk.statSync(join(root, path));
    if (stat.isDirectory()) throw new Fault('is-a-folder', { path });
    if (!stat.isFile()) throw new Fault('file-unreadable', { path });
    if (stat.size > openLimit) throw new Fault('file-too-large', { path, bytes: stat.size, limit: openLimit });
  } catch (error) {
    throw faultFromSystem(error, path);
  }
}
