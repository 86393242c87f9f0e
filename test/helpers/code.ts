import { baselineOf, languageOf, languagesLike } from '#core/anchors/baseline';
import type { CodeText } from '#core/anchors/code-reader';
import { pinDeclaration, type ReadyPin } from '#core/anchors/pin';
import { blobId } from '#core/anchors/source';
import { parseDeclarations } from '#core/grammars/parse';
import type { Verdict } from '#kernel/anchor';
import { createCodeIndex, isMinorPath, type ReadFile } from '#kernel/anchor-index';
import { resolveDeclaration } from '#kernel/anchor-ladder';

/** Files by their path. */
export type Tree = Readonly<Record<string, string>>;

/** The files of a tree, parsed. */
export async function readTree(tree: Tree): Promise<CodeText[]> {
  const read = Object.entries(tree).map(async ([path, text]): Promise<CodeText[]> => {
    const bytes = Buffer.from(text);
    const parsed = await parseDeclarations(bytes, path, { trigrams: true });
    return parsed === null ? [] : [{ path, parsed, isMinor: parsed.generated || isMinorPath(path), blob: blobId(bytes) }];
  });
  return (await Promise.all(read)).flat();
}

/** An index of files. */
export function indexOf(files: readonly ReadFile[]) {
  const index = createCodeIndex();
  for (const file of files) index.add(file);
  return index;
}

/** Pins a declaration of a tree by its kind and name, as an anchor does. */
export async function pinIn(tree: Tree, path: string, name: string): Promise<ReadyPin> {
  const files = await readTree(tree);
  const file = files.find((one) => one.path === path)!;
  const declaration = file.parsed.declarations.find(({ kind, qualifiedName }) => `${kind} ${qualifiedName}` === name);
  if (declaration === undefined) {
    throw new RangeError(
      `${path} has no ${name}, only ${file.parsed.declarations.map((one) => `${one.kind} ${one.qualifiedName}`).join('; ')}.`,
    );
  }
  return pinDeclaration(file, tree[path]!, declaration, { index: indexOf(files), complete: true }, null);
}

/** What the ladder says of a pin in another tree that was read as a whole. */
export async function verdictIn({ pin, text }: ReadyPin, tree: Tree): Promise<Verdict> {
  const files = await readTree(tree);
  const language = languageOf(pin.language)!;
  const baseline = await baselineOf(pin, () => text.toString('utf8'), { languages: languagesLike(language), trigrams: true });
  const hinted = Object.hasOwn(tree, pin.file_hint) ? 'read' : 'absent';
  return resolveDeclaration(baseline!, { index: indexOf(files), hinted, unseen: null });
}

/** A verdict in a line: state, reason, place and name, and what changed besides. */
export function said(verdict: Verdict): string {
  if (verdict.state === 'unchecked' || verdict.state === 'lost') return `${verdict.state} ${verdict.reason}`;
  const { state, reason, target, bodyChanged, signatureChanged } = verdict;
  const flags = [bodyChanged ? '+body' : '', signatureChanged ? '+signature' : ''].filter(Boolean);
  return [state, reason, `${target.file}:${target.declaration.qualifiedName}`, ...flags].join(' ');
}
