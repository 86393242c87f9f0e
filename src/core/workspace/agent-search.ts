import { isUtf8 } from 'node:buffer';
import { join } from 'node:path';
import { documentsUnder, lineCounter, servedOf } from '#core/workspace/agent-read';
import { sightText } from '#core/workspace/agent-sight';
import { splitText } from '#core/workspace/agent-text';
import { piecesOf, type Turns, takeTurns } from '#core/workspace/turns';
import type { Workspace } from '#core/workspace/workspace';
import { canonicalText } from '#kernel/text';
import type { AgentOutputs, Served } from '#protocol/agent-calls';
import { agentDocumentLimit } from '#protocol/agent-limit';

type Hit = AgentOutputs['agent/search']['answer']['hits'][number];

/** The most documents that a search shows. */
export const hitLimit = 50;
/** The most matches that are shown of one document. */
export const matchLimit = 3;
/** The most matches of one document that are counted. */
const countLimit = 1000;
/** The longest piece of a line that is shown. */
const pieceLength = 240;

/**
 * Looks for a text in every document, whatever its case: as it is written, no pattern, within a line. Documents are read as they are now, in
 * the order of their paths, until enough have been found; the loop is left in between.
 */
export async function agentSearch(workspace: Workspace, query: string, under: string | null): Promise<AgentOutputs['agent/search']> {
  const pattern = new RegExp(query.normalize('NFC').replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'giu');
  const turns = takeTurns();
  const hits: Hit[] = [];
  const served: Served[] = [];
  let skipped = 0;
  for (const path of await documentsUnder(workspace, under)) {
    if (hits.length === hitLimit) return { answer: { query, hits, truncated: true, skipped }, served };
    await turns.rest();
    const bytes = bytesOf(workspace, path);
    if (bytes === 'none') continue;
    if (bytes === 'skipped') skipped++;
    else {
      const raw = bytes.toString('utf8');
      const matches = await matchesIn(raw, pattern, turns);
      if (matches === null) continue;
      const seen = servedOf(workspace, path, await sightText(raw, turns));
      served.push(seen);
      hits.push({ path, hash: seen.hash, revision: seen.revision, ...matches });
    }
  }
  return { answer: { query, hits, truncated: false, skipped }, served };
}

/** `none` for what is no file of its own (any more); `skipped` for what cannot be searched. */
function bytesOf({ disk, root }: Workspace, path: string): Buffer | 'none' | 'skipped' {
  try {
    const stat = disk.lstatSync(join(root, path));
    if (!stat.isFile()) return 'none';
    if (stat.size > agentDocumentLimit) return 'skipped';
    const bytes = disk.readFileSync(join(root, path)) as Buffer;
    return isUtf8(bytes) ? bytes : 'skipped';
  } catch {
    return 'skipped';
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
