import { hash } from 'node:crypto';
import type { Digest } from '#kernel/digest';

/** Node's own SHA-256 and UTF-8, for the kernel. */
export const digest: Digest = {
  sha256: (text) => hash('sha256', text, 'hex'),
  sha256Bytes: (bytes) => hash('sha256', bytes, 'hex'),
  utf8Length: (text) => Buffer.byteLength(text, 'utf8'),
};
