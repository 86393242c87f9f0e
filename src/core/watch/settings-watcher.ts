import { unwatchFile, watchFile } from 'node:fs';
import { join } from 'node:path';
import type { AppSettings, Home } from '#core/home';

/** How often the file of the settings is looked at, in ms. It is replaced whole, which the watchers of some systems lose sight of. */
const settingsSweep = 1000;

/** Tells when the settings of the app become others, by whichever program; the answer stops it. Never keeps a process alive. */
export function watchSettings(home: Home, listener: (settings: AppSettings) => void): () => void {
  const file = join(home.folder, 'settings.json');
  let known = readable(home);
  const look = () => {
    const now = readable(home);
    if (now === null || JSON.stringify(now) === JSON.stringify(known)) return;
    known = now;
    listener(now);
  };
  watchFile(file, { interval: settingsSweep, persistent: false }, look);
  return () => unwatchFile(file, look);
}

/** Null while it cannot be understood: that is said to whoever asks for it. */
function readable(home: Home): AppSettings | null {
  try {
    return home.app();
  } catch {
    return null;
  }
}
