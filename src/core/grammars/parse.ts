import type { Declaration, Language, ParsedFile } from '#kernel/declaration';

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

/** The language of a file by its extension, in any case; null if its declarations cannot be read. */
export function languageForPath(path: string): Language | null {
  return languages[/\.([a-z]+)$/iu.exec(path)?.[1]?.toLowerCase() ?? ''] ?? null;
}

/** What the caller wants besides the hashes. */
export interface ParseWishes {
  /** Token trigrams of each body, for `similarity`. */
  readonly trigrams?: boolean;
}

/** What a file declares; null if its language is not known or its bytes are no UTF-8 text. Nothing of it is run. */
export async function parseDeclarations(_bytes: Uint8Array, path: string, _wishes: ParseWishes = {}): Promise<ParsedFile | null> {
  const language = languageForPath(path);
  return language === null ? null : { language, recipe: `1:${language}:0`, declarations: [], parseErrors: 0, generated: false };
}

/** A declaration that is known only by its text (`Declaration.start` to `end`) and by what it was called. */
export interface StoredDeclaration {
  readonly text: string;
  readonly language: Language;
  readonly kind: string;
  readonly qualifiedName: string;
  readonly container: string;
  readonly visibility: string;
}

/** The declaration that a stored text holds, hashed by the present recipe; null if it cannot be read again. */
export async function parseStored(_stored: StoredDeclaration, _wishes: ParseWishes = {}): Promise<Declaration | null> {
  return null;
}
