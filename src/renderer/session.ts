import { createContext, useContext } from 'react';
import type { Connection } from '#renderer/connection.ts';

/** What every part of the window may use: the way to core, and the ways from one part to another. */
export interface Session {
  readonly connection: Connection;
  /** Brings a document to the front in the editor, whichever window that is in; at a line, from 1, where one is named. */
  openDocument(path: string, line?: number): void;
  /** Shows the breakdown: in Electron a window of its own, in a browser a route of this page. */
  openBreakdown(): void;
  /** Says something to screen readers; nothing is shown. */
  announce(sentence: string): void;
}

/** Where the session of the window is kept for its parts. */
export const SessionContext = createContext<Session | null>(null);

/** The session of the window. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new RangeError('BUG: no session around this part of the window.');
  return session;
}
