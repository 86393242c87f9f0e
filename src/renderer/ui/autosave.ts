import type { Buffer } from '#renderer/editor/buffer.ts';
import type { SaveOutcome } from '#renderer/editor/saving.ts';

/** How long the writer rests before what was typed is saved, in ms. */
const rest = 1000;

/** How long is waited before a save that failed is tried again: each time longer, and in the end no more until something is typed, in ms. */
const patience = [1000, 2000, 4000, 8000, 16_000, 32_000] as const;

/** When documents are saved by themselves: after a rest of the writer, on turning away, or never. */
export interface Autosave {
  edited(buffer: Buffer): void;
  /** The writer turned away from a document, or from the window. */
  left(buffer: Buffer): void;
  /** A save that the writer asked for failed: it is tried again, whatever the setting. */
  failed(buffer: Buffer): void;
  /** Saves and records now what waits for its rest. */
  flush(): Promise<void>;
}

/** What becomes of a document that saves itself. */
export interface Saves {
  /** `auto`: the file only, which is recorded later. Answers what became of it. */
  save(buffer: Buffer, how: { readonly auto: boolean }): Promise<SaveOutcome>;
  /** Records what is due. */
  record(buffer: Buffer): Promise<unknown>;
}

/** Saves by itself as the setting says; on turning away what was saved is recorded as well (`spec/format.md` §6). A document that somebody else wrote or removed is never saved by itself. */
export function createAutosave(setting: () => string, { save, record }: Saves): Autosave {
  const waiting = new Map<Buffer, ReturnType<typeof setTimeout>>();
  const failures = new Map<Buffer, number>();
  const later = (buffer: Buffer, delay: number, auto: boolean) => {
    clearTimeout(waiting.get(buffer));
    waiting.set(
      buffer,
      setTimeout(() => void saveNow(buffer, auto), delay),
    );
  };
  const again = (buffer: Buffer, auto: boolean) => {
    const count = failures.get(buffer) ?? 0;
    const delay = patience[count];
    failures.set(buffer, count + 1);
    if (delay !== undefined && !waiting.has(buffer)) later(buffer, delay, auto);
  };
  const saveNow = async (buffer: Buffer, auto: boolean) => {
    clearTimeout(waiting.get(buffer));
    waiting.delete(buffer);
    if (buffer.outside !== null) return;
    if ((await save(buffer, { auto })) === 'failed') again(buffer, auto);
    else failures.delete(buffer);
  };
  return {
    edited(buffer) {
      clearTimeout(waiting.get(buffer));
      waiting.delete(buffer);
      if (setting() === 'rest') later(buffer, rest, true);
    },
    failed: (buffer) => again(buffer, false),
    left(buffer) {
      void (setting() === 'blur' || waiting.has(buffer) ? saveNow(buffer, false) : record(buffer));
    },
    async flush() {
      await Promise.all([...waiting.keys()].map((buffer) => saveNow(buffer, false)));
    },
  };
}
