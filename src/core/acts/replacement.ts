import { isUtf8 } from 'node:buffer';
import type { ActJournal } from '#core/acts/act-journal';
import { failedOutcome, restoreTexts, type Saver, saveChange, type TextBefore } from '#core/acts/text-change';
import { bytesHash } from '#core/workspace/save';
import { type Match, matchesIn, replacementFor, type SearchPattern, type SearchQuery, searchPattern } from '#kernel/search-pattern';
import { Fault } from '#protocol';
import type { FileOutcome, Replaced, WantedReplacement } from '#protocol/search-calls';

/** What shall be replaced by what, and where. */
export interface Replacing {
  readonly query: SearchQuery;
  readonly replacement: string;
  readonly files: readonly WantedReplacement[];
}

/** What a replacement works on. */
export interface ReplacementParts extends Saver {
  readonly journal: ActJournal;
  /** The bytes of a document of the workspace; faults as for opening it. */
  read(path: string): Buffer;
}

/** Replaces matches in documents, each of them saved whole and by itself; one that is not as it was found is left alone. */
export async function replaceMatches(parts: ReplacementParts, { query, replacement, files }: Replacing): Promise<Replaced> {
  const pattern = searchPattern(query);
  if (pattern === null) throw new Fault('call-invalid', { call: 'search/replace', problem: 'query' });
  const texts: TextBefore[] = [];
  const outcomes: FileOutcome[] = [];
  for (const wanted of files) {
    const { outcome, before } = await replaceIn(parts, wanted, (text) => replaced(pattern, query.isExpression, text, wanted, replacement));
    outcomes.push(outcome);
    if (before !== null) texts.push(before);
  }
  const takeBack = async () => ({ kind: 'undone' as const, moves: [], files: await restoreTexts(parts, texts) });
  return { undo: texts.length === 0 ? null : parts.journal.keep(takeBack), files: outcomes };
}

async function replaceIn(
  parts: ReplacementParts,
  { path, base }: WantedReplacement,
  change: (text: string) => { text: string; count: number },
): Promise<{ outcome: FileOutcome; before: TextBefore | null }> {
  try {
    const bytes = parts.read(path);
    if (bytesHash(bytes) !== base || !isUtf8(bytes)) return { outcome: { path, kind: 'conflict' }, before: null };
    const { text, count } = change(bytes.toString('utf8'));
    if (count === 0) return { outcome: { path, kind: 'done', count }, before: null };
    const written = { path, before: bytes, base, bytes: Buffer.from(text, 'utf8'), count };
    return await saveChange(parts, written, { kind: 'search-replace', summary: 'replaced in the workspace' });
  } catch (error) {
    return { outcome: failedOutcome(path, error), before: null };
  }
}

function replaced(
  pattern: SearchPattern,
  isExpression: boolean,
  text: string,
  { starts }: WantedReplacement,
  replacement: string,
): { text: string; count: number } {
  const chosen = starts === null ? null : new Set(starts);
  const isChosen = ({ start }: Match) => chosen === null || chosen.has(start);
  const matches = matchesIn(pattern, text, Number.POSITIVE_INFINITY).filter(isChosen);
  let made = '';
  let at = 0;
  for (const match of matches) {
    made += text.slice(at, match.start) + replacementFor(pattern, isExpression, text, match, replacement);
    at = match.end;
  }
  return { text: made + text.slice(at), count: matches.length };
}
