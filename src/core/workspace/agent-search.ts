import { isUtf8 } from 'node:buffer';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';
import { readDocument } from '#core/document';
import { documentsUnder, lineCounter, servedOf } from '#core/workspace/agent-read';
import { servedText } from '#core/workspace/agent-text';
import type { Workspace } from '#core/workspace/workspace';
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
/** The longest that a search keeps the event loop, in ms. */
const slice = 15;

/**
 * Looks for a text in every document, whatever its case: as it is written, no pattern. Documents are read as they are now, in the order of
 * their paths, until enough have been found; the loop is left in between.
 */
export async function agentSearch(workspace: Workspace, query: string, under: string | null): Promise<AgentOutputs['agent/search']> {
  const pattern = new RegExp(query.normalize('NFC').replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'giu');
  const hits: Hit[] = [];
  const served: Served[] = [];
  let skipped = 0;
  let since = performance.now();
  for (const path of await documentsUnder(workspace, under)) {
    if (hits.length === hitLimit) return { answer: { query, hits, truncated: true, skipped }, served };
    if (performance.now() - since > slice) {
      await setImmediate();
      since = performance.now();
    }
    const bytes = bytesOf(workspace, path);
    if (bytes === 'none') continue;
    if (bytes === 'skipped') skipped++;
    else {
      const matches = matchesIn(servedText(bytes.toString('utf8')).normalize('NFC'), pattern);
      if (matches === null) continue;
      const seen = servedOf(workspace, path, readDocument(bytes, path));
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

function matchesIn(text: string, pattern: RegExp): Pick<Hit, 'matches' | 'more'> | null {
  pattern.lastIndex = 0;
  const places: { at: number; length: number }[] = [];
  let count = 0;
  for (let match = pattern.exec(text); match !== null && count < countLimit; match = pattern.exec(text)) {
    if (count++ < matchLimit) places.push({ at: match.index, length: match[0].length });
  }
  if (count === 0) return null;
  const lineAt = lineCounter(text);
  const matches = places.map(({ at, length }) => ({ line: lineAt(at), text: pieceAround(text, at, length) }));
  return { matches, more: count - matches.length };
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
