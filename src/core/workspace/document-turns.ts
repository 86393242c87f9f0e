import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { type Document, isBinaryPath, knownDocument, readDocument, rememberDocument } from '#core/document';
import { splitText } from '#core/workspace/agent-text';
import { piecesOf, takeTurns } from '#core/workspace/turns';
import { toContentHash } from '#kernel/revision';
import { canonicalText } from '#kernel/text';

/** From how many bytes on a document is read in turns. */
const large = 256 * 1024;

/**
 * What `readDocument` says of a file's bytes, in turns where they are many: a document of megabytes keeps nobody waiting. `readDocument` of the
 * same buffer then has the answer at once; who has asked here does not change the buffer.
 */
export async function readInTurns(bytes: Uint8Array, path: string): Promise<Document> {
  const known = knownDocument(bytes, path);
  if (known !== null) return known;
  const document = bytes.length < large || isBinaryPath(path) || !isUtf8(bytes) ? readDocument(bytes, path) : await readLarge(bytes);
  rememberDocument(bytes, path, document);
  return document;
}

async function readLarge(bytes: Uint8Array): Promise<Document> {
  const turns = takeTurns();
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  const { masked, identity, rest } = splitText(text);
  const digest = createHash('sha256').update(masked, 'utf8');
  const parts = [masked];
  for (const piece of piecesOf(text, rest)) {
    await turns.rest();
    const canonical = canonicalText(piece);
    digest.update(canonical, 'utf8');
    parts.push(canonical);
  }
  return { binary: false, text, identity, contentHash: toContentHash(digest.digest('hex')), masked: parts.join('') };
}
