import { type JournalHead, type JournalLine, linesIn } from '#core/journal/journal-line';
import type { JournaledDocument, JournaledText, JournalLayout, JournalSteps } from '#protocol/journal-calls';

/** What a journal says after all of its lines. */
export interface JournalReading {
  readonly head: JournalHead;
  readonly documents: readonly JournaledText[];
  readonly layout: JournalLayout | null;
  /** The window was left in order, and nothing came after that. */
  readonly isLeft: boolean;
  /** ms since 1970, of the last that can be read. */
  readonly at: number;
  readonly lines: readonly JournalLine[];
}

/**
 * Reads a journal as far as it can be read: of each document its last text and the steps that follow it without a gap.
 * Null where it does not say whose it is.
 */
export function readJournal(bytes: Buffer): JournalReading | null {
  const lines = linesIn(bytes);
  const head = lines[0]?.record;
  if (head?.kind !== 'begin') return null;
  const texts = new Map<number, JournaledText & { steps: JournalSteps[] }>();
  let layout: JournalLayout | null = null;
  let at = 0;
  for (const { doc, turn, record } of lines) {
    if ('at' in record) at = record.at;
    if (record.kind === 'layout') layout = record;
    else if (record.kind === 'closed') texts.delete(doc);
    else if (record.kind === 'text') texts.set(doc, { doc, text: record, steps: [], isWhole: true });
    else if (record.kind === 'steps') take(texts, record, turn);
  }
  return { head, documents: [...texts.values()], layout, isLeft: lines.at(-1)?.record.kind === 'left', at, lines };
}

/** Steps behind a gap would be done to another text than the one that they were made on. */
function take(texts: Map<number, JournaledText & { steps: JournalSteps[] }>, record: JournalSteps, turn: number): void {
  const before = texts.get(record.doc);
  if (before === undefined) return;
  if (before.isWhole && turn === before.steps.length + 1) before.steps.push(record);
  else texts.set(record.doc, { ...before, isWhole: false });
}

/** A document of a journal as it is listed. */
export function listed({ doc, text, steps, isWhole }: JournaledText): JournaledDocument {
  const { path, base, isDirty, at } = steps.at(-1) ?? text;
  // Where the end is missing nobody knows whether it was saved.
  return { doc, path, base, isDirty: isDirty || !isWhole, at };
}
