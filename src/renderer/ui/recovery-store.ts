import { createStore } from 'zustand/vanilla';
import type { JournaledDocument } from '#protocol/journal-calls';

/** A text that is not on disk and that a window left which did not end in order. */
export interface LeftText extends JournaledDocument {
  readonly session: string;
}

/** What other lives of the window left, and what of it the writer has yet to decide about. */
export type RecoveryStore = ReturnType<typeof createRecoveryStore>;

/** Makes the store of a window's life. */
export function createRecoveryStore(session: string) {
  const store = createStore<{ readonly texts: readonly LeftText[]; readonly isKnown: boolean }>()(() => ({ texts: [], isKnown: false }));
  let isInTrouble = false;
  return {
    session,
    store: store as Pick<typeof store, 'getState' | 'subscribe' | 'getInitialState'>,
    found: (texts: readonly LeftText[]) => store.setState({ texts, isKnown: true }),
    decided: ({ session, doc }: LeftText) =>
      store.setState(({ texts }) => ({ texts: texts.filter((text) => text.session !== session || text.doc !== doc) })),
    /** Whether trouble has just begun. */
    isTroubled(now: boolean): boolean {
      const hasBegun = now && !isInTrouble;
      isInTrouble = now;
      return hasBegun;
    },
  };
}
