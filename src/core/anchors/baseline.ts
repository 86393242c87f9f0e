import { parseStored, recipeOf, type StoredDeclaration } from '#core/grammars/parse';
import type { Baseline, Hashes } from '#kernel/anchor';
import { hashesOf } from '#kernel/anchor';
import type { CodePin } from '#kernel/body-anchor';
import { type Declaration, familyOf, type Language } from '#kernel/declaration';

/** Every language whose declarations can be read. */
export const languages: readonly Language[] = ['typescript', 'tsx', 'javascript', 'swift', 'kotlin', 'python', 'go', 'rust', 'java'];

/** The language that a ledger names, or null for one that this program does not know, or none. */
export const languageOf = (name: string): Language | null => languages.find((language) => language === name) ?? null;

/** The languages of a family. */
export const languagesLike = (language: Language): readonly Language[] =>
  languages.filter((other) => familyOf(other) === familyOf(language));

/** The text of a baseline, or null where no copy of it is left. */
export type TextOf = (pin: CodePin) => string | null;

/** What is asked of a baseline. */
export interface BaselineWishes {
  /** The languages of the code that it is compared with. */
  readonly languages: readonly Language[];
  /** Whether bodies are compared by likeness. */
  readonly trigrams: boolean;
}

/**
 * The baseline of an anchor on a declaration. Where its hashes are by another recipe they are made again from its stored
 * text, so that an upgrade flags nothing; null where the ledger names a language that is not known here.
 */
export async function baselineOf(pin: CodePin, textOf: TextOf, wishes: BaselineWishes): Promise<Baseline | null> {
  const language = languageOf(pin.language);
  if (language === null) return null;
  const hashes = new Map<Language, Hashes>();
  let trigrams: Uint32Array | null = null;
  let text: string | null | undefined;
  for (const other of wishes.languages) {
    const isSame = recipeOf(other) === pin.recipe;
    if (isSame) hashes.set(other, pin.hashes);
    if (isSame && !(wishes.trigrams && other === language)) continue;
    text ??= textOf(pin);
    const again = text === null ? null : await parseStored(storedOf(pin, text, other), { trigrams: wishes.trigrams });
    if (again === null) continue;
    if (!isSame) hashes.set(other, hashesOf(again));
    if (other === language) trigrams = again.trigrams ?? null;
  }
  const comparable = recipeOf(language) === pin.recipe;
  return { ...aboutOf(pin, language), hashes: (other) => hashes.get(other) ?? null, trigrams, comparable };
}

function storedOf(pin: CodePin, text: string, language: Language): StoredDeclaration {
  const { kind, qualified_name: qualifiedName, container, visibility } = pin;
  return { text, language, kind, qualifiedName, container, visibility };
}

function aboutOf(pin: CodePin, language: Language) {
  return {
    language,
    kind: pin.kind,
    qualifiedName: pin.qualified_name,
    baseName: pin.base_name,
    plainName: pin.plain_name,
    container: pin.container,
    file: pin.file_hint,
    bodyTokens: pin.body_tokens,
    names: pin.names,
    twins: pin.twins.found,
  };
}

/** A declaration that was just read, as a baseline without twins. */
export function baselineFrom(file: string, declaration: Declaration): Baseline {
  const { language, kind, qualifiedName, baseName, plainName, container, bodyTokens } = declaration;
  const hashes = hashesOf(declaration);
  return {
    ...{ language, kind, qualifiedName, baseName, plainName, container, bodyTokens, file },
    hashes: () => hashes,
    trigrams: declaration.trigrams ?? null,
    names: [],
    twins: [],
    comparable: true,
  };
}
