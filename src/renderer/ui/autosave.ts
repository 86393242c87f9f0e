import type { Buffer } from '#renderer/editor/buffer.ts';

/** How long the writer rests before what was typed is saved, in ms. */
const rest = 1000;

/** When documents are saved by themselves: after a rest of the writer, on turning away, or never. */
export interface Autosave {
  edited(buffer: Buffer): void;
  /** The writer turned away from a document, or from the window. */
  left(buffer: Buffer): void;
  /** Saves and records now what waits for its rest. */
  flush(): Promise<void>;
}

/** What becomes of a document that saves itself. */
export interface Saves {
  /** `auto`: the file only, which is recorded later. */
  save(buffer: Buffer, how: { readonly auto: boolean }): Promise<unknown>;
  /** Records what is due. */
  record(buffer: Buffer): Promise<unknown>;
}

/** Saves by itself as the setting says; on turning away what was saved is recorded as well (`spec/format.md` §6). A document that somebody else wrote or removed is never saved by itself. */
export function createAutosave(setting: () => string, { save, record }: Saves): Autosave {
  const waiting = new Map<Buffer, ReturnType<typeof setTimeout>>();
  const saveNow = async (buffer: Buffer, auto: boolean) => {
    clearTimeout(waiting.get(buffer));
    waiting.delete(buffer);
    if (buffer.outside === null) await save(buffer, { auto });
  };
  return {
    edited(buffer) {
      clearTimeout(waiting.get(buffer));
      waiting.delete(buffer);
      if (setting() === 'rest')
        waiting.set(
          buffer,
          setTimeout(() => void saveNow(buffer, true), rest),
        );
    },
    left(buffer) {
      void (setting() === 'blur' || waiting.has(buffer) ? saveNow(buffer, false) : record(buffer));
    },
    async flush() {
      await Promise.all([...waiting.keys()].map((buffer) => saveNow(buffer, false)));
    },
  };
}
