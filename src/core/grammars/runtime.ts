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

async function startRuntime(): Promise<RuntimeMemory> {
  const module: Record<string, unknown> = { wasmBinary: await readFile(join(grammarFolder(), 'web-tree-sitter.wasm')) };
  const { Parser } = await treeSitter();
  await Parser.init(module as Parameters<typeof Parser.init>[0]);
  if (!('HEAPU32' in module)) throw new RangeError('BUG: the runtime was started by somebody else');
  return module as unknown as RuntimeMemory;
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
        const tree = parser.parse(source, null, { progressCallback: () => performance.now() > until });
        if (tree === null) return null;
        try {
          return readTree(module, addressOf(tree), source, rules);
        } finally {
          tree.delete();
        }
      } finally {
        parser.delete();
      }
    },
  };
}

/** Where the runtime keeps what an object of its classes stands for. */
const addressOf = (object: unknown): number => (object as { 0: number })[0];
