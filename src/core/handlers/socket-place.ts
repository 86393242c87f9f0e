import { hash } from 'node:crypto';
import { basename, join } from 'node:path';
import { workspaceKey } from '#core/home';
import { type Disk, readIfThere } from '#core/storage/disk';

/** Where the core of a workspace listens for programs of this installation, and where that and its token are said. */
export interface SocketPlace {
  readonly folder: string;
  /** Says where the core listens that has the place: whoever replaces it has it. */
  readonly tokenFile: string;
  /** Where a core may listen; `token` is hex, so that no two cores ever do at the same name. On Windows pipes stand in no folder, and there is one. */
  addressFor(token: string): string;
}

/** What the token file holds. */
export interface SocketToken {
  readonly token: string;
  readonly pid: number;
  /** What a program connects to. */
  readonly address: string;
  /** Rises when two versions would not understand each other. */
  readonly wire: number;
}

/** The version of what is said over the socket. */
export const wireVersion = 1;

/** The place of a workspace by its real path: `STEMMA_HOME/run`, or a named pipe on Windows. */
export function socketPlace(home: string, root: string, platform: NodeJS.Platform = process.platform): SocketPlace {
  const folder = join(home, 'run');
  const key = workspaceKey(root);
  const pipe = String.raw`\\.\pipe\stemma-${hash('sha256', `${home}\n${key}`, 'hex').slice(0, 32)}`;
  return {
    folder,
    tokenFile: join(folder, `${key}.json`),
    addressFor: (token) => (platform === 'win32' ? pipe : join(folder, `${key}-${token}.sock`)),
  };
}

/** What the core at a place has said; null where there is none, or it says to listen elsewhere than in this place. */
export function readToken(disk: Disk, place: SocketPlace): SocketToken | null {
  try {
    const kept = JSON.parse(readIfThere(disk, place.tokenFile)?.toString('utf8') ?? 'null') as Partial<SocketToken> | null;
    if (typeof kept?.token !== 'string' || typeof kept.pid !== 'number') return null;
    if (typeof kept.address !== 'string' || typeof kept.wire !== 'number') return null;
    const [, made = ''] = /-([0-9a-f]{8})\.sock$/u.exec(basename(kept.address)) ?? [];
    if (kept.address !== place.addressFor(made)) return null;
    return { token: kept.token, pid: kept.pid, address: kept.address, wire: kept.wire };
  } catch {
    return null;
  }
}
