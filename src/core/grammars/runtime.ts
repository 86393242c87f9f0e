import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type RuntimeMemory, readRules, readTree } from '#core/grammars/subtree';
import type { Language } from '#kernel/declaration';
import type { SyntaxTree } from '#kernel/declaration-tree';

/** A grammar that can parse, and what its node kinds are called. */
export interface LoadedGrammar {
  /** By kind number; '' where the number is not used. Tokens such as `(` and keywords have a quote in front: `'(`. */
  readonly kindNames: readonly string[];
  /** By field number; '' for none. */
  readonly fieldNames: readonly string[];
  /** Parses a text; null if the parser gave up. */
  parse(source: string): SyntaxTree | null;
}

/** Parsing one text may take this many milliseconds for each started 100 KB, and two seconds more. */
const PATIENCE = 1000;

const here = import.meta.dirname;

/** The folder of grammars: in a checkout, beside a built program, or one further up from a chunk of it. */
function grammarFolder(): string {
  const places = ['../../../grammars', '../grammars', '../../grammars'].map((place) => join(here, place));
  return places.find((place) => existsSync(join(place, 'sources.json'))) ?? (places[0] as string);
}

/** Loaded with the first code that is read: most commands read none. */
const treeSitter = () => import('web-tree-sitter');

let runtime: Promise<RuntimeMemory> | undefined;
const grammars = new Map<Language, Promise<LoadedGrammar>>();

/** The text that is being parsed; null while somebody else's parser has the runtime. */
let input: string | null = null;
/** How many UTF-16 units the runtime takes at once, the zero behind them apart. */
const PORTION = 5 * 1024 - 1;

type Imports = Record<string, Record<string, unknown>>;
declare const WebAssembly: { instantiate(binary: Uint8Array, imports: Imports): Promise<{ instance: object; module: object }> };
type Feed = (buffer: number, index: number, row: number, column: number, length: number) => void;

async function startRuntime(): Promise<RuntimeMemory> {
  const binary = await readFile(join(grammarFolder(), 'web-tree-sitter.wasm'));
  const module: Record<string, unknown> = {
    wasmBinary: binary,
    instantiateWasm(imports: Imports, receive: (instance: object, compiled: object) => void): void {
      const env = imports.env as Record<string, unknown>;
      env.tree_sitter_parse_callback = feeding(module as unknown as RuntimeMemory, env.tree_sitter_parse_callback as Feed);
      void WebAssembly.instantiate(binary, imports).then(({ instance, module: compiled }) => receive(instance, compiled));
    },
  };
  const { Parser } = await treeSitter();
  await Parser.init(module as Parameters<typeof Parser.init>[0]);
  if (!('HEAPU32' in module)) throw new RangeError('BUG: the runtime was started by somebody else');
  return module as unknown as RuntimeMemory;
}

/** Gives the runtime the next portion of `input`. Its own way makes a new text for each, and a call for each character. */
function feeding(memory: RuntimeMemory, otherwise: Feed): Feed {
  return (buffer, index, row, column, length) => {
    if (input === null) return otherwise(buffer, index, row, column, length);
    const { HEAPU16: halves, HEAPU32: words } = memory;
    const count = Math.max(0, Math.min(PORTION, input.length - index));
    const at = buffer >> 1;
    for (let i = 0; i < count; i++) halves[at + i] = input.charCodeAt(index + i);
    halves[at + count] = 0;
    words[length >> 2] = count;
  };
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
  const { Language: Grammar, Parser } = await treeSitter();
  const grammar = await Grammar.load(new Uint8Array(await readFile(join(grammarFolder(), `${language}.wasm`))));
  const kindNames = grammar.types.map((name, kind) => (grammar.nodeTypeIsNamed(kind) ? (name ?? '') : `'${name ?? ''}`));
  const rules = readRules(module, addressOf(grammar), (kind) => kindNames[kind]?.startsWith("'") ?? false);
  return {
    kindNames,
    fieldNames: grammar.fields.map((name) => name ?? ''),
    parse(source) {
      // A parser of its own: the scanners of some grammars (Swift) carry over what they were at in the text before.
      const parser = new Parser();
      try {
        parser.setLanguage(grammar);
        const until = performance.now() + 2000 + Math.ceil(source.length / 100_000) * PATIENCE;
        input = source;
        const tree = parser.parse(source, null, { progressCallback: () => performance.now() > until });
        if (tree === null) return null;
        try {
          return readTree(module, addressOf(tree), source, rules);
        } finally {
          tree.delete();
        }
      } finally {
        input = null;
        parser.delete();
      }
    },
  };
}

/** Where the runtime keeps what an object of its classes stands for. */
const addressOf = (object: unknown): number => (object as { 0: number })[0];
