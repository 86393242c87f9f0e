import type { CodeReader } from '#core/anchors/code-reader';
import { refuseUnread } from '#core/anchors/resolve-target';
import { languageForPath } from '#core/grammars/parse';
import { Fault, type Outputs } from '#protocol';

/** The declarations of a file, as an anchor can name them. */
export async function declarationsReport(reader: CodeReader, path: string): Promise<Outputs['declarations']> {
  if (languageForPath(path) === null) throw new Fault('language-unknown', { path });
  const hinted = await reader.hinted(path);
  if (hinted.kind !== 'read') return refuseUnread(hinted.kind, path);
  const { language, declarations, parseErrors } = hinted.file.parsed;
  return {
    language,
    declarations: declarations.map((one) => ({
      kind: one.kind,
      qualified_name: one.qualifiedName,
      container: one.container === '' ? null : one.container,
      line_start: one.lineStart,
      line_end: one.lineEnd,
      token_hash: one.tokenHash,
      body_hash: one.bodyHash,
      body_tokens: one.bodyTokens,
      ...(one.damaged ? { damaged: true } : {}),
    })),
    parse_errors: parseErrors,
  };
}
