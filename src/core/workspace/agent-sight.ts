import { createHash } from 'node:crypto';
import { splitText } from '#core/workspace/agent-text';
import { piecesOf, type Turns } from '#core/workspace/turns';
import type { Identity } from '#kernel/identity';
import { type ContentHash, toContentHash } from '#kernel/revision';
import { canonicalText, foldLineEndings } from '#kernel/text';

/** A document as an agent is given it, and what the ledger knows it by. */
export interface Sighted {
  readonly text: string;
  readonly identity: Identity | null;
  readonly hash: ContentHash;
}

/** What `servedText` and `readDocument` say of a text, in turns: a large one keeps nobody waiting. */
export async function sightText(raw: string, turns: Turns): Promise<Sighted> {
  const { served, masked, identity, rest } = splitText(raw);
  const digest = createHash('sha256').update(masked, 'utf8');
  const parts = [served];
  for (const piece of piecesOf(raw, rest)) {
    digest.update(canonicalText(piece), 'utf8');
    parts.push(foldLineEndings(piece));
    await turns.rest();
  }
  return { text: parts.join(''), identity, hash: toContentHash(digest.digest('hex')) };
}
