import type { Nodes } from 'hast';
import { toDom } from 'hast-util-to-dom';
import { targetOf } from '#renderer/editor/link-target.ts';

/** What a block is drawn for. */
export interface Drawing {
  /** The document, as links and pictures are seen from it. */
  readonly path: string;
  /** The address that the shell gives a picture of the workspace out under. */
  readonly pictureAddress: (path: string) => string;
  /** Whether a link leads to a document that is not there. `isName`: it is a link by name (`[[…]]`). */
  readonly isBroken: (address: string, isName: boolean) => boolean;
  /** Fetches a picture of another computer; the answer is an address that the page may show. */
  readonly fetchPicture: (url: string) => Promise<string>;
  readonly words: DrawingWords;
}

/** What is said in place of a picture, and of a task. */
export interface DrawingWords {
  readonly showPicture: (host: string) => string;
  readonly noPicture: string;
  /** Why a picture could not be fetched. */
  readonly problem: (error: unknown) => string;
  readonly task: string;
}

/** Makes the elements of a block: of its tree and never of markup, so that nothing of a document is ever run. */
export function drawBlock(tree: string, drawing: Drawing): HTMLElement {
  const node = toDom(JSON.parse(tree) as Nodes, {
    afterTransform(source, made) {
      if (source.type !== 'element' || !(made instanceof HTMLElement)) return;
      if (made instanceof HTMLAnchorElement) drawLink(made, drawing);
      else if (made instanceof HTMLImageElement) drawPicture(made, drawing);
      else if (made instanceof HTMLInputElement) made.setAttribute('aria-label', drawing.words.task);
      else if (/^(P|H[1-6]|LI|TD|TH|DT|DD|BLOCKQUOTE|SUMMARY)$/.test(made.tagName)) made.dir ||= 'auto';
    },
  });
  const block = document.createElement('div');
  block.className = 'reading-block';
  block.append(node);
  return block;
}

function drawLink(link: HTMLAnchorElement, { isBroken }: Drawing): void {
  const address = link.getAttribute('href');
  if (address === null || address.startsWith('#')) return;
  link.classList.toggle('broken', isBroken(address, link.classList.contains('wikilink')));
  link.rel = 'noreferrer noopener';
}

function drawPicture(picture: HTMLImageElement, { path, pictureAddress, fetchPicture, words }: Drawing): void {
  const address = picture.getAttribute('src') ?? '';
  picture.removeAttribute('src');
  picture.removeAttribute('srcset');
  picture.decoding = 'async';
  picture.loading = 'lazy';
  picture.addEventListener('error', () => replaceWithNote(picture, words.noPicture, address));
  const target = targetOf(address, path);
  if (/^data:image\//i.test(address)) picture.src = address;
  else if (target.kind === 'document') picture.src = pictureAddress(target.path);
  else if (target.kind === 'outside') offerPicture(picture, target.url, words, fetchPicture);
  else queueMicrotask(() => replaceWithNote(picture, words.noPicture, address));
}

/** A picture of another computer is asked for only when the writer says so: in its place stands a button that names the computer. */
function offerPicture(picture: HTMLImageElement, url: string, words: DrawingWords, get: Drawing['fetchPicture']): void {
  const offer = document.createElement('button');
  offer.type = 'button';
  offer.className = 'line picture-offer';
  offer.textContent = [words.showPicture(URL.parse(url)?.host ?? url), picture.alt].filter(Boolean).join(' — ');
  offer.title = url;
  offer.dataset.alt = picture.alt;
  offer.addEventListener('click', async (event) => {
    event.preventDefault();
    event.stopPropagation();
    offer.disabled = true;
    try {
      picture.src = await get(url);
      offer.replaceWith(picture);
    } catch (error) {
      offer.disabled = false;
      offer.textContent = words.problem(error);
    }
  });
  // The picture has no parent yet.
  queueMicrotask(() => picture.replaceWith(offer));
}

function replaceWithNote(picture: HTMLImageElement, words: string, address: string): void {
  const note = document.createElement('span');
  note.className = 'picture-missing';
  note.textContent = [words, picture.alt || address].filter(Boolean).join(' ');
  note.title = address;
  picture.replaceWith(note);
}
