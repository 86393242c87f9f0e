import { byHand } from '#core/workspace/authorship';
import type { SaveOutcome, SaveRequest } from '#core/workspace/save';
import { Fault } from '#protocol';
import type { FileOutcome } from '#protocol/search-calls';

/** How texts are saved, and under which intent the ledger has them. */
export interface Saver {
  save(request: SaveRequest): Promise<SaveOutcome>;
}

/** One document that is to be written: its bytes as they are, as they shall be, and how many places change. */
export interface TextChange {
  readonly path: string;
  readonly before: Buffer;
  readonly base: string;
  readonly bytes: Buffer;
  readonly count: number;
}

/** What is needed to take a change back: the bytes before, and the name of those that were written. */
export interface TextBefore {
  readonly path: string;
  readonly bytes: Buffer;
  readonly written: string;
}

/** Saves one document by the writer's hand, checked against the bytes it was made from. What is refused is an outcome. */
export async function saveChange(
  { save }: Saver,
  { path, before, base, bytes, count }: TextChange,
  intent: { readonly kind: string; readonly summary: string },
): Promise<{ readonly outcome: FileOutcome; readonly before: TextBefore | null }> {
  try {
    const saved = await save({ ...byHand, path, bytes, base, intent: { ...intent, prompt_hash: null } });
    if (saved.kind === 'conflict') return { outcome: { path, kind: 'conflict' }, before: null };
    return { outcome: { path, kind: 'done', count }, before: { path, bytes: before, written: saved.base } };
  } catch (error) {
    return { outcome: failedOutcome(path, error), before: null };
  }
}

/** The outcome of a document that could not be read or written. */
export function failedOutcome(path: string, error: unknown): FileOutcome {
  const { code, detail } = error instanceof Fault ? error : new Fault('bug', { problem: String(error) });
  return { path, kind: 'failed', code, detail };
}

/** Writes back what stood there before; a document that was changed meanwhile is left alone. */
export async function restoreTexts(saver: Saver, texts: readonly TextBefore[]): Promise<FileOutcome[]> {
  const outcomes: FileOutcome[] = [];
  for (const { path, bytes, written } of texts) {
    const change = { path, before: bytes, base: written, bytes, count: 1 };
    outcomes.push((await saveChange(saver, change, { kind: 'undo', summary: 'taken back' })).outcome);
  }
  return outcomes;
}
