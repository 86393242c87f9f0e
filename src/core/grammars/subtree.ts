import { NONE, type SyntaxTree } from '#kernel/declaration-tree';

/** The memory of the runtime. Its arrays are other ones after it has grown: take them anew for each tree. */
export interface RuntimeMemory {
  readonly HEAPU16: Uint16Array;
  readonly HEAPU32: Uint32Array;
}

/** What the rules of a grammar say about the nodes that they make. */
export interface Rules {
  /** By symbol: the kind number that it goes by. */
  readonly kinds: Uint16Array;
  /** By kind: 1 for tokens that say all by their kind; neither children nor fields of theirs are of interest. */
  readonly isToken: Uint8Array;
  /** By production and place of a child in it: the symbol that the child goes by there; 0 for its own. Null: no child has another. */
  readonly aliases: readonly (Uint16Array | null)[];
  /** By production and place of a child in it: the number of its field; 0 for none. Null: no child has any. */
  readonly fields: readonly (Uint8Array | null)[];
}

/** The kind of what the parser could not place. */
export const ERROR_KIND = 0xffff;

/*
 * Where things stand in the pinned runtime (grammars/sources.json), in 32-bit words: a cursor of its own takes as long to
 * walk a tree as parsing it did. `test/core/grammars/subtree.test.ts` compares both over every language.
 */
const language = { symbols: 1, productions: 7, fields: 8, longestAliases: 9, slices: 16, entries: 17, kinds: 19, aliases: 21 } as const;
const heap = { padding: 1, size: 4, children: 9, symbol: 10, flags: 11, visible: 12, production: 16 } as const;

/** Reads the rules of the grammar at an address. */
export function readRules({ HEAPU16: halves, HEAPU32: words }: RuntimeMemory, address: number, tokens: (kind: number) => boolean): Rules {
  const at = (place: number): number => words[(address >> 2) + place] as number;
  const kinds = Uint16Array.from({ length: ERROR_KIND + 1 }, (_, symbol) => symbol);
  kinds.set(halves.subarray(at(language.kinds) >> 1, (at(language.kinds) >> 1) + at(language.symbols)));
  const longest = at(language.longestAliases) & 0xffff;
  const productions = Array.from({ length: at(language.productions) }, (_, production) => production);
  const aliasesOf = (production: number): Uint16Array | null => {
    const from = (at(language.aliases) >> 1) + production * longest;
    const own = halves.slice(from, from + longest);
    return production > 0 && own.some((alias) => alias > 0) ? own : null;
  };
  const fieldsOf = (production: number): Uint8Array | null => {
    const slice = (at(language.slices) >> 1) + production * 2;
    const from = (at(language.entries) >> 1) + (halves[slice] as number) * 2;
    const own = new Uint8Array(256);
    // The first that names a place counts; one that is inherited names a field of what is below it.
    for (let entry = from + (halves[slice + 1] as number) * 2 - 2; entry >= from; entry -= 2) {
      const place = halves[entry + 1] as number;
      if (place < 256) own[place] = halves[entry] as number;
    }
    return own.some((field) => field > 0) ? own : null;
  };
  return {
    kinds,
    isToken: Uint8Array.from(kinds, (_, kind) => (tokens(kind) ? 1 : 0)),
    aliases: productions.map(aliasesOf),
    fields: productions.map((production) => (at(language.fields) === 0 ? null : fieldsOf(production))),
  };
}

/** The columns are used again and again: a tree is read before the next text is parsed. */
let columns = allocate(1 << 16);

function allocate(size: number) {
  return {
    kinds: new Uint16Array(size),
    fields: new Uint8Array(size),
    starts: new Uint32Array(size),
    ends: new Uint32Array(size),
    next: new Uint32Array(size),
  };
}

function enlarge(): void {
  const old = columns;
  columns = allocate(old.kinds.length * 2);
  columns.kinds.set(old.kinds);
  columns.fields.set(old.fields);
  columns.starts.set(old.starts);
  columns.ends.set(old.ends);
  columns.next.set(old.next);
}

