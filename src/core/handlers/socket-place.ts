import { hash } from 'node:crypto';
import { join } from 'node:path';
import { workspaceKey } from '#core/home';
import { type Disk, readIfThere } from '#core/storage/disk';

/** Where the core of a workspace listens for programs of this installation, and where its token is. */
export interface SocketPlace {
  /** Null on Windows, where pipes stand in no folder; the token does. */
  readonly socketFile: string | null;
  /** What a program connects to. */
  readonly address: string;
  readonly folder: string;
  readonly tokenFile: string;
}

/** What the token file holds. */
export interface SocketToken {
  readonly token: string;
  readonly pid: number;
  /** Rises when two versions would not understand each other. */
  readonly wire: number;
}

/** The version of what is said over the socket. */
export const wireVersion = 1;

/** The place of a workspace by its real path: `STEMMA_HOME/run`, or a named pipe on Windows. */
export function socketPlace(home: string, root: string, platform: NodeJS.Platform = process.platform): SocketPlace {
  const folder = join(home, 'run');
  const key = workspaceKey(root);
  const tokenFile = join(folder, `${key}.json`);
  if (platform !== 'win32') return { socketFile: join(folder, `${key}.sock`), address: join(folder, `${key}.sock`), folder, tokenFile };
  const pipe = String.raw`\\.\pipe\stemma-${hash('sha256', `${home}\n${key}`, 'hex').slice(0, 32)}`;
  return { socketFile: null, address: pipe, folder, tokenFile };
}

/** The token that the core at a place has left; null where there is none that this program understands. */
export function readToken(disk: Disk, { tokenFile }: SocketPlace): SocketToken | null {
  try {
    const kept = JSON.parse(readIfThere(disk, tokenFile)?.toString('utf8') ?? 'null') as Partial<SocketToken> | null;
    if (typeof kept?.token !== 'string' || typeof kept.pid !== 'number' || kept.wire !== wireVersion) return null;
    return { token: kept.token, pid: kept.pid, wire: kept.wire };
  } catch {
    return null;
  }
}
