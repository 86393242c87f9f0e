import { hash } from 'node:crypto';

/** Larger files are not read (code-anchors §3). */
export const largestFile = 1_000_000;

/** A file of code as it was found: nothing of it has been read. */
export interface CodeFile {
  /** In the repository, with `/`. */
  readonly path: string;
  readonly size: number;
  /** Equal stamps: the same content. Null where the content may have changed under an equal stamp. */
  readonly stamp: string | null;
  /** The name that git gives to its content, where that is known without reading it. */
  readonly blob: string | null;
}

/** What is at a path; only `absent` says that nothing is there. */
export type Looked = { readonly kind: 'file'; readonly file: CodeFile } | { readonly kind: 'absent' | 'unreadable' | 'too_large' };

/** The bytes of a file, or why there are none. */
export type ReadBytes =
  | { readonly kind: 'bytes'; readonly bytes: Buffer; readonly stamp: string | null }
  | { readonly kind: 'absent' | 'unreadable' | 'too_large' };

/** Files of a repository that git would not ignore, by path. */
export interface Listing {
  readonly files: readonly CodeFile[];
  /** Whether every folder could be read. */
  readonly complete: boolean;
  /** Whether there are more than were asked for, or than there was time for. */
  readonly more: boolean;
}

/** Where code comes from: a folder as it is on disk, or a commit. Nothing of it is ever run, and no link is followed. */
export interface CodeSource {
  /** Tells its files from those of other sources, in the cache. */
  readonly key: string;
  /** How many files may be on their way at once. */
  readonly atOnce: number;
  look(path: string): Promise<Looked>;
  /** At most `limit` files that `wants` by their path; fewer where `expired` says so. */
  list(wants: (path: string) => boolean, limit: number, expired: () => boolean): Promise<Listing>;
  read(file: CodeFile): Promise<ReadBytes>;
  /** The commit that the code is at, or null. */
  commit(): Promise<string | null>;
  /** The bytes that a commit has at a path; null: nothing there, undefined: it cannot be told. */
  at(commit: string, path: string): Promise<Buffer | null | undefined>;
}

/** The name that git gives to a content (SHA-1). */
export const blobId = (bytes: Uint8Array): string => hash('sha1', Buffer.concat([Buffer.from(`blob ${bytes.length}\0`), bytes]), 'hex');

/** UTF-8 as text without a byte order mark, as the parsers read it, or null where the bytes are none. */
export function decodeSource(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Whether bytes stand for a file that git LFS keeps elsewhere: the code is not here, and is not fetched. */
export const isPointer = (bytes: Uint8Array): boolean =>
  bytes.length < 1024 &&
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1').startsWith('version https://git-lfs.github.com/spec/');
