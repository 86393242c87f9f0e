const inWord = /[\p{L}\p{N}\p{M}_\u{d800}-\u{dfff}]/u;

/** What two lines begin and end with alike, in UTF-16 units; no word is parted. */
export function commonEnds(before: string, after: string): { readonly head: number; readonly tail: number } {
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head++;
  while (head > 0 && inWord.test(before[head - 1]!)) head--;
  let tail = 0;
  while (tail < most - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  while (tail > 0 && inWord.test(before.at(-tail)!)) tail--;
  return { head, tail };
}
