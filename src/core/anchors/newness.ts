import type { CodeSource } from '#core/anchors/source';
import { parseDeclarations } from '#core/grammars/parse';
import type { Found } from '#kernel/anchor';

/** Whether a declaration stood at its place in a commit already; null where git cannot tell. */
export async function stoodAt(source: CodeSource, commit: string, { file, declaration }: Found): Promise<boolean | null> {
  const bytes = await source.at(commit, file);
  if (bytes === undefined) return null;
  if (bytes === null) return false;
  const parsed = await parseDeclarations(bytes, file);
  if (parsed === null || parsed.parseErrors > 0) return null;
  const { kind, plainName } = declaration;
  return parsed.declarations.some((before) => before.kind === kind && before.plainName === plainName);
}
