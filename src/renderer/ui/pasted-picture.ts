import { nameOf } from '#kernel/address';
import { Fault } from '#protocol/fault';
import { holdPlace } from '#renderer/editor/held-place.ts';
import type { Pasting } from '#renderer/editor/paste.ts';
import { isUntitled } from '#renderer/editor/untitled.ts';
import { problemWords } from '#renderer/words.ts';
import type { Studio } from './studio.ts';

/** The largest picture that is put into a folder, in bytes. */
const largest = 48 * 1024 * 1024;

/** Puts pasted and dropped pictures into the assets folder of the document that they came to, and says where that fails. */
export function createPasting(studio: () => Studio): Pasting {
  return {
    hold(view) {
      const { documents, textChanged } = studio();
      const { beside } = documents.tabs.getState();
      const buffer = [...documents.buffers()].find((one) => one.view === view) ?? documents.bufferOf(beside ?? '');
      if (buffer === undefined) throw new RangeError('BUG: something was pasted into no document.');
      return holdPlace(view, buffer, () => {
        documents.edited(buffer, true);
        textChanged(buffer);
      });
    },
    async putPicture(picture, document) {
      const { connection, preferences } = studio();
      if (picture.size > largest) throw new Fault('file-too-large', { path: picture.name, bytes: picture.size, limit: largest });
      // A document without a file is at the top of the folder until it has one; then its links are kept.
      const path = isUntitled(document) ? nameOf(document) : document;
      const bytes = await base64Of(picture);
      const folder = preferences.store.getState()['files.assets'];
      const { link } = await connection.call('document/put-asset', { path, folder, name: pictureName(picture, new Date()), bytes });
      return link;
    },
    failed(problem) {
      studio().view.notify(problemWords(problem));
    },
  };
}

/** A picture from the clipboard has no name of its own: it gets the moment. */
function pictureName({ name, type }: File, now: Date): string {
  if (name !== '' && !/^image\.\w+$/i.test(name)) return name;
  const two = (part: number) => String(part).padStart(2, '0');
  const day = `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
  const kind = type.slice(6).replace('jpeg', 'jpg').replace('svg+xml', 'svg');
  return `picture-${day}-${two(now.getHours())}${two(now.getMinutes())}${two(now.getSeconds())}.${kind}`;
}

async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = '';
  // In parts: a call takes only so many arguments.
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text);
}
