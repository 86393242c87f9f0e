import type { Digest } from '#kernel/digest';

declare const brand: unique symbol;

/** `sha256:` and 64 lowercase hex digits: what a text says, without its identity. */
export type ContentHash = string & { readonly [brand]: 'ContentHash' };

/** `rev1:` and 64 lowercase hex digits: one version, by its content and its parents. */
export type RevisionId = string & { readonly [brand]: 'RevisionId' };

/** Reads a content hash; null when it is not written exactly so. */
export function parseContentHash(text: string): ContentHash | null {
  return /^sha256:[0-9a-f]{64}$/.test(text) ? (text as ContentHash) : null;
}

/** Reads a revision id; null when it is not written exactly so. */
export function parseRevisionId(text: string): RevisionId | null {
  return /^rev1:[0-9a-f]{64}$/.test(text) ? (text as RevisionId) : null;
}

/** The content hash whose SHA-256 is already known, as 64 lowercase hex digits. */
export function toContentHash(hex: string): ContentHash {
  const hash = parseContentHash(`sha256:${hex}`);
  if (hash === null) throw new RangeError('BUG: not a SHA-256 in lowercase hex.');
  return hash;
}

/** The content hash of a masked canonical text, or of a slice of one (format.md §3). */
export function contentHash(digest: Digest, masked: string): ContentHash {
  return toContentHash(digest.sha256(masked));
}

/** The id of the version with this content and these parents. The order given does not matter; a repeated parent counts twice. */
export function revisionId(digest: Digest, hash: ContentHash, parents: readonly RevisionId[]): RevisionId {
  const preimage = ['vmark-rev', hash, ...[...parents].sort()].map((line) => `${line}\n`).join('');
  return `rev1:${digest.sha256(preimage)}` as RevisionId;
}
