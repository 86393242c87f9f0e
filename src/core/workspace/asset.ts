import { posix } from 'node:path';
import { isLink, makeFolder, readIfThere } from '#core/storage/disk';
import { writeAtomic } from '#core/storage/replacing';
import { confine } from '#core/workspace/place';
import { throughTemporary } from '#core/workspace/temporary';
import type { Workspace } from '#core/workspace/workspace';
import { Fault, faultFromSystem } from '#protocol';
import type { PutAsset } from '#protocol/document-calls';

/** A file that goes beside a document: into `folder`, seen from the document's own, under `name` or one like it. */
export interface AssetRequest {
  readonly path: string;
  readonly folder: string;
  readonly name: string;
  readonly bytes: Buffer;
}

const kinds = /\.(png|jpe?g|gif|webp|avif|bmp|svg)$/iu;
/** How many files of one name are looked at before it is given up. */
const tries = 1000;

/**
 * Puts a picture into the assets folder of a document, whole or not at all, and never over another file: one of the same content is used
 * as it is, one of another content gets a number behind its name. Throws where the folder would be outside of the workspace.
 */
export function putAsset(workspace: Workspace, { path, folder, name, bytes }: AssetRequest): PutAsset {
  const { disk, root, chance } = workspace;
  const from = posix.dirname(confine(disk, root, path));
  const plain = plainName(name);
  if (!kinds.test(plain)) throw new Fault('path-invalid', { path: name });
  const target = confine(disk, root, posix.join(from, folder, plain));
  const inside = posix.dirname(target);
  if (inside.split('/').some((part) => part.startsWith('.') && part !== '.')) throw new Fault('path-invalid', { path: folder });
  try {
    makeFolder(disk, posix.join(root, inside));
    for (let turn = 1; turn <= tries; turn++) {
      const at = posix.join(inside, numbered(plain, turn));
      const place = posix.join(root, at);
      // A link is somebody else's, wherever it leads.
      if (isLink(disk, place)) continue;
      const there = readIfThere(disk, place);
      if (there === null) {
        const refuseTaken = () => {
          if (disk.existsSync(place)) throw new Fault('conflict-on-disk', { path: at });
        };
        const token = chance.newId(chance.now()).slice(-12);
        throughTemporary(workspace, { target: place, token, isNew: true }, (temporary) =>
          writeAtomic(disk, place, bytes, temporary, undefined, refuseTaken),
        );
      }
      if (there === null || there.equals(bytes)) return { path: at, link: posix.relative(from === '.' ? '' : from, at) };
    }
  } catch (error) {
    throw faultFromSystem(error, target);
  }
  throw new Fault('already-exists', { path: target });
}

/** A name that every system takes and that stays readable in a link; at most 250 bytes with its kind and a number. */
function plainName(name: string): string {
  const last = name.split(/[/\\]/u).at(-1) ?? '';
  const kind = kinds.exec(last)?.[0] ?? '';
  const stem = last
    .slice(0, last.length - kind.length)
    .normalize('NFC')
    .replaceAll(/[\p{C}\p{Z}<>:"|?*#%[\]()^]+/gu, '-')
    .replaceAll(/-{2,}/gu, '-')
    .replaceAll(/^[.-]+|[.-]+$/gu, '');
  const isDevice = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/iu.test(stem);
  const short = [...stem].slice(0, 58).join('');
  return `${short === '' ? 'picture' : isDevice ? `picture-${short}` : short}${kind.toLowerCase()}`;
}

function numbered(name: string, turn: number): string {
  if (turn === 1) return name;
  const dot = name.lastIndexOf('.');
  return `${name.slice(0, dot)}-${turn}${name.slice(dot)}`;
}
