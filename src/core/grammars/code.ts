import type { LoadedGrammar } from '#core/grammars/runtime';
import { ERROR_KIND } from '#core/grammars/subtree';
import type { SyntaxTree } from '#kernel/declaration-tree';

/** A parsed file, read by the words of its grammar. Tokens such as `(` and keywords have a quote before their kind: `'(`. */
export interface Code {
  readonly tree: SyntaxTree;
  /** 'ERROR' for what the parser could not place. */
  kind(node: number): string;
  text(node: number): string;
  /** The text as it is shown in a name: no comments, white space only where words need it. */
  words(node: number): string;
  /** '' if the parent gives the node no field; always for tokens. */
  field(node: number): string;
  /** The children, without comments. */
  children(node: number): number[];
  /** The first child of one of these kinds; -1 if none. */
  child(node: number, ...kinds: readonly string[]): number;
  /** The first child with this field; -1 if none. */
  at(node: number, field: string): number;
  /** The children that are not among these. */
  rest(node: number, ...except: readonly number[]): number[];
  /** How many tokens are under a node, comments apart. */
  leaves(node: number): number;
}

/** Reads a tree; `comments` has 1 for the kinds that are not there for it. */
export function readCode(grammar: LoadedGrammar, tree: SyntaxTree, comments: Uint8Array): Code {
  const kind = (node: number): string =>
    tree.kinds[node] === ERROR_KIND ? 'ERROR' : (grammar.kindNames[tree.kinds[node] as number] as string);
  const field = (node: number): string => grammar.fieldNames[tree.fields[node] as number] ?? '';
  const { kinds, next } = tree;
  const children = (node: number): number[] => {
    const found: number[] = [];
    const end = next[node] as number;
    for (let child = node + 1; child < end; child = next[child] as number) if (comments[kinds[child] as number] === 0) found.push(child);
    return found;
  };
  const first = (node: number, isIt: (child: number) => boolean): number => {
    const end = next[node] as number;
    for (let child = node + 1; child < end; child = next[child] as number)
      if (comments[kinds[child] as number] === 0 && isIt(child)) return child;
    return -1;
  };
  let sums: Uint32Array | undefined;
  return {
    tree,
    kind,
    field,
    children,
    text: (node) => tree.source.slice(tree.starts[node], tree.ends[node]),
    words: (node) => compact(textWithout(tree, node, comments)),
    child: (node, ...wanted) => first(node, (child) => wanted.includes(kind(child))),
    at: (node, name) => first(node, (child) => field(child) === name),
    rest: (node, ...except) => children(node).filter((child) => !except.includes(child)),
    leaves(node) {
      sums ??= leafSums(tree, comments);
      return (sums[tree.next[node] as number] as number) - (sums[node] as number);
    },
  };
}

function leafSums({ size, kinds, starts, ends, next }: SyntaxTree, isComment: Uint8Array): Uint32Array {
  const sums = new Uint32Array(size + 1);
  for (let node = 0; node < size; node++) {
    const isToken = next[node] === node + 1 && starts[node] !== ends[node] && isComment[kinds[node] as number] === 0;
    sums[node + 1] = (sums[node] as number) + (isToken ? 1 : 0);
  }
  return sums;
}

function textWithout({ source, kinds, starts, ends, next }: SyntaxTree, node: number, comments: Uint8Array): string {
  let text = '';
  let at = starts[node] as number;
  for (let under = node; under < (next[node] as number); under++) {
    if (comments[kinds[under] as number] === 0) continue;
    text += `${source.slice(at, starts[under])} `;
    at = ends[under] as number;
    under = (next[under] as number) - 1;
  }
  return text + source.slice(at, ends[node]);
}

const compact = (text: string): string =>
  text
    .trim()
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(/ ?([^\p{ID_Continue} ]) ?/gu, '$1')
    .replaceAll(/,/gu, ', ');
