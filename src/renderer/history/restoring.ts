import { v7 } from 'uuid';
import { follow } from '#renderer/editor/buffer.ts';
import type { Studio } from '#renderer/ui/studio.ts';

/** What became of putting a version back. `unsaved`: the text as it stands could not be saved first. */
export type Restored = 'restored' | 'unsaved' | 'conflict';

/**
 * Puts a version back into its file. What is unsaved is saved first, so that it is a version too; undo brings the text
 * back that stood there.
 */
export async function restoreVersion({ documents, connection }: Studio, path: string, version: string): Promise<Restored> {
  const saved = await documents.save(path);
  if (saved !== 'saved' && saved !== 'clean') return 'unsaved';
  const buffer = documents.bufferOf(path);
  const base = buffer === undefined ? await baseOf(connection, path) : (buffer.disk?.base ?? null);
  const answer = await connection.call('history/restore', { path, version, base, idem: v7() });
  if (answer.kind === 'conflict') return 'conflict';
  const { kind: _, recorded: __, tracking, ...text } = answer;
  if (buffer !== undefined) {
    follow(buffer, text, { undoable: true });
    buffer.tracking = tracking;
    documents.edited(buffer, false);
  }
  return 'restored';
}

async function baseOf({ call }: Studio['connection'], path: string): Promise<string | null> {
  const opened = await call('document/open', { path });
  return opened.kind === 'text' ? opened.base : null;
}
