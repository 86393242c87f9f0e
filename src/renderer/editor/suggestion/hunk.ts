import { presentableDiff } from '@codemirror/merge';

/** A part of a text that an answer would have otherwise; places are of the text, `from` equal to `to` where something is only added. */
export interface Hunk {
  readonly from: number;
  readonly to: number;
  readonly inserted: string;
}

/** Beyond this many changed characters in one place the comparison is coarse; and it takes no longer than so many ms. */
const config = { scanLimit: 2000, timeout: 300 };
/** Changes with no more unchanged words between them are one. */
const bridge = 2;

/** How an answer differs from a text, as parts that can each be taken or left: no two of them touch. */
export function hunksOf(text: string, answer: string): readonly Hunk[] {
  const joined: { fromA: number; toA: number; fromB: number; toB: number }[] = [];
  for (const { fromA, toA, fromB, toB } of presentableDiff(text, answer, config)) {
    const last = joined.at(-1);
    if (last !== undefined && isBridged(text.slice(last.toA, fromA))) Object.assign(last, { toA, toB });
    else joined.push({ fromA, toA, fromB, toB });
  }
  return joined.map(({ fromA, toA, fromB, toB }) => ({ from: fromA, to: toA, inserted: answer.slice(fromB, toB) }));
}

function isBridged(gap: string): boolean {
  return gap === '' || (!gap.includes('\n') && gap.split(/\s+/u).filter(Boolean).length <= bridge);
}

/** The same while an answer is still coming: what it has not come to yet is no change. */
export function comingHunks(text: string, answer: string): readonly Hunk[] {
  return hunksOf(text, answer).flatMap((hunk) => {
    if (hunk.to < text.length) return [hunk];
    return hunk.inserted === '' ? [] : [{ ...hunk, to: hunk.from }];
  });
}

/**
 * An answer as it would stand in the place of a text: what models put around it (fences, the lines of the prompt) is taken off, and the
 * blank around the text is kept as it was.
 */
export function fitted(text: string, answer: string): string {
  const lines = answer.replaceAll(/\r\n?/gu, '\n').split('\n');
  const said = lines.filter((line) => !/^⟦[^⟧]*⟧$/u.test(line.trim())).join('\n');
  const bare = unfenced(text, said).trim();
  if (text.trim() === '') return bare;
  return bare === '' ? '' : (/^\s*/u.exec(text)?.[0] ?? '') + bare + (/\s*$/u.exec(text)?.[0] ?? '');
}

/** A fence around the whole answer is the model’s, unless the text has one itself. */
function unfenced(text: string, answer: string): string {
  const fence = /^\s*(`{3,}|~{3,})[^\n]*\n([\s\S]*?)\n\1\s*$/u.exec(answer);
  return fence === null || /^\s*(`{3,}|~{3,})/u.test(text) ? answer : fence[2]!;
}
