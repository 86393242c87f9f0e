/**
 * A parsed file as flat columns, in pre-order: node `n` has its children from `n + 1` on, each starting where the one before
 * ended in `next`. Positions are UTF-16 units of `source`.
 */
export interface SyntaxTree {
  readonly source: string;
  /** How many nodes there are; the columns may be longer. */
  readonly size: number;
  readonly kinds: Uint16Array;
  readonly fields: Uint8Array;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  /** The first node after the subtree. */
  readonly next: Uint32Array;
  /** Nodes that the parser could not place or had to invent, ascending. */
  readonly damage: readonly number[];
}

/** No node. */
export const NONE = -1;

/** The children of a node, comments included, in order. */
export function childrenOf(tree: SyntaxTree, node: number): number[] {
  const children: number[] = [];
  const end = tree.next[node] as number;
  for (let child = node + 1; child < end; child = tree.next[child] as number) children.push(child);
  return children;
}

/** Whether a node has no children. */
export const isLeaf = (tree: SyntaxTree, node: number): boolean => tree.next[node] === node + 1;

/** The source text of a node. */
export const textOf = (tree: SyntaxTree, node: number): string => tree.source.slice(tree.starts[node], tree.ends[node]);

/** Whether the parser stumbled anywhere from node `from` to before node `to`. */
export function hasDamage(tree: SyntaxTree, from: number, to: number): boolean {
  const at = damageFrom(tree, from);
  return at < tree.damage.length && (tree.damage[at] as number) < to;
}

/** Whether the parser stumbled right before node `from` or right behind what ends before node `to`: what stands between may be cut off. */
export function touchesDamage(tree: SyntaxTree, from: number, to: number, end: number): boolean {
  const { source, starts, ends, damage } = tree;
  const before = damage[damageFrom(tree, from) - 1];
  const behind = damage[damageFrom(tree, to)];
  const isBlank = (start: number, until: number) => start <= until && source.slice(start, until).trim() === '';
  return (
    (before !== undefined && isBlank(ends[before] as number, starts[from] as number)) ||
    (behind !== undefined && isBlank(end, starts[behind] as number))
  );
}

/** The place in the list of the first damage from a node on. */
function damageFrom({ damage }: SyntaxTree, node: number): number {
  let low = 0;
  let high = damage.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((damage[middle] as number) < node) low = middle + 1;
    else high = middle;
  }
  return low;
}
