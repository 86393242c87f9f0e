import { isUtf8 } from 'node:buffer';
import { join } from 'node:path';
import { folderPlace } from '#core/workspace/agent-place';
import { lineCounter, servedOf } from '#core/workspace/agent-read';
import { sightText } from '#core/workspace/agent-sight';
import { splitText } from '#core/workspace/agent-text';
import { piecesOf, type Turns, takeTurns } from '#core/workspace/turns';
import type { Workspace } from '#core/workspace/workspace';
import { canonicalText } from '#kernel/text';
import type { AgentOutputs, Served } from '#protocol/agent-calls';
import { agentDocumentLimit } from '#protocol/agent-limit';
import type { SearchPart, SearchRequest } from '#protocol/search-calls';

type Hit = AgentOutputs['agent/search']['answer']['hits'][number];

/** The most documents that a search shows. */
export const hitLimit = 50;
/** The most matches that are shown of one document. */
export const matchLimit = 3;
/** The most matches of one document that are counted. */
const countLimit = 1000;
/** The longest piece of a line that is shown. */
const pieceLength = 240;

/** The search of the workspace, as every face asks it. */
export type Find = (request: SearchRequest) => Promise<SearchPart>;

/**
 * Looks for a text in every document, whatever its case: as it is written, no pattern, within a line, in the order of paths, until enough have
 * been found. Which documents may have it the search of the workspace says; these are read as they are now and as agents see them.
 */
export async function agentSearch(
  workspace: Workspace,
  find: Find,
  query: string,
  under: string | null,
): Promise<AgentOutputs['agent/search']> {
  const folder = folderPlace(workspace, under);
  const pattern = new RegExp(query.normalize('NFC').replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'giu');
  const turns = takeTurns();
  const hits: Hit[] = [];
  const served: Served[] = [];
  let skipped = new Set<string>();
  for await (const part of partsOf(find, query, folder)) {
    skipped = new Set([...skipped, ...part.skipped]);
    for (const { path } of part.files) {
      if (hits.length === hitLimit) return { answer: { query, hits, truncated: true, skipped: skipped.size }, served };
      await turns.rest();
      const bytes = bytesOf(workspace, path);
      if (bytes === null) {
        skipped.add(path);
        continue;
      }
      const raw = bytes.toString('utf8');
      const matches = await matchesIn(raw, pattern, turns);
      if (matches === null) continue;
      const seen = servedOf(workspace, path, await sightText(raw, turns));
      served.push(seen);
      hits.push({ path, hash: seen.hash, revision: seen.revision, ...matches });
    }
  }
  return { answer: { query, hits, truncated: false, skipped: skipped.size }, served };
}

async function* partsOf(find: Find, text: string, folder: string): AsyncGenerator<Extract<SearchPart, { kind: 'found' }>> {
  const include = folder === '' ? [] : [`/${folder.slice(0, -1).replaceAll(/[\\*?[\]!# ]/gu, '\\$&')}`];
  const request = { text, isExpression: false, matchesCase: false, wholeWords: false, include, exclude: [] };
  for (let after: string | null = null; ; ) {
    const part: SearchPart = await find({ ...request, after });
    if (part.kind !== 'found') return;
    // Globs do not tell letter cases apart.
    yield { ...part, files: part.files.filter(({ path }) => `${path}/`.startsWith(folder)) };
    after = part.after;
    if (after === null) return;
  }
}

/** Null for what agents are not given: it is too large, gone, or no text. */
function bytesOf({ disk, root }: Workspace, path: string): Buffer | null {
  try {
    const stat = disk.lstatSync(join(root, path));
    if (!stat.isFile() || stat.size > agentDocumentLimit) return null;
    const bytes = disk.readFileSync(join(root, path)) as Buffer;
    return isUtf8(bytes) ? bytes : null;
  } catch {
    return null;
  }
}

async function matchesIn(raw: string, pattern: RegExp, turns: Turns): Promise<Pick<Hit, 'matches' | 'more'> | null> {
  const { served, rest } = splitText(raw);
  const matches: Hit['matches'] = [];
  let count = 0;
  let lines = 0;
  for (const piece of inOrder([served], piecesOf(raw, rest))) {
    const text = canonicalText(piece);
    pattern.lastIndex = 0;
    const lineAt = lineCounter(text);
    for (let match = pattern.exec(text); match !== null && count < countLimit; match = pattern.exec(text)) {
      const [found] = match;
      if (count++ < matchLimit) matches.push({ line: lines + lineAt(match.index), text: pieceAround(text, match.index, found.length) });
    }
    lines += lineAt(text.length) - 1;
    await turns.rest();
  }
  return count === 0 ? null : { matches, more: count - matches.length };
}

function* inOrder<Item>(...parts: Iterable<Item>[]): Generator<Item> {
  for (const part of parts) yield* part;
}

/** The line of a match, or the piece of it around the match where it is long. */
function pieceAround(text: string, at: number, length: number): string {
  const start = text.lastIndexOf('\n', at - 1) + 1;
  const next = text.indexOf('\n', at);
  const end = next < 0 ? text.length : next;
  if (end - start <= pieceLength) return text.slice(start, end).trim();
  const from = Math.max(start, Math.min(at - pieceLength / 3, end - pieceLength));
  const to = Math.min(end, Math.max(from + pieceLength, at + Math.min(length, pieceLength)));
  return `${from > start ? '…' : ''}${text.slice(from, to).toWellFormed().trim()}${to < end ? '…' : ''}`;
}
