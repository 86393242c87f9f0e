import type { Digest } from '#kernel/digest';
import type { RevisionCheck } from '#kernel/graph';
import { wordsFromHex } from '#kernel/key-table';

const heading = Uint8Array.from('vmark-rev\nsha256:', (character) => character.charCodeAt(0));
const parentHeading = Uint8Array.from('rev1:', (character) => character.charCodeAt(0));
const digits = Uint8Array.from('0123456789abcdef', (character) => character.charCodeAt(0));

/** Recomputes revision names (`spec/format.md` §3) from words, without making a text of each hash. */
export function revisionCheck(digest: Digest): RevisionCheck {
  let preimage = new Uint8Array(4096);
  const right = new Uint32Array(8);
  return (content, contentAt, parents, from, to) => {
    const length = heading.length + 65 + (to - from) * 70;
    if (length > preimage.length) preimage = new Uint8Array(length);
    preimage.set(heading);
    let at = writeHash(preimage, heading.length, content, contentAt);
    for (const parent of sorted(parents, from, to)) {
      preimage.set(parentHeading, at);
      at = writeHash(preimage, at + parentHeading.length, parents, parent * 8);
    }
    wordsFromHex(digest.sha256Ascii(preimage, at), 0, 8, right, 0);
    return right;
  };
}

function writeHash(out: Uint8Array, from: number, words: Uint32Array, wordsAt: number): number {
  let at = from;
  for (let word = 0; word < 8; word++) {
    const value = words[wordsAt + word]!;
    for (let shift = 28; shift >= 0; shift -= 4) out[at++] = digits[(value >>> shift) & 15]!;
  }
  out[at++] = 0x0a;
  return at;
}

function sorted(parents: Uint32Array, from: number, to: number): number[] {
  if (to - from === 1) return [from];
  const order = Array.from({ length: to - from }, (_, i) => from + i);
  return order.sort((a, b) => {
    for (let i = 0; i < 8; i++) {
      const difference = parents[a * 8 + i]! - parents[b * 8 + i]!;
      if (difference !== 0) return difference;
    }
    return 0;
  });
}
