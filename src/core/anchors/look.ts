import { checkAnchors } from '#core/anchors/check';
import type { CodeReader } from '#core/anchors/code-reader';
import { answerOf, type Finding } from '#core/anchors/finding';
import type { KnownAnchor } from '#core/anchors/ledger';
import { rowOf } from '#core/anchors/report';
import { refuseUnread } from '#core/anchors/resolve-target';
import type { AnchorWork } from '#core/anchors/work';
import { digest } from '#core/digest';
import { readDocument } from '#core/document';
import { languageForPath } from '#core/grammars/parse';
import { readFile, refuseLink } from '#core/workspace/record';
import type { Workspace } from '#core/workspace/workspace';
import type { LineRange } from '#kernel/anchor-range';
import { formatInstant } from '#kernel/instant';
import { resolveSection } from '#kernel/section';
import { Fault } from '#protocol';
import type { AnchorLook, CodeOfFile, CodeText } from '#protocol/anchor-calls';

type Found = Extract<Finding, { kind: 'found' }>;

/** How many files of a repository are offered to choose from. */
const mostFiles = 20_000;

/** An anchor with its code then and now and the text that describes it; what is shown as now is what was hashed. */
export async function lookAt(work: AnchorWork, known: KnownAnchor, path: string | null): Promise<AnchorLook> {
  const budget = work.newBudget();
  const reader = await work.startReader(known.anchor.repository, budget);
  const finding = (await checkAnchors([known], { reader, budget, textOf: work.textOf })).get(known.id)!;
  await work.settle();
  const answer = answerOf(known, finding);
  const { pin, baselineTime } = known;
  return {
    ...rowOf({ known, answer }, () => path),
    before: {
      text: work.textOf(pin),
      file: pin.file_hint,
      name: pin.qualified_name,
      ...pin.lines,
      at: formatInstant(baselineTime),
      by: known.by,
    },
    now: finding.kind === 'found' ? await codeAt(reader, known, finding) : null,
    hash: finding.kind === 'found' && answer.state !== 'fresh' ? finding.actualHash : null,
    text: path === null ? null : describing(work.workspace, path, known.anchor.section),
  };
}

/** The text of what was found; a file that became another one since it was hashed is `code-moved`. */
async function codeAt(reader: CodeReader, { pin }: KnownAnchor, { file, lines, actualHash, renamedTo }: Found): Promise<CodeText> {
  const name = renamedTo ?? pin.qualified_name;
  const read = await reader.text(file);
  if (read.kind !== 'read') throw new Fault('code-moved', { path: file });
  if (pin.fallback) return { text: linesOf(read.text, lines), file, name: `${lines.start}-${lines.end}`, ...lines };
  const hinted = await reader.hinted(file);
  if (hinted.kind !== 'read' || hinted.file.blob !== read.blob) throw new Fault('code-moved', { path: file });
  const declared = hinted.file.parsed.declarations.find(
    ({ tokenHash, lineStart }) => tokenHash === actualHash && lineStart === lines.start,
  );
  return { text: declared === undefined ? linesOf(read.text, lines) : read.text.slice(declared.start, declared.end), file, name, ...lines };
}

function linesOf(text: string, { start, end }: LineRange): string {
  return text
    .split(/(?<=\r\n|\r(?!\n)|\n)/u)
    .slice(start - 1, end)
    .join('');
}

/** The section of a document as it is on disk, or all of it; null where there is no such text now. */
function describing(workspace: Workspace, path: string, section: readonly string[]): string | null {
  try {
    refuseLink(workspace, path);
    const { masked } = readDocument(readFile(workspace, path), path);
    if (masked === null || section.length === 0) return masked;
    const found = resolveSection(masked, section, digest.utf8Length);
    return found.kind === 'found' ? masked.slice(found.start, found.end) : null;
  } catch (error) {
    if (error instanceof Fault) return null;
    throw error;
  }
}

/** The files of a repository that may be anchored to, by path; `more` where not all are listed. */
export async function codeFiles({ source }: CodeReader, isExpired: () => boolean): Promise<{ files: string[]; more: boolean }> {
  const { files, more, complete } = await source.list(() => true, mostFiles, isExpired);
  return { files: files.map(({ path }) => path), more: more || !complete };
}

/** A file of code as it is offered to choose from. */
export async function codeOfFile(reader: CodeReader, path: string): Promise<CodeOfFile> {
  const read = await reader.text(path);
  if (read.kind !== 'read') return refuseUnread(read.kind, path);
  const hinted = languageForPath(path) === null ? null : await reader.hinted(path);
  if (hinted?.kind !== 'read') return { language: null, text: read.text, declarations: [], parseErrors: 0 };
  const { language, declarations, parseErrors } = hinted.file.parsed;
  const choosable = declarations.map(({ kind, qualifiedName: name, lineStart: start, lineEnd: end, damaged }) => ({
    ...{ kind, name, start, end, damaged },
  }));
  return { language, text: read.text, declarations: choosable, parseErrors };
}
