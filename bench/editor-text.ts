/** The sizes that are measured, in characters. The second is the longest that is drawn as live preview. */
export const sizes: readonly (readonly [name: string, length: number])[] = [
  ['100 KB', 100_000],
  ['1 MB', 1_000_000],
  ['10 MB', 10_000_000],
  ['50 MB', 50_000_000],
];

const words = 'the ferry came at noon and Ines wrote with her left hand while Marcus held the rope of the small grey boat'.split(' ');

/** A text of ordinary Markdown, the same every time: chapters with lists, quotes, links, emphasis, code and a table now and then. */
export function markdownOf(length: number): string {
  const parts: string[] = [];
  let size = 0;
  let seed = 1;
  const next = (below: number) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
    return seed % below;
  };
  const some = (count: number) => Array.from({ length: count }, () => words[next(words.length)]).join(' ');
  while (size < length) {
    const block = blockOf(next(12), parts.length, some);
    parts.push(block);
    size += block.length + 2;
  }
  return parts.join('\n\n').slice(0, length);
}

function blockOf(kind: number, at: number, some: (count: number) => string): string {
  if (kind === 0) return `## Chapter ${at} ${some(3)}`;
  if (kind === 1) return [1, 2, 3].map((item) => `- ${some(6)} ${item}`).join('\n');
  if (kind === 2) return `> ${some(20)}\n> ${some(10)}`;
  if (kind === 3) return `\`\`\`js\nconst a${at} = ${at}; // ${some(3)}\n\`\`\``;
  if (kind === 4 && at % 5 === 0) return `| ${some(1)} | ${some(1)} |\n| --- | --- |\n| ${some(2)} | ${some(2)} |`;
  return `${some(14)} **${some(2)}** ${some(9)} *${some(1)}* ${some(8)}, [${some(2)}](https://example.org/${at}) ${some(12)} \`${some(1)}\` ${some(20)}.`;
}
