import type { Digest } from '#kernel/digest';
import { wordsFromHex } from '#kernel/key-table';
import { inputAt, outputAt, writeAt } from '#kernel/line-batch';

/**
 * Recomputes the names of the revisions that a packed transformation says it made (`spec/format.md` §3), from words, and
 * marks those that are right: no other one is projected.
 */
export type RevisionCheck = (words: Uint32Array, line: number) => void;

/** Makes the check of revision names. */
export function revisionCheck(digest: Pick<Digest, 'sha256Bytes'>): RevisionCheck {
  const right = new Uint32Array(8);
  let form = preimageForm(8);

  const isRight = (words: Uint32Array, output: number): boolean => {
    const count = words[output + outputAt.parents]!;
    if (count >= form.views.length) form = preimageForm(count * 2);
    putHash(form.pairs, 0, words, output + outputAt.content);
    if (count === 1) putHash(form.pairs, 1, words, output + outputAt.list + 1);
    else
      for (const [at, parent] of sortedParents(words, output + outputAt.list, count).entries()) putHash(form.pairs, at + 1, words, parent);
    wordsFromHex(digest.sha256Bytes(form.views[count]!), 0, 8, right, 0);
    for (let i = 0; i < 8; i++) if (right[i] !== words[output + outputAt.revision + i]) return false;
    return true;
  };

  return (words, line) => {
    let output = line + writeAt.lists + words[line + writeAt.inputs]! * inputAt.size;
    for (let left = words[line + writeAt.outputs]!; left > 0; left--) {
      words[output + outputAt.isRight] = isRight(words, output) ? 1 : 0;
      output += outputAt.list + words[output + outputAt.parents]! * outputAt.parent;
    }
  };
}

const beginning = 'vmark-rev\nsha256:';
/** From one hash of the form to the next: its digits, a newline, and what stands before the next. */
const step = 64 + '\nrev1:'.length;

/** What is hashed for revisions with up to `most` parents, with room for the hashes; `views` of it by the count of parents. */
function preimageForm(most: number): { pairs: Uint16Array; views: Uint8Array[] } {
  const text = beginning + '0'.repeat(64) + `\nrev1:${'0'.repeat(64)}`.repeat(most);
  // The first hash begins at an even byte, and so does each: two digits are put at once.
  const shift = beginning.length % 2;
  const bytes = new Uint8Array(shift + text.length + 2);
  for (let i = 0; i < text.length; i++) bytes[shift + i] = text.charCodeAt(i);
  bytes[shift + text.length] = newline;
  const views = Array.from({ length: most + 1 }, (_, count) => bytes.subarray(shift, shift + beginning.length + 65 + count * step));
  const pairs = new Uint16Array(bytes.buffer, shift + beginning.length, (64 + most * step) / 2);
  return { pairs, views };
}

const newline = 0x0a;
const digitPairs = new Uint16Array(256);
for (let byte = 0; byte < 256; byte++) {
  const text = byte.toString(16).padStart(2, '0');
  new Uint8Array(digitPairs.buffer).set([text.charCodeAt(0), text.charCodeAt(1)], byte * 2);
}

function putHash(pairs: Uint16Array, number: number, words: Uint32Array, wordsAt: number): void {
  let at = (number * step) / 2;
  for (let i = 0; i < 8; i++) {
    const word = words[wordsAt + i]!;
    pairs[at++] = digitPairs[word >>> 24]!;
    pairs[at++] = digitPairs[(word >>> 16) & 255]!;
    pairs[at++] = digitPairs[(word >>> 8) & 255]!;
    pairs[at++] = digitPairs[word & 255]!;
  }
}

/** Where the hashes of parents stand, in the order of their names. */
function sortedParents(words: Uint32Array, list: number, count: number): number[] {
  const order = Array.from({ length: count }, (_, i) => list + i * outputAt.parent + 1);
  return order.sort((a, b) => {
    for (let i = 0; i < 8; i++) {
      const difference = words[a + i]! - words[b + i]!;
      if (difference !== 0) return difference;
    }
    return 0;
  });
}
