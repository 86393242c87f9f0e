import { realpathSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * The folder that the program was started with, resolved against where it was started; null without one. Arguments that begin with `-` are
 * Chromium's. In development the program's own path stands first (`process.defaultApp`).
 */
export function folderArgument(argv: readonly string[], isDefaultApp: boolean, from: string): string | null {
  const named = argv.slice(isDefaultApp ? 2 : 1).find((argument) => !argument.startsWith('-'));
  return named === undefined ? null : resolve(from, named);
}

/** The real folder of a path that was named: itself, or the one that its file is in. Null where there is none. */
export function realFolder(path: string): string | null {
  try {
    const real = realpathSync(path);
    return statSync(real).isDirectory() ? real : dirname(real);
  } catch {
    return null;
  }
}

/** The real path of a file that was named; null for a folder, and where there is none. */
export function realFile(path: string): string | null {
  try {
    const real = realpathSync(path);
    return statSync(real).isFile() ? real : null;
  } catch {
    return null;
  }
}
