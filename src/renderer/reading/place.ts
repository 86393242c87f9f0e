/** A block of text as it lies in a window: its characters and its pixels, from the top of what scrolls. */
export interface Placed {
  readonly from: number;
  readonly to: number;
  readonly top: number;
  readonly height: number;
}

/** Where a character lies, in pixels from the top: inside of its block in proportion, between two blocks between them. 0 without blocks. */
export function topOf(blocks: readonly Placed[], at: number): number {
  const index = lastIndex(blocks, ({ from }) => from <= at);
  const block = blocks[index];
  if (block === undefined) return 0;
  const next = blocks[index + 1];
  const bottom = block.top + block.height;
  if (at <= block.to) return block.top + block.height * share(at - block.from, block.to - block.from);
  return next === undefined ? bottom : bottom + (next.top - bottom) * share(at - block.to, next.from - block.to);
}

/** The character that lies at a height: the inverse of `topOf`, as far as there is one. */
export function characterAt(blocks: readonly Placed[], y: number): number {
  const index = lastIndex(blocks, ({ top }) => top <= y);
  const block = blocks[index];
  if (block === undefined) return 0;
  const next = blocks[index + 1];
  const bottom = block.top + block.height;
  if (y <= bottom) return block.from + (block.to - block.from) * share(y - block.top, block.height);
  return next === undefined ? block.to : block.to + (next.from - block.to) * share(y - bottom, next.top - bottom);
}

const share = (part: number, whole: number) => (whole <= 0 ? 0 : Math.min(1, Math.max(0, part / whole)));

/** The last item that holds, of a list in which those that hold come first. */
function lastIndex(blocks: readonly Placed[], holds: (block: Placed) => boolean): number {
  let [low, high] = [0, blocks.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(blocks[middle]!)) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
