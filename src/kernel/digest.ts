/** What the kernel asks of its surroundings: it writes neither SHA-256 nor UTF-8 itself. */
export interface Digest {
  /** Lowercase hex SHA-256 of the UTF-8 bytes of `text`. */
  sha256(text: string): string;
  /** Lowercase hex SHA-256 of bytes. */
  sha256Bytes(bytes: Uint8Array): string;
  /** How many bytes `text` takes in UTF-8. */
  utf8Length(text: string): number;
}
