import { redoDepth, undoDepth } from '@codemirror/commands';
import { expect } from 'vitest';
import type { Core } from '#core/core';
import type { Journal } from '#core/journal/journal';
import { createWindowJournal } from '#renderer/editor/journal.ts';
import { nextId, openDesk } from './desk.ts';
import type { Desk } from './ledger-scene.ts';

/** A life of a window: what is typed in it is kept in a journal from which the next one begins. */
export interface WindowLife {
  readonly desk: Desk;
  /** Takes back a step of this life; what was done in an earlier one is left. */
  undo(): void;
  redo(): void;
  /** The window dies after what was typed was kept; another takes its text up. `intoOpen`: where the document is open there already. */
  die(core: Core, how?: { readonly intoOpen: boolean }): Promise<WindowLife>;
}

/** Begins a life with a window that has `a.md` open; `isLeft`: its text came from an earlier life. */
export function liveIn(desk: Desk, journal: Journal, isLeft = false): WindowLife {
  const session = nextId();
  const keep = createWindowJournal({
    wire: { call: async (_: string, input: never) => journal.append(input), onState: () => () => {}, on: () => () => {} } as never,
    session,
    now: Date.now,
    layout: () => ({ active: null, tabs: [] }),
    troubled: (fault) => expect(fault).toBeNull(),
  });
  keep.opened(desk.buffer(), isLeft);
  const depths = () => [undoDepth(desk.buffer().state), redoDepth(desk.buffer().state)] as const;
  let [undos, redos] = depths();
  return {
    desk,
    undo() {
      if (depths()[0] > undos) desk.undo();
    },
    redo() {
      // What is typed takes away what could be done again.
      redos = Math.min(redos, depths()[1]);
      if (depths()[1] > redos) desk.redo();
      undos = Math.min(undos, depths()[0]);
    },
    async die(core, { intoOpen } = { intoOpen: false }) {
      await keep.flush();
      keep.dispose();
      desk.documents.dispose();
      const later = await openDesk(core, 'a.md');
      const { documents } = journal.read(session);
      if (!intoOpen && documents.length > 0) later.documents.close('a.md');
      for (const left of documents) await later.documents.recover(left);
      journal.forget(session, null);
      return liveIn(later, journal, documents.length > 0);
    },
  };
}
