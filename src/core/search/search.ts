import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import { join } from 'node:path';
import ignore from 'ignore';
import { isDocumentPath } from '#core/document';
import type { SearchIndex, Stamp } from '#core/search/search-index';
import type { Disk } from '#core/storage/disk';
import { walkDocuments } from '#core/workspace/walk';
import { type Match, matchesIn, type SearchPattern, searchPattern } from '#kernel/search-pattern';
import type { FoundFile, FoundMatch, SearchPart, SearchRequest } from '#protocol/search-calls';

/** How far one part goes: this many ms, or this many matches; the first part has few, so that it is there at once. */
const [partTime, firstMatches, partMatches] = [50, 200, 1000];
/** The most matches of one document; who has more looks at the document. */
const fileMatches = 500;
/** How much of a line stands before and behind a match, in UTF-16 units. */
const margin = 80;
/** Larger files are no prose; they are named in the answer. */
const largest = 64 * 1024 * 1024;

/** Search over the documents of one workspace. */
export interface Search {
  /** Says that these documents may have changed; null: any may. */
  changed(paths: readonly string[] | null): void;
  /** Answers the next part of a query. The files as they are now are what counts, whatever the index knows. `looked`: told once it is known which there are. */
  find(request: SearchRequest, looked?: () => void): SearchPart;
  /** Indexes some of what is not indexed yet and has come to rest; answers whether it did anything. */
  catchUp(): boolean;
  /** Whether a document waits for its rest, so that there will be something to do in a while. */
  isWaiting(): boolean;
}

/** How much is indexed in one turn: this many documents, or bytes of them. A query waits for no more than that. */
const [turnFiles, turnBytes] = [64, 512 * 1024];

/** A document that changed less than so many ms ago may change again and look the same from outside. */
const settling = 2000;

/**
 * Makes the search of a workspace; `index` null where there can be none, so that every document is read for every query.
 * `clock` tells ms since 1970.
 */
export function createSearch(disk: Disk, root: string, index: SearchIndex | null, clock: () => number): Search {
  const indexed = index?.known() ?? new Map<string, Stamp>();
  /** Documents that the index does not know as they are. */
  const stale = new Set<string>();
  /** Documents that cannot be looked into: they are too large, cannot be read, or are not in UTF-8. */
  const closed = new Set<string>();
  let paths: readonly string[] = [];
  let listed: ReadonlySet<string> = new Set();
  let hints: Set<string> | null = null;
  let last: { readonly key: string; readonly candidates: readonly string[] } | null = null;

  /** A time that is far ahead would be waited for without end. */
  const isFresh = (mtime: number) => Math.abs(clock() - mtime) <= settling;
  const lookAt = (path: string) => {
    const stamp = stampOf(disk, join(root, path));
    closed.delete(path);
    if (stamp !== null && stamp.size > largest) {
      closed.add(path);
      stale.delete(path);
      return;
    }
    const known = indexed.get(path);
    const isSame = stamp !== null && known !== undefined && known.size === stamp.size && known.mtime === stamp.mtime;
    if (isSame && !isFresh(stamp.mtime)) stale.delete(path);
    else stale.add(path);
  };
  const isSettling = (path: string) => isFresh(stampOf(disk, join(root, path))?.mtime ?? 0);
  const nextTurn = () => {
    const files: { path: string; stamp: Stamp; text: string | null }[] = [];
    let bytes = 0;
    for (const path of stale) {
      if (files.length >= turnFiles || bytes >= turnBytes) break;
      if (isSettling(path)) continue;
      const content = contentOf(disk, root, path);
      bytes += content.stamp.size;
      if (content.text === null) closed.add(path);
      files.push({ path, ...content });
      stale.delete(path);
    }
    return files;
  };
  /** What was changed inside a document changes no list; whatever else came, went or is a folder may. */
  const changesList = (path: string) => !listed.has(path) || stampOf(disk, join(root, path)) === null;
  const look = () => {
    if (hints?.size === 0) return;
    if (hints === null || [...hints].some(changesList)) {
      paths = walkDocuments(disk, root).paths;
      listed = new Set(paths);
    }
    if (hints === null) for (const path of new Set([...indexed.keys(), ...paths])) lookAt(path);
    else for (const path of hints) if (isDocumentPath(path) || indexed.has(path)) lookAt(path);
    hints = new Set();
    last = null;
  };
  const candidatesFor = (request: SearchRequest, pattern: SearchPattern): readonly string[] => {
    const key = JSON.stringify({ ...request, after: null });
    if (last?.key === key) return last.candidates;
    const possible = index?.candidates(pattern.literals) ?? null;
    const isWanted = wanted(request);
    const candidates = paths.filter((path) => (possible === null || possible.has(path) || stale.has(path)) && isWanted(path));
    last = { key, candidates };
    return candidates;
  };

  const closedAmong = (request: SearchRequest) => {
    const isWanted = wanted(request);
    return paths.filter((path) => closed.has(path) && isWanted(path));
  };

  return {
    changed(some) {
      if (some === null) hints = null;
      else if (hints !== null) for (const path of some) hints.add(path);
    },
    find(request, looked) {
      const pattern = searchPattern(request);
      if (pattern === null) return { kind: 'invalid' };
      look();
      looked?.();
      const candidates = candidatesFor(request, pattern);
      const first = request.after === null ? 0 : placeBehind(candidates, request.after);
      const until = clock() + partTime;
      const most = request.after === null ? firstMatches : partMatches;
      const files: FoundFile[] = [];
      let count = 0;
      let at = first;
      while (at < candidates.length && count < most && (at === first || clock() < until)) {
        const found = searchFile(disk, root, candidates[at]!, pattern);
        if (found === null) closed.add(candidates[at]!);
        else if (found.matches.length > 0) files.push(found);
        count += found?.matches.length ?? 0;
        at++;
      }
      const isDone = at >= candidates.length;
      const skipped = (request.after === null || isDone) && closed.size > 0 ? closedAmong(request) : [];
      return { kind: 'found', files, after: isDone ? null : candidates[at - 1]!, searched: at, of: candidates.length, skipped };
    },
    catchUp() {
      look();
      const files = nextTurn();
      index?.update(files);
      for (const { path, stamp, text } of files) {
        if (text === null) indexed.delete(path);
        else indexed.set(path, stamp);
      }
      if (files.length === 0) return index?.tidy() ?? false;
      last = null;
      return true;
    },
    isWaiting: () => stale.size > 0,
  };
}

