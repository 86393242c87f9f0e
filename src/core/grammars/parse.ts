import { hash } from 'node:crypto';
import { type Code, readCode } from '#core/grammars/code';
import { declarationsOf } from '#core/grammars/declare';
import { javascript, tsx, typescript } from '#core/grammars/ecmascript';
import { go } from '#core/grammars/go';
import { java } from '#core/grammars/java';
import { kotlin } from '#core/grammars/kotlin';
import { type BoundForm, bindForm } from '#core/grammars/normal-form';
import { python } from '#core/grammars/python';
import { type LoadedGrammar, loadGrammar } from '#core/grammars/runtime';
import { rust } from '#core/grammars/rust';
import { ERROR_KIND } from '#core/grammars/subtree';
import { swift } from '#core/grammars/swift';
import type { Table } from '#core/grammars/table';
import { type Declaration, HASH_RECIPE, type Language, type ParsedFile } from '#kernel/declaration';

const languages: Readonly<Record<string, Language>> = {
  ts: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
  tsx: 'tsx',
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  jsx: 'javascript',
  swift: 'swift',
  kt: 'kotlin',
  kts: 'kotlin',
  py: 'python',
  pyi: 'python',
  go: 'go',
  rs: 'rust',
  java: 'java',
};

const tables: Readonly<Record<Language, Table>> = { typescript, tsx, javascript, swift, kotlin, python, go, rust, java };

/** The language of a file by its extension, in any case; null if its declarations cannot be read. */
export function languageForPath(path: string): Language | null {
  return languages[/\.([a-z]+)$/iu.exec(path)?.[1]?.toLowerCase() ?? ''] ?? null;
}

/** What the caller wants besides the hashes. */
export interface ParseWishes {
  /** Token trigrams of each body, for `similarity`. */
  readonly trigrams?: boolean;
}

/** A language that is ready: its table, its grammar, and its normal form by the grammar's numbers. */
interface Ready {
  readonly table: Table;
  readonly grammar: LoadedGrammar;
  readonly form: BoundForm;
  /** By kind: 1 for comments. */
  readonly comments: Uint8Array;
}

const ready = new Map<Language, Promise<Ready>>();

function prepare(language: Language): Promise<Ready> {
  const known = ready.get(language);
  if (known) return known;
  const preparing = loadGrammar(language).then((grammar): Ready => {
    const table = tables[language];
    const comments = Uint8Array.from({ length: ERROR_KIND + 1 }, (_, kind) =>
      table.comments.includes(grammar.kindNames[kind] ?? '') ? 1 : 0,
    );
    return { table, grammar, form: bindForm(table.form, grammar), comments };
  });
  ready.set(language, preparing);
  preparing.catch(() => ready.delete(language));
  return preparing;
}

const sha256 = (data: Uint8Array | string): string => hash('sha256', data, 'hex');

/** What hashes of a language depend on: recipe, language family and grammar. */
export const recipeOf = (language: Language): string => `${HASH_RECIPE}:${tables[language].grammar}`;

/** What a file declares; null if its language is not known or its bytes are no UTF-8 text. Nothing of it is run. */
export async function parseDeclarations(bytes: Uint8Array, path: string, wishes: ParseWishes = {}): Promise<ParsedFile | null> {
  const language = languageForPath(path);
  const source = language === null ? null : decode(bytes);
  return language === null || source === null ? null : parseSource(source, language, wishes);
}

function decode(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

async function parseSource(source: string, language: Language, { trigrams = false }: ParseWishes): Promise<ParsedFile | null> {
  const { table, grammar, form, comments } = await prepare(language);
  const tree = grammar.parse(source);
  if (tree === null) return null;
  const code = readSound(table, readCode(grammar, tree, comments));
  try {
    const declarations = declarationsOf(code, { table, form, sha256, trigrams });
    return { language, recipe: recipeOf(language), declarations, parseErrors: code.tree.damage.length, generated: isGenerated(source) };
  } catch (error) {
    // Nested deeper than the stack: no person wrote that.
    if (error instanceof RangeError && !error.message.startsWith('BUG')) return null;
    throw error;
  }
}

/** Whether a file says of itself, near its top, that it was generated. */
function isGenerated(source: string): boolean {
  const top = source.slice(0, 2000).toLowerCase();
  // The expression alone takes longer than half of what is declared.
  return (top.includes('generated') || top.includes('do not edit')) && /@generated\b|\bdo not edit\b|\bauto-?generated\b/u.test(top);
}

/** The code without what the grammar is known to stumble over. */
function readSound(table: Table, code: Code): Code {
  if (!table.isHarmless || code.tree.damage.length === 0) return code;
  return { ...code, tree: { ...code.tree, damage: code.tree.damage.filter((node) => !table.isHarmless?.(code, node)) } };
}

/** A declaration that is known only by its text (`Declaration.start` to `end`) and by what it was called. */
export interface StoredDeclaration {
  readonly text: string;
  readonly language: Language;
  readonly kind: string;
  readonly qualifiedName: string;
  readonly container: string;
  readonly visibility: string;
  /** Tells a value from a type, where a text could be both: `a: 1` in an object and in an interface. */
  readonly bodyTokens?: number;
}

/** The declaration that a stored text holds, hashed by the present recipe; null if it cannot be read again. */
export async function parseStored(stored: StoredDeclaration, { trigrams = false }: ParseWishes = {}): Promise<Declaration | null> {
  const { table, grammar, form, comments } = await prepare(stored.language);
  const owner = /([^.\s(<]*)(?:[(<].*)?$/u.exec(stored.container)?.[1] ?? '';
  const own = stored.container === '' ? stored.qualifiedName : stored.qualifiedName.slice(stored.container.length + 1);
  const wanted = own.replace(/#\d+$/u, '');
  let best: Declaration | null = null;
  for (const [before, after] of table.frames) {
    const tree = grammar.parse(before + stored.text + after);
    if (tree === null) continue;
    const code = readSound(table, readCode(grammar, tree, comments));
    const declaring = { table, form, sha256, trigrams, owner, visibility: stored.visibility };
    const found = declarationsOf(code, declaring).filter(({ kind, damaged }) => kind === stored.kind && !damaged);
    const named = found.filter(({ qualifiedName }) => qualifiedName === wanted || qualifiedName.endsWith(`.${wanted}`));
    const [exact] = named.length > 0 ? named : found.filter(({ baseName }) => wanted.startsWith(baseName));
    const isSame = stored.bodyTokens === undefined || exact?.bodyTokens === stored.bodyTokens;
    if (exact && isSame && code.tree.damage.length === 0) return restored(exact, stored);
    best ??= exact ?? null;
  }
  return best && restored(best, stored);
}

const restored = (declaration: Declaration, { qualifiedName, container }: StoredDeclaration): Declaration => ({
  ...declaration,
  qualifiedName,
  container,
});