/** A node whose children are being read: which is next, where they end, and what they get from it. */
interface Frame {
  child: number;
  end: number;
  /** The place of the next child in the production; what may stand anywhere has none. */
  place: number;
  aliases: Uint16Array | null;
  fields: Uint8Array | null;
  /** The field of a node that does not show, which its children have in its stead. */
  inherited: number;
  /** Its number; NONE where it does not show. */
  node: number;
  /** Where it ends. */
  after: number;
}

const outermost = (tree: number): Frame => {
  return { child: tree >> 2, end: (tree >> 2) + 2, place: 0, aliases: null, fields: null, inherited: 0, node: NONE, after: 0 };
};

/** Reads the tree at an address into columns. */
export function readTree({ HEAPU32: words }: RuntimeMemory, tree: number, source: string, rules: Rules): SyntaxTree {
  const damage: number[] = [];
  const frames: Frame[] = [outermost(tree)];
  let { kinds, fields, starts, ends, next } = columns;
  let frame = frames[0] as Frame;
  let depth = 0;
  let size = 0;
  // Where the next node begins, in bytes of UTF-16, but for the white space before it.
  let at = 0;
  let isFirst = false;
  for (;;) {
    if (frame.child === frame.end) {
      if (frame.node !== NONE) next[frame.node] = size;
      if (depth === 0) break;
      at = frame.after;
      isFirst = false;
      frame = frames[--depth] as Frame;
      continue;
    }
    const head = words[frame.child] as number;
    const isInline = (head & 1) === 1;
    const tail = isInline ? (words[frame.child + 1] as number) : 0;
    const base = head >> 2;
    frame.child += 2;
    const flags = isInline ? head >> 1 : (words[base + heap.flags] as number);
    // A first child begins where its parent does.
    const start = isFirst ? at : at + (isInline ? (tail >>> 16) & 0xff : (words[base + heap.padding] as number));
    isFirst = false;
    at = start + (isInline ? tail >>> 24 : (words[base + heap.size] as number));
    let alias = 0;
    let field = 0;
    if ((flags & 4) === 0) {
      const place = frame.place++;
      if (frame.aliases !== null) alias = frame.aliases[place] ?? 0;
      field = (frame.fields === null ? 0 : (frame.fields[place] ?? 0)) || frame.inherited;
    }
    const children = isInline ? 0 : (words[base + heap.children] as number);
    let node = NONE;
    if ((flags & 1) === 1 || alias !== 0 || depth === 0) {
      if (size === kinds.length) {
        enlarge();
        ({ kinds, fields, starts, ends, next } = columns);
      }
      const symbol = alias !== 0 ? alias : isInline ? (head >> 8) & 0xff : (words[base + heap.symbol] as number) & 0xffff;
      const kind = rules.kinds[symbol] as number;
      const isToken = rules.isToken[kind] === 1;
      kinds[size] = kind;
      fields[size] = isToken ? 0 : field;
      starts[size] = start >> 1;
      ends[size] = at >> 1;
      if (kind === ERROR_KIND || (start === at && (flags & (isInline ? 16 : 512)) !== 0)) damage.push(size);
      node = size++;
      if (children === 0 || isToken) {
        next[node] = size;
        continue;
      }
    } else if (children === 0 || words[base + heap.visible] === 0) continue;
    const production = (words[base + heap.production] as number) >>> 16;
    frame = frames[++depth] ??= outermost(0);
    frame.child = base - children * 2;
    frame.end = base;
    frame.place = 0;
    frame.aliases = rules.aliases[production] ?? null;
    frame.fields = rules.fields[production] ?? null;
    frame.inherited = node === NONE ? field : 0;
    frame.node = node;
    frame.after = at;
    at = start;
    isFirst = true;
  }
  return { source, size, damage, kinds, fields, starts, ends, next };
}
