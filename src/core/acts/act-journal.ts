import type { Undone } from '#protocol/file-calls';

/** What was done lately and how to take it back, for as long as this core runs. */
export interface ActJournal {
  /** Keeps how an act is taken back; answers its name. */
  keep(takeBack: () => Promise<Undone>): string;
  /** Takes an act back, once. What fails to be taken back can be tried again. */
  undo(name: string): Promise<Undone>;
}

/** The newest so many acts can be taken back. */
const kept = 50;

/** Makes a journal that names its acts by `newId`. */
export function createActJournal(newId: () => string): ActJournal {
  const acts = new Map<string, () => Promise<Undone>>();
  return {
    keep(takeBack) {
      const name = newId();
      acts.set(name, takeBack);
      for (const old of [...acts.keys()].slice(0, -kept)) acts.delete(old);
      return name;
    },
    async undo(name) {
      const takeBack = acts.get(name);
      if (takeBack === undefined) return { kind: 'gone', moves: [], files: [] };
      acts.delete(name);
      try {
        return await takeBack();
      } catch (error) {
        acts.set(name, takeBack);
        throw error;
      }
    },
  };
}
