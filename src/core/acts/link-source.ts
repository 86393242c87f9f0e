import { documentsAmong } from '#core/acts/document-walk';
import { findLinks } from '#core/links/link-finder';
import { mentionsAny, wordOf } from '#core/links/move-plan';
import { listFiles } from '#core/workspace/files';
import type { Workspace } from '#core/workspace/workspace';
import { nameOf, resolveAddress, wikiNames } from '#kernel/address';
import type { LinkSource } from '#protocol/file-calls';

/** How much of a line stands around a link, in UTF-16 units. */
const margin = 80;

/** The links of all documents that lead to a file, in the order of their paths, `most` at the most; those of the document itself apart. Writes nothing. */
export async function linksTo(workspace: Workspace, path: string, most: number): Promise<{ links: LinkSource[]; more: boolean }> {
  const files = (await listFiles(workspace.disk, workspace.root)).map((file) => file.path);
  const names = wikiNames(files);
  const word = [wordOf(nameOf(path))];
  const links: LinkSource[] = [];
  for await (const { path: from, bytes } of documentsAmong(workspace, files)) {
    if (from === path) continue;
    const text = bytes.toString('utf8');
    if (!text.includes('[[') && !mentionsAny(text, word)) continue;
    for (const link of findLinks(text)) {
      const target = link.kind === 'wiki' ? names.find(link.address, from) : (resolveAddress(link.address, from)?.path ?? null);
      if (target !== path && !(link.kind === 'address' && `${target}.md` === path)) continue;
      if (links.length === most) return { links, more: true };
      links.push({ path: from, ...lineAround(text, link.whole?.start ?? link.start) });
    }
  }
  return { links, more: false };
}

/** The line that a place stands in, counted from 1, and what is written around it there. */
function lineAround(text: string, at: number): { line: number; text: string } {
  const line = (text.slice(0, at).match(/\r\n?|\n/gu)?.length ?? 0) + 1;
  const head = /[^\r\n]*$/u.exec(text.slice(Math.max(0, at - margin), at))?.[0] ?? '';
  const tail = /^[^\r\n]*/u.exec(text.slice(at, at + margin))?.[0] ?? '';
  return { line, text: `${head}${tail}`.trim().toWellFormed() };
}
