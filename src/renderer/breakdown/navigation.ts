import { createStore, type StoreApi } from 'zustand/vanilla';
import type { BreakdownRow } from '#protocol/breakdown-calls';
import { desktop } from '#renderer/connection.ts';
import type { Session } from '#renderer/session.ts';

/** The edge that a revision began from. */
export type RevisedEdge = NonNullable<BreakdownRow['edge']>;

/** Which documents are being revised, by path, and because of which edge; null where it was a row about the document itself. */
export type Revisions = ReadonlyMap<string, RevisedEdge | null>;

const store = createStore<Revisions>()(() => new Map());

/** The revisions that were begun in this window. */
export const revisions: Pick<StoreApi<Revisions>, 'getState' | 'subscribe' | 'getInitialState'> = store;

/** What the breakdown's own window tells the editor's, where they are two. */
const channelName = 'stemma-revise';

interface Revision {
  readonly root: string;
  readonly path: string;
  readonly edge: RevisedEdge | null;
}

/**
 * Revise: opens a document in the editor, and the change behind `edge` beside it, in the coherence panel, which is shown if it was hidden.
 * The way there is the session's, so that no page is loaded anew and no unsaved text is lost.
 */
export async function openInEditor(session: Session, path: string, edge: RevisedEdge | null): Promise<void> {
  const { call } = session.connection;
  begin(path, edge);
  if (desktop() !== null) {
    const { root } = await call('workspace/info', {});
    const channel = new BroadcastChannel(channelName);
    channel.postMessage({ root, path, edge } satisfies Revision);
    channel.close();
  }
  const settings = await call('settings/read', {});
  if (settings['view.coherence'] !== true) await call('settings/write', { key: 'view.coherence', value: true });
  session.openDocument(path);
}

/** Hears of revisions that were begun in another window of this workspace; the answer stops hearing. */
export function hearRevisions({ call }: Session['connection']): () => void {
  const channel = new BroadcastChannel(channelName);
  channel.onmessage = async ({ data }: MessageEvent<Revision>) => {
    const { root } = await call('workspace/info', {});
    if (data.root === root) begin(data.path, data.edge);
  };
  return () => channel.close();
}

function begin(path: string, edge: RevisedEdge | null): void {
  store.setState((known) => new Map(known).set(path, edge), true);
}

/** A revision is over: what the document still rests on was confirmed, or the question was put aside. */
export function endRevision(path: string): void {
  store.setState((known) => new Map([...known].filter(([revised]) => revised !== path)), true);
}
