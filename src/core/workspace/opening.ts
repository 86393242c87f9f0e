import { dirname, join } from 'node:path';
import { readDocument, sightDocument } from '#core/document';
import { isLink } from '#core/storage/disk';
import { type DecodedText, decodeText, samplesOf, type WantedEncoding } from '#core/text-encoding';
import { byHand } from '#core/workspace/authorship';
import { identify } from '#core/workspace/capture';
import { confine } from '#core/workspace/place';
import { openLimit, readFile } from '#core/workspace/record';
import { bytesHash, type SaveRequest } from '#core/workspace/save';
import { objectAt } from '#core/workspace/spelling';
import { policyOf, type Workspace } from '#core/workspace/workspace';
import { Fault, faultFromSystem } from '#protocol';
import type { OpenedDocument, Tracking } from '#protocol/calls';
import type { EncodingSample } from '#protocol/encoding';

/** What is said of a file that is not tracked, or of which nothing can be said. */
export const untracked: Tracking = { by: null, reason: null };

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

/** Whether and how a file with these bytes is tracked; a link never is, and nothing is where provenance is off. */
export async function trackingOf(workspace: Workspace, path: string, bytes: Buffer): Promise<Tracking> {
  const policy = policyOf(workspace);
  if (policy === 'nothing' || isLink(workspace.disk, join(workspace.root, path))) return untracked;
  if (isKnown(workspace, path, bytes)) return { by: 'id', reason: null };
  if (objectAt(workspace, path) === null) return untracked;
  const identified = await identify(workspace, path, bytes, policy);
  return { by: 'path', reason: identified?.byPath ?? null };
}

const hyphen = 0x2d;

/** An id that nobody has recorded yet is tracked with the next save, but not before. A large text without frontmatter is not read for it. */
function isKnown({ replica }: Workspace, path: string, bytes: Buffer): boolean {
  const identity = bytes[0] === hyphen ? readDocument(bytes, path).identity : null;
  return identity !== null && replica.reading.facts.registrations.has(identity.id);
}

/** The save that makes a new file, folders on its way included. A file or a link that is there already is left alone. */
export function creationOf({ disk, root }: Workspace, named: string, text: string): SaveRequest {
  const path = confine(disk, root, named);
  const place = join(root, path);
  if (disk.existsSync(place) || isLink(disk, place)) throw new Fault('already-exists', { path });
  try {
    disk.mkdirSync(dirname(place), { recursive: true });
  } catch (error) {
    throw faultFromSystem(error, path);
  }
  const intent = { kind: 'explorer-new-file', summary: 'new file', prompt_hash: null };
  return { ...byHand, path, bytes: Buffer.from(text, 'utf8'), base: null, intent };
}
