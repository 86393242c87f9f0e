import type { CallInput } from '#protocol/calls';
import type { OpenedDocument } from '#protocol/document-calls';
import type { JournalRecord, JournalTextOfFile } from '#protocol/journal-calls';

type Sent = CallInput<'journal/append'>['records'][number];
type Wanted = Pick<CallInput<'document/open'>, 'encoding' | 'chosen'>;
/** Reads a document as a page reads it. */
export type ReadDocument = (path: string, wanted: Wanted) => OpenedDocument | Promise<OpenedDocument>;

/** Records as they are kept, with the texts that stand in files read from there; null where a file is not what its base names. */
export async function withTexts(records: readonly Sent[], read: ReadDocument): Promise<readonly JournalRecord[] | null> {
  const whole: JournalRecord[] = [];
  for (const record of records) {
    const found = record.kind === 'text-of-file' ? await textOf(record, read) : record;
    if (found === null) return null;
    whole.push(found);
  }
  return whole;
}

async function textOf(record: JournalTextOfFile, read: ReadDocument): Promise<JournalRecord | null> {
  const { path, readAs, base } = record;
  try {
    const opened = await read(path, readAs === 'utf-8' ? {} : { encoding: readAs, chosen: true });
    return opened.kind === 'text' && opened.base === base ? { ...record, kind: 'text', text: opened.text, before: null } : null;
  } catch {
    // It is gone, or cannot be read now: whoever has the text sends it.
    return null;
  }
}
