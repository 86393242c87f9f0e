import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Language as Grammar, Parser } from 'web-tree-sitter';
import type { Language } from '#kernel/declaration';
import { NONE, type SyntaxTree } from '#kernel/declaration-tree';

/** A grammar that can parse, and what its node kinds are called. */
export interface LoadedGrammar {
  /** By kind number; '' where the number is not used. Tokens such as `(` and keywords have a quote in front: `'(`. */
  readonly kindNames: readonly string[];
  /** By field number; '' for none. */
  readonly fieldNames: readonly string[];
  /** Parses a text; null if the parser gave up. */
  parse(source: string): SyntaxTree | null;
}

/**
 * What the runtime's module offers beneath its classes. The classes marshal a cursor twice for each step, which costs as much
 * as parsing; these functions leave it where it is. Their names belong to the pinned version of the runtime.
 */
interface RuntimeModule {
  _ts_tree_root_node_wasm(tree: number): void;
  _ts_tree_cursor_new_wasm(tree: number): void;
  _ts_tree_cursor_delete_wasm(tree: number): void;
  _ts_tree_cursor_goto_first_child_wasm(tree: number): number;
  _ts_tree_cursor_goto_next_sibling_wasm(tree: number): number;
  _ts_tree_cursor_goto_parent_wasm(tree: number): number;
  _ts_tree_cursor_current_node_type_id_wasm(tree: number): number;
  _ts_tree_cursor_current_node_is_missing_wasm(tree: number): number;
  _ts_tree_cursor_current_field_id_wasm(tree: number): number;
  _ts_tree_cursor_start_index_wasm(tree: number): number;
  _ts_tree_cursor_end_index_wasm(tree: number): number;
}

/** The kind of what the parser could not place. */
export const ERROR_KIND = 0xffff;

/** Parsing one text may take this many milliseconds for each started 100 KB, and two seconds more. */
const PATIENCE = 1000;

const here = import.meta.dirname;

/** The folder of grammars: in a checkout, beside a built program, or one further up from a chunk of it. */
function grammarFolder(): string {
  const places = ['../../../grammars', '../grammars', '../../grammars'].map((place) => join(here, place));
  return places.find((place) => existsSync(join(place, 'sources.json'))) ?? (places[0] as string);
}

let runtime: Promise<RuntimeModule> | undefined;
const grammars = new Map<Language, Promise<LoadedGrammar>>();

async function startRuntime(): Promise<RuntimeModule> {
  const module: Record<string, unknown> = { wasmBinary: await readFile(join(grammarFolder(), 'web-tree-sitter.wasm')) };
  await Parser.init(module as Parameters<typeof Parser.init>[0]);
  if (!('_ts_tree_root_node_wasm' in module)) throw new RangeError('BUG: the runtime was started by somebody else');
  return module as unknown as RuntimeModule;
}

/** The grammar of a language, loaded once. */
export function loadGrammar(language: Language): Promise<LoadedGrammar> {
  const known = grammars.get(language);
  if (known) return known;
  const loading = load(language);
  grammars.set(language, loading);
  loading.catch(() => grammars.delete(language));
  return loading;
}

async function load(language: Language): Promise<LoadedGrammar> {
  runtime ??= startRuntime();
  const module = await runtime;
  const grammar = await Grammar.load(new Uint8Array(await readFile(join(grammarFolder(), `${language}.wasm`))));
  const kindNames = grammar.types.map((name, kind) => (grammar.nodeTypeIsNamed(kind) ? (name ?? '') : `'${name ?? ''}`));
  const isToken = Uint8Array.from({ length: ERROR_KIND + 1 }, (_, kind) => (kindNames[kind]?.startsWith("'") ? 1 : 0));
  return {
    kindNames,
    fieldNames: grammar.fields.map((name) => name ?? ''),
    parse(source) {
      // A parser of its own: the scanners of some grammars (Swift) carry over what they were at in the text before.
      const parser = new Parser();
      try {
        parser.setLanguage(grammar);
        const until = performance.now() + 2000 + Math.ceil(source.length / 100_000) * PATIENCE;
        const tree = parser.parse(source, null, { progressCallback: () => performance.now() > until });
        if (tree === null) return null;
        try {
          return flatten(module, (tree as unknown as { 0: number })[0], source, isToken);
        } finally {
          tree.delete();
        }
      } finally {
        parser.delete();
      }
    },
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

/** The tree in columns. Of tokens, which are most nodes, neither children nor fields are asked for. */
function flatten(module: RuntimeModule, tree: number, source: string, isToken: Uint8Array): SyntaxTree {
  const firstChild = module._ts_tree_cursor_goto_first_child_wasm;
  const nextSibling = module._ts_tree_cursor_goto_next_sibling_wasm;
  const kindOf = module._ts_tree_cursor_current_node_type_id_wasm;
  const fieldOf = module._ts_tree_cursor_current_field_id_wasm;
  const startOf = module._ts_tree_cursor_start_index_wasm;
  const endOf = module._ts_tree_cursor_end_index_wasm;
  const damage: number[] = [];
  const open: number[] = [];
  let size = 0;
  module._ts_tree_root_node_wasm(tree);
  module._ts_tree_cursor_new_wasm(tree);
  walk: for (;;) {
    if (size === columns.kinds.length) enlarge();
    const kind = kindOf(tree);
    const start = startOf(tree);
    const end = endOf(tree);
    columns.kinds[size] = kind;
    const isLeaf = isToken[kind] === 1;
    columns.fields[size] = isLeaf ? 0 : fieldOf(tree);
    columns.starts[size] = start;
    columns.ends[size] = end;
    if (kind === ERROR_KIND || (start === end && module._ts_tree_cursor_current_node_is_missing_wasm(tree) !== 0)) damage.push(size);
    if (!isLeaf && firstChild(tree)) {
      open.push(size++);
      continue;
    }
    columns.next[size] = size + 1;
    size++;
    while (!nextSibling(tree)) {
      if (!module._ts_tree_cursor_goto_parent_wasm(tree)) break walk;
      columns.next[open.pop() ?? NONE] = size;
    }
  }
  module._ts_tree_cursor_delete_wasm(tree);
  return { source, size, damage, ...columns };
}
