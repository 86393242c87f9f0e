import type { Outputs, Words } from '#protocol';

type Diagnostic = Outputs['scan']['diagnostics'][number];

/** Why an answer is incomplete, as a line for stderr; none when it is complete. */
export function incompleteNotes(scan: { complete: boolean; reason?: string | undefined }, words: Words): string[] {
  if (scan.complete || scan.reason === undefined || scan.reason === 'not-scanned') return [];
  return [words('cli.incomplete', { reason: words(`incomplete.${scan.reason}`) })];
}

/** Findings that stop nothing, as lines for stderr; one that this version has no sentence for is said as it came. */
export function diagnosticNotes(diagnostics: readonly Diagnostic[], words: Words): string[] {
  return diagnostics.map(({ code, message, path }) => {
    const detail = { path: path ?? '', message };
    return wordOr(words, `diagnostics.${code}`, detail) ?? words('diagnostics.other', { ...detail, path: path ?? code });
  });
}

/** Why a document is tracked by its path, was refused or left out. */
export function reasonSentence(reason: string, path: string, words: Words): string {
  const sections = ['byPath', 'dropped', 'faults'];
  return sections.map((section) => wordOr(words, `${section}.${reason}`, { path })).find((found) => found !== null) ?? reason;
}

/** The name of a thing in a list that may grow: its word, or what it is called in the ledger. */
export function nameOf(words: Words, section: string, name: string): string {
  return wordOr(words, `${section}.${name}`, {}) ?? name;
}

function wordOr(words: Words, key: string, detail: Readonly<Record<string, unknown>>): string | null {
  const found = words(key, detail);
  return found === key ? null : found;
}
