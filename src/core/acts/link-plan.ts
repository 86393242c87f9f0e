import { documentsAmong } from '#core/acts/document-walk';
import type { LinkEdit } from '#core/links/edit';
import { type DocumentEdits, linkPlanner } from '#core/links/move-plan';
import { listFiles } from '#core/workspace/files';
import { bytesHash } from '#core/workspace/save';
import type { Workspace } from '#core/workspace/workspace';
import { pathAfter } from '#kernel/address';
import type { LinkChange, LinkPlan, Move } from '#protocol/file-calls';

/** The links of one document that a move would break, with its bytes as they were read. */
export interface PlannedLinks extends DocumentEdits {
  readonly base: string;
  readonly bytes: Buffer;
  readonly text: string;
}

/** Looks in every document for links that the moves would break. What is no UTF-8 text, and what stands behind a link, is left alone. */
export async function planLinks(workspace: Workspace, moves: readonly Move[]): Promise<PlannedLinks[]> {
  const { disk, root } = workspace;
  const files = (await listFiles(disk, root)).map(({ path }) => path);
  const moved = new Map(files.map((path) => [path, pathAfter(moves, path)] as const).filter(([path, after]) => path !== after));
  const plan = linkPlanner(files, moved);
  const planned: PlannedLinks[] = [];
  for await (const { path, bytes } of documentsAmong(workspace, files)) {
    const text = bytes.toString('utf8');
    const edits = plan(path, text);
    if (edits !== null) planned.push({ ...edits, base: bytesHash(bytes), bytes, text });
  }
  return planned;
}

/** What a writer is shown of it. */
export const shownPlan = ({ before, base, text, edits }: PlannedLinks): LinkPlan => ({
  path: before,
  base,
  changes: changesOf(text, edits),
});

/** How much of a line stands around a link, in UTF-16 units. */
const margin = 60;

function changesOf(text: string, edits: readonly LinkEdit[]): LinkChange[] {
  let line = 1;
  let at = 0;
  return edits.map(({ start, end, insert }) => {
    line += text.slice(at, start).match(/\r\n|\r|\n/gu)?.length ?? 0;
    at = start;
    const head = /[^\r\n]*$/u.exec(text.slice(Math.max(0, start - margin), start))?.[0] ?? '';
    const tail = /^[^\r\n]*/u.exec(text.slice(end, end + margin))?.[0] ?? '';
    const shown = (inner: string) => `${head}${inner}${tail}`.toWellFormed();
    return { start, line, before: shown(text.slice(start, end)), after: shown(insert) };
  });
}
