import { isUtf8 } from 'node:buffer';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { isDocumentPath } from '#core/document';
import { isLink } from '#core/storage/disk';
import type { Workspace } from '#core/workspace/workspace';

/** How long documents are read before others have their turn, in ms. */
const turn = 20;

/** Each document among these files with its bytes, in their order. What is no UTF-8 text, and what stands behind a link, is left out. */
export async function* documentsAmong(workspace: Workspace, files: readonly string[]): AsyncGenerator<{ path: string; bytes: Buffer }> {
  const { disk, root, chance } = workspace;
  let since = chance.now();
  for (const path of files) {
    if (chance.now() - since > turn) {
      await setImmediate();
      since = chance.now();
    }
    const bytes = isDocumentPath(path) && !isLink(disk, join(root, path)) ? readText(workspace, path) : null;
    if (bytes !== null) yield { path, bytes };
  }
}

function readText({ disk, root }: Workspace, path: string): Buffer | null {
  try {
    const bytes = disk.readFileSync(join(root, path)) as Buffer;
    return isUtf8(bytes) ? bytes : null;
  } catch {
    return null;
  }
}
