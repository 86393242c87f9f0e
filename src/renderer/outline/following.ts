import type { Connection } from '#renderer/connection.ts';

/** How long files rest before they are looked into anew, in ms. */
const rest = 600;

/** Asks anew when files have changed and rest; the answer stops that. */
export function followFiles(on: Connection['on'], ask: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = on('files-changed', () => {
    clearTimeout(timer);
    timer = setTimeout(ask, rest);
  });
  ask();
  return () => {
    clearTimeout(timer);
    stop();
  };
}
