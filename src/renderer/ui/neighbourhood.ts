import type { Connection } from '#renderer/connection.ts';
import { transact } from '#renderer/editor/buffer.ts';
import { forgetPictures } from '#renderer/editor/live/image.ts';
import { type Neighbours, neighboursChanged } from '#renderer/editor/live/neighbours.ts';
import { fetchPicture, pictureAddress } from './picture.ts';
import type { Studio } from './studio.ts';

/** What lies around the documents of a window. `studio` is asked for once something is asked of it. */
export function createNeighbours(studio: () => Studio, { call, on }: Pick<Connection, 'call' | 'on'>): Neighbours {
  // Part of the addresses of pictures: one that changed on disk is another one to the browser.
  let turn = 0;
  on('files-changed', () => void turn++);
  let known: { readonly of: object; readonly paths: readonly string[] } | null = null;
  const workspace = () => studio().workspace.store.getState();
  return {
    files() {
      const { info, files } = workspace();
      if (info === null) return null;
      if (known?.of !== files) known = { of: files, paths: files.map(({ path }) => path) };
      return known.paths;
    },
    async read(path) {
      const open = studio().documents.bufferOf(path);
      if (open !== undefined) return open.state.doc.toString();
      try {
        const opened = await call('document/open', { path });
        return opened.kind === 'text' ? opened.text : null;
      } catch {
        return null;
      }
    },
    async tags() {
      try {
        const { tags } = await call('files/tags', {});
        return [...tags].sort((a, b) => b.count - a.count).map(({ tag }) => tag);
      } catch {
        return [];
      }
    },
    async picture(path) {
      const { info } = workspace();
      return info === null ? { kind: 'missing' } : { kind: 'shown', source: `${pictureAddress(info.root, path)}&at=${turn}` };
    },
    async remotePicture(url) {
      try {
        return { kind: 'shown', source: await fetchPicture(call, url) };
      } catch {
        return { kind: 'refused' };
      }
    },
  };
}

/** Has the documents looked at again when files come or go, and their pictures fetched anew when they change; the answer stops that. */
export function followNeighbours({ workspace, documents, connection }: Studio): () => void {
  const look = () => {
    for (const buffer of documents.buffers()) transact(buffer, { effects: neighboursChanged.of(null) });
  };
  const stops = [
    workspace.store.subscribe((now, before) => void (now.files !== before.files && look())),
    connection.on('files-changed', ({ paths }) => forgetPictures(paths)),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
