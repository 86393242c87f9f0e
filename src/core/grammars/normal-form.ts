import type { Code } from '#core/grammars/code';
import type { LoadedGrammar } from '#core/grammars/runtime';
import { ERROR_KIND } from '#core/grammars/subtree';
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

/** Its room is used again and again: what a file declares is hashed before the next file is read. */
const encoding = createEncoding();

const knownTags = new Map<string, number>();

/** The class of a kind that a special way names; the same few names come again and again. */
function tagFor(kind: string): number {
  const known = knownTags.get(kind);
  if (known !== undefined) return known;
  const tag = tagOf(kind);
  knownTags.set(kind, tag);
  return tag;
}

/** A writer for one file; the one before it is done with. */
export function createWriter(form: BoundForm, code: Code): Writer {
  const { tree } = code;
  const { kinds, starts, ends, next, source } = tree;
  const { actions, tags, specials } = form;
  encoding.clear();
  const wanted = new Uint8Array(tree.size);
  const ranges = new Map<number, EncodedRange>();
  // The interior nodes that are under way; those without an end of their own as their complement.
  const open: number[] = [];
  // Where the wanted ones among them began: in bytes, in tokens.
  const begun: number[] = [];

  const isReference = (action: number): boolean => {
    if (action !== REFERENCE && action !== MEMBER) return false;
    return form.dots.has(encoding.recent(1)) ? form.self.has(encoding.recent(2)) : action === REFERENCE;
  };
  const begin = (): void => void begun.push(encoding.length(), encoding.tokens());
  const note = (node: number): void => {
    const firstToken = begun.pop() as number;
    const from = begun.pop() as number;
    ranges.set(node, { from, to: encoding.length(), firstToken, lastToken: encoding.tokens() });
  };

  const endOfLast = (): number => {
    const last = open.at(-1) as number;
    return next[last < 0 ? ~last : last] as number;
  };

  function leave(until: number, base: number): void {
    while (open.length > base && endOfLast() <= until) {
      const last = open.pop() as number;
      if (last >= 0) encoding.close();
      const node = last < 0 ? ~last : last;
      if (wanted[node] === 1) note(node);
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
    if (wanted[node] === 1) begin();
    const isWritten = write(writer, node) !== false;
    if (wanted[node] !== 1) return isWritten;
    if (isWritten) note(node);
    else begun.length -= 2;
    return isWritten;
  }

  function write(root: number): void {
    const base = open.length;
    const end = next[root] as number;
    // Where the innermost node ends that is under way.
    let closing = end;
    for (let node = root; node < end; ) {
      if (node >= closing) {
        leave(node, base);
        closing = open.length > base ? endOfLast() : end;
      }
      const kind = kinds[node] as number;
      const action = actions[kind] as number;
      const after = next[node] as number;
      if (action === DROP || (action === SPECIAL && special(node))) node = after;
      else {
        if (wanted[node] === 1) begin();
        if (after === node + 1) {
          token(node, action);
          if (wanted[node] === 1) note(node);
        } else {
          open.push(action === INLINE ? ~node : node);
          if (action !== INLINE) encoding.open(tags[kind] as number);
          closing = after;
        }
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
      const end = next[node] as number;
      for (let child = node + 1; child < end; child = next[child] as number) if (!except.includes(code.kind(child))) write(child);
    },
    open: (kind) => encoding.open(tagFor(kind)),
    close: () => encoding.close(),
    word: (kind) => encoding.mark(tagFor(kind)),
    leaf: (kind, text) => encoding.leaf(tagFor(kind), text, 0, text.length, false),
    range(run) {
      const [from, firstToken] = [encoding.length(), encoding.tokens()];
      run();
      return { from, to: encoding.length(), firstToken, lastToken: encoding.tokens() };
    },
    want(node) {
      wanted[node] = 1;
    },
  };
  return writer;
}
