import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * The app-data folder, as core finds it (`homeFolder` in `core/home.ts`; a test holds the two together). Said again here because this
 * process loads no module of core.
 */
export function appDataFolder(env: Readonly<Record<string, string | undefined>>, platform: NodeJS.Platform): string {
  if (env.STEMMA_HOME !== undefined && env.STEMMA_HOME !== '') return env.STEMMA_HOME;
  if (platform === 'win32') return join(env.APPDATA ?? join(homedir(), 'AppData', 'Roaming'), 'Stemma');
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Stemma');
  return join(env.XDG_DATA_HOME || join(homedir(), '.local', 'share'), 'stemma');
}
