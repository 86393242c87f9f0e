import type { Buffer } from '#renderer/editor/buffer.ts';

/** How long the writer rests before what was typed is saved, in ms. */
const rest = 1000;

/** When documents are saved by themselves: after a rest of the writer, on turning away, or never. */
export interface Autosave {
  edited(buffer: Buffer): void;
  /** The writer turned away from a document, or from the window. */
  left(buffer: Buffer): void;
  /** Saves now what waits for its rest. */
  flush(): Promise<void>;
}

/** Saves by itself as the setting says. A document that somebody else wrote or removed is never saved by itself. */
export function createAutosave(setting: () => string, save: (buffer: Buffer) => Promise<unknown>): Autosave {
  const waiting = new Map<Buffer, ReturnType<typeof setTimeout>>();
  const saveNow = async (buffer: Buffer) => {
    clearTimeout(waiting.get(buffer));
    waiting.delete(buffer);
    if (buffer.outside === null) await save(buffer);
  };
  return {
    edited(buffer) {
      clearTimeout(waiting.get(buffer));
      waiting.delete(buffer);
      if (setting() === 'rest')
        waiting.set(
          buffer,
          setTimeout(() => void saveNow(buffer), rest),
        );
    },
    left(buffer) {
      if (setting() === 'blur' || waiting.has(buffer)) void saveNow(buffer);
    },
    async flush() {
      await Promise.all([...waiting.keys()].map(saveNow));
    },
  };
}