/** Where the first path behind `after` stands in a sorted list. */
function placeBehind(sorted: readonly string[], after: string): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! > after) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** What cannot be read, or is no text, has none and is looked at again each time. */
function contentOf(disk: Disk, root: string, path: string): { stamp: Stamp; text: string | null } {
  const stamp = stampOf(disk, join(root, path));
  if (stamp === null) return { stamp: { size: 0, mtime: 0 }, text: null };
  return { stamp, text: textOf(disk, root, path)?.text ?? null };
}

function stampOf(disk: Disk, place: string): Stamp | null {
  try {
    const stat = disk.lstatSync(place);
    return stat.isFile() ? { size: stat.size, mtime: stat.mtimeMs } : null;
  } catch {
    return null;
  }
}

function textOf(disk: Disk, root: string, path: string): { bytes: Buffer; text: string } | null {
  try {
    const stamp = stampOf(disk, join(root, path));
    if (stamp === null || stamp.size > largest) return null;
    const bytes = disk.readFileSync(join(root, path)) as Buffer;
    return isUtf8(bytes) ? { bytes, text: bytes.toString('utf8') } : null;
  } catch {
    return null;
  }
}

function wanted({ include, exclude }: SearchRequest): (path: string) => boolean {
  const rules = (globs: readonly string[]) => ignore({ allowRelativePaths: true }).add(globs.filter((glob) => glob.trim() !== ''));
  const [only, never] = [rules(include), rules(exclude)];
  const hasOnly = include.some((glob) => glob.trim() !== '');
  return (path) => (!hasOnly || only.ignores(path)) && !never.ignores(path);
}

/** The matches in one document, or none; null where it cannot be looked into. */
function searchFile(disk: Disk, root: string, path: string, pattern: SearchPattern): FoundFile | null {
  const content = textOf(disk, root, path);
  if (content === null) return null;
  const { bytes, text } = content;
  const matches = matchesIn(pattern, text, fileMatches + 1);
  if (matches.length === 0) return { path, base: '', matches: [], more: false };
  const listed = withLines(text, matches.slice(0, fileMatches));
  return { path, base: hash('sha256', bytes, 'hex'), matches: listed, more: matches.length > fileMatches };
}

/** The matches with their lines: line breaks are gone through once, from one match to the next. */
function withLines(text: string, matches: readonly Match[]): FoundMatch[] {
  const [breakBefore, breakBehind] = [lineBreaks(text), lineBreaks(text)];
  let line = 1;
  let lineStart = 0;
  return matches.map(({ start, end }) => {
    for (let next = breakBefore(lineStart); next.end <= start; next = breakBefore(lineStart)) {
      line++;
      lineStart = next.end;
    }
    return {
      start,
      end,
      line,
      before: text.slice(Math.max(lineStart, start - margin), start).toWellFormed(),
      text: text.slice(start, Math.min(end, start + 4 * margin)).toWellFormed(),
      behind: text.slice(end, Math.min(breakBehind(end).start, end + margin)).toWellFormed(),
    };
  });
}

/** Answers the first line break at or behind a place, which never goes back; behind the last one there is one without end. */
function lineBreaks(text: string): (from: number) => { readonly start: number; readonly end: number } {
  const behind = (sign: string, from: number) => {
    const at = text.indexOf(sign, from);
    return at < 0 ? Number.POSITIVE_INFINITY : at;
  };
  let [feed, carriage] = [-1, -1];
  return (from) => {
    if (feed < from) feed = behind('\n', from);
    if (carriage < from) carriage = behind('\r', from);
    const start = Math.min(feed, carriage);
    return { start, end: start + (feed === carriage + 1 ? 2 : 1) };
  };
}
