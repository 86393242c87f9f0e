import { hash } from 'node:crypto';
import type { Digest } from '#kernel/digest';

/** Node's own SHA-256 and UTF-8, for the kernel. */
export const digest: Digest = {
  sha256: (text) => hash('sha256', text, 'hex'),
  sha256Ascii: (bytes, length) => hash('sha256', Buffer.from(bytes.buffer, bytes.byteOffset, length).toString('latin1'), 'hex'),
  utf8Length: (text) => Buffer.byteLength(text, 'utf8'),
};
