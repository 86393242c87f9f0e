import type { Code } from '#core/grammars/code';
import { ERROR_KIND, type LoadedGrammar } from '#core/grammars/runtime';
import { createEncoding, type EncodedRange, type Encoding, tagOf, tokenHash } from '#kernel/declaration-encoding';

/** Writes a node in a way of its own; false leaves it to the general way. */
export type Special = (writer: Writer, node: number) => boolean | undefined;

/** How code of a language is brought to its normal form. */
export interface NormalForm {
  /** Kinds that leave no trace: comments, separators, optional semicolons. */
  readonly dropped: readonly string[];
  /** Nodes that leave no trace themselves, while their children do. */
  readonly inlined: readonly string[];
  /** Kinds that count as another. */
  readonly same: Readonly<Record<string, string>>;
  /** Leaves that may name a declaration. */
  readonly references: readonly string[];
  /** Leaves that name members only: references where what `self` names stands before the dot. */
  readonly members: readonly string[];
  /** Tokens after which a name is a member: it is a reference only of what `self` names. */
  readonly dots: readonly string[];
  readonly self: readonly string[];
  readonly special: Readonly<Record<string, Special>>;
}

/** Writes code in normal form. */
export interface Writer {
  readonly code: Code;
  readonly encoding: Encoding;
  /** A node with all that is under it. */
  node(node: number): void;
  /** The children of a node, as if each stood alone. */
  within(node: number, ...except: readonly string[]): void;
  open(kind: string): void;
  close(): void;
  /** A token without text. */
  word(kind: string): void;
  /** A token with a text that is not in the source as it is. */
  leaf(kind: string, text: string): void;
  /** What is written while `write` runs. */
  range(write: () => void): EncodedRange;
  /** Remembers where a node is written, for `ranges`. */
  want(node: number): void;
  /** Where wanted nodes were written. */
  readonly ranges: ReadonlyMap<number, EncodedRange>;
}

const DROP = 1;
const INLINE = 2;
const REFERENCE = 3;
const SPECIAL = 4;
const MARK = 5;
const MEMBER = 6;

/** A normal form, by the numbers of a grammar. */
export interface BoundForm {
  readonly actions: Uint8Array;
  readonly tags: Uint32Array;
  readonly specials: readonly (Special | undefined)[];
  readonly dots: ReadonlySet<number>;
  readonly self: ReadonlySet<number>;
}

/** Looks the names of a normal form up in a grammar. A name that the grammar has not is our mistake. */
export function bindForm(form: NormalForm, grammar: LoadedGrammar): BoundForm {
  const size = ERROR_KIND + 1;
  const actions = new Uint8Array(size);
  const tags = new Uint32Array(size);
  const specials: (Special | undefined)[] = [];
  const known = new Set(grammar.kindNames);
  const named = [
    ...form.dropped,
    ...form.inlined,
    ...form.references,
    ...form.members,
    ...Object.keys(form.special),
    ...Object.keys(form.same),
  ];
  const unknown = named.filter((name) => !known.has(name));
  if (unknown.length > 0) throw new RangeError(`BUG: the grammar has no ${unknown.join(', ')}`);
  grammar.kindNames.forEach((name, kind) => {
    tags[kind] = tagOf(form.same[name] ?? name);
    specials[kind] = form.special[name];
    if (form.dropped.includes(name)) actions[kind] = DROP;
    else if (form.special[name]) actions[kind] = SPECIAL;
    else if (form.inlined.includes(name)) actions[kind] = INLINE;
    else if (form.references.includes(name)) actions[kind] = REFERENCE;
    else if (form.members.includes(name)) actions[kind] = MEMBER;
    else if (name.startsWith("'")) actions[kind] = MARK;
  });
  tags[ERROR_KIND] = tagOf('ERROR');
  // What `recent` gives for a token: a word has no text, a leaf has that of its kind.
  const hashes = (names: readonly string[]) =>
    new Set(names.flatMap((name) => [tokenHash(tagOf(name), ''), tokenHash(tagOf(name), name.replace(/^'/u, ''))]));
  return { actions, tags, specials, dots: hashes(form.dots), self: hashes(form.self) };
}

/** A writer for one file. */
export function createWriter(form: BoundForm, code: Code): Writer {
  const { tree } = code;
  const { kinds, starts, ends, next, source } = tree;
  const { actions, tags, specials } = form;
  const encoding = createEncoding(source.length);
  const wanted = new Set<number>();
  const ranges = new Map<number, EncodedRange>();
  // The interior nodes that are under way: the node, whether it has an end of its own, and where it began.
  const open: number[] = [];

  const isReference = (action: number): boolean => {
    if (action !== REFERENCE && action !== MEMBER) return false;
    return form.dots.has(encoding.recent(1)) ? form.self.has(encoding.recent(2)) : action === REFERENCE;
  };
  const note = (node: number, from: number, firstToken: number): void => {
    ranges.set(node, { from, to: encoding.length(), firstToken, lastToken: encoding.tokens() });
  };

  function leave(until: number, base: number): void {
    while (open.length > base && (next[open[open.length - 4] as number] as number) <= until) {
      const firstToken = open.pop() as number;
      const from = open.pop() as number;
      if (open.pop() === 1) encoding.close();
      const node = open.pop() as number;
      if (wanted.has(node)) note(node, from, firstToken);
    }
  }

  function token(node: number, action: number): void {
    const kind = kinds[node] as number;
    if (action === MARK || starts[node] === ends[node]) encoding.mark(tags[kind] as number);
    else encoding.leaf(tags[kind] as number, source, starts[node] as number, ends[node] as number, isReference(action));
  }

  function special(node: number): boolean {
    const write = specials[kinds[node] as number];
    if (write === undefined) return false;
    const from = encoding.length();
    const firstToken = encoding.tokens();
    if (write(writer, node) === false) return false;
    if (wanted.has(node)) note(node, from, firstToken);
    return true;
  }

  function write(root: number): void {
    const base = open.length;
    const end = next[root] as number;
    for (let node = root; node < end; ) {
      leave(node, base);
      const action = actions[kinds[node] as number] as number;
      const after = next[node] as number;
      if (action === DROP || (action === SPECIAL && special(node))) {
        node = after;
      } else if (after === node + 1) {
        const [from, firstToken] = [encoding.length(), encoding.tokens()];
        token(node, action);
        if (wanted.has(node)) note(node, from, firstToken);
        node = after;
      } else {
        const isOwn = action !== INLINE;
        open.push(node, isOwn ? 1 : 0, encoding.length(), encoding.tokens());
        if (isOwn) encoding.open(tags[kinds[node] as number] as number);
        node++;
      }
    }
    leave(end, base);
  }

  const writer: Writer = {
    code,
    encoding,
    ranges,
    node: write,
    within(node, ...except) {
      for (const child of code.children(node)) if (!except.includes(code.kind(child))) write(child);
    },
    open: (kind) => encoding.open(tagOf(kind)),
    close: () => encoding.close(),
    word: (kind) => encoding.mark(tagOf(kind)),
    leaf: (kind, text) => encoding.leaf(tagOf(kind), text, 0, text.length, false),
    range(run) {
      const [from, firstToken] = [encoding.length(), encoding.tokens()];
      run();
      return { from, to: encoding.length(), firstToken, lastToken: encoding.tokens() };
    },
    want: (node) => void wanted.add(node),
  };
  return writer;
}
