import { spawn } from 'node:child_process';
import { dirname } from 'node:path';

/** The program that shows a file in the system's file manager, and its arguments. */
export function revealCommand(place: string, platform: NodeJS.Platform): [program: string, args: string[]] {
  if (platform === 'darwin') return ['open', ['-R', place]];
  if (platform === 'win32') return ['explorer.exe', [`/select,${place}`]];
  // Few file managers can point at a file; all open a folder. A path is no option, for it begins with a slash.
  return ['xdg-open', [dirname(place)]];
}

/** Shows a file in the system's file manager; rejects where it has none. */
export function reveal(place: string, platform: NodeJS.Platform = process.platform): Promise<void> {
  const [program, args] = revealCommand(place, platform);
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'ignore', detached: true });
    child.once('error', reject);
    child.once('spawn', () => {
      child.unref();
      resolve();
    });
  });
}
