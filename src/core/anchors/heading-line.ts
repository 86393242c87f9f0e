import { join } from 'node:path';
import { digest } from '#core/digest';
import { readDocument } from '#core/document';
import type { Workspace } from '#core/workspace/workspace';
import { resolveSection } from '#kernel/section';
import { canonicalText } from '#kernel/text';

/** The line, from 1, at which a section's heading stands in a document as it is on disk; 1 where no single heading is meant or there is no text. */
export function headingLine({ disk, root }: Workspace, path: string, section: readonly string[]): number {
  if (section.length === 0 || !disk.existsSync(join(root, path))) return 1;
  const text = canonicalText(readDocument(disk.readFileSync(join(root, path)) as Buffer, path).text ?? '');
  const found = resolveSection(text, section, digest.utf8Length);
  return found.kind === 'found' ? text.slice(0, found.start).split('\n').length : 1;
}
