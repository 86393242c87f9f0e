import type { Studio } from './studio.ts';

/** The channel between the windows of one program. */
const name = 'stemma';

interface Wish {
  readonly open: string;
  readonly root: string;
}

const rootOf = ({ workspace }: Studio) => workspace.store.getState().info?.root;

/** Asks the editor window of this workspace to bring a document to its front. */
export function openElsewhere(studio: Studio, path: string): void {
  const root = rootOf(studio);
  if (root === undefined) return;
  const channel = new BroadcastChannel(name);
  channel.postMessage({ open: path, root } satisfies Wish);
  channel.close();
}

/** Does what another window of this workspace asks; for the editor's window. */
export function hearElsewhere(studio: Studio): () => void {
  const channel = new BroadcastChannel(name);
  channel.onmessage = ({ data }: MessageEvent<Partial<Wish>>) => {
    if (typeof data.open !== 'string' || data.root !== rootOf(studio) || studio.view.store.getState().route !== 'editor') return;
    void studio.documents.open(data.open);
    window.focus();
  };
  return () => channel.close();
}
