import { goTo } from './mode.ts';
import { focusPage, type Studio } from './studio.ts';

/** The channel between the windows of one program. */
const name = 'stemma';

interface Wish {
  readonly open: string;
  readonly line?: number | undefined;
  readonly root: string;
}

const rootOf = ({ workspace }: Studio) => workspace.store.getState().info?.root;

/** Brings a document to the front of this window, at a line where one is named. */
export async function openAt(studio: Studio, path: string, line: number | undefined): Promise<void> {
  await studio.documents.open(path);
  if (line === undefined) focusPage(studio);
  // It comes to the front with the next frame.
  else requestAnimationFrame(() => goTo(studio, line, 1));
}

/** Asks the editor window of this workspace to bring a document to its front. */
export function openElsewhere(studio: Studio, path: string, line?: number): void {
  const root = rootOf(studio);
  if (root === undefined) return;
  const channel = new BroadcastChannel(name);
  channel.postMessage({ open: path, root, line } satisfies Wish);
  channel.close();
}

/** Does what another window of this workspace asks; for the editor's window. */
export function hearElsewhere(studio: Studio): () => void {
  const channel = new BroadcastChannel(name);
  channel.onmessage = ({ data }: MessageEvent<Partial<Wish>>) => {
    if (typeof data.open !== 'string' || data.root !== rootOf(studio) || studio.view.store.getState().route !== 'editor') return;
    void openAt(studio, data.open, typeof data.line === 'number' ? data.line : undefined);
    window.focus();
  };
  return () => channel.close();
}
