import { join } from 'node:path';
import { isLink } from '#core/storage/disk';
import { byHand } from '#core/workspace/authorship';
import { confine } from '#core/workspace/place';
import type { SaveRequest } from '#core/workspace/save';
import type { Workspace } from '#core/workspace/workspace';
import { Fault } from '#protocol';

/** The save that makes a new file, whose folder has to be there. A file or a link that is there already is left alone. */
export function creationOf({ disk, root }: Workspace, named: string, text: string): SaveRequest {
  const path = confine(disk, root, named);
  const place = join(root, path);
  if (disk.existsSync(place) || isLink(disk, place)) throw new Fault('already-exists', { path });
  const intent = { kind: 'explorer-new-file', summary: 'new file', prompt_hash: null };
  return { ...byHand, path, bytes: Buffer.from(text, 'utf8'), base: null, intent };
}
