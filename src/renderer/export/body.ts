import { type Drawing, drawBlock } from '#renderer/reading/drawing.ts';
import { finishBlock } from '#renderer/reading/finish.ts';
import type { Manuscript } from './manuscript.ts';

/** What drawing needs from around it. `shownPicture`: a picture of another computer that the writer has asked for already, as an address that holds it. */
export interface BodyOptions {
  readonly words: Drawing['words'];
  readonly pictureAddress: Drawing['pictureAddress'];
  readonly shownPicture: (url: string) => string | null;
  /** Told before each chapter, counted from 1. */
  readonly reached: (chapter: number, of: number) => void;
  /** Stops the work; it rejects then. */
  readonly signal: AbortSignal;
}

/** Draws a manuscript as elements that stand alone: pictures are in them, formulas are MathML, and nothing is loaded from anywhere. */
export async function drawBody(manuscript: Manuscript, options: BodyOptions): Promise<HTMLElement> {
  const page = document.createElement('main');
  const isOne = manuscript.chapters.length === 1;
  for (const [at, { path, id, blocks }] of manuscript.chapters.entries()) {
    options.reached(at + 1, manuscript.chapters.length);
    const parent = isOne ? page : page.appendChild(document.createElement('section'));
    parent.id = id;
    parent.className = isOne ? 'document' : 'chapter';
    for (const tree of blocks) {
      options.signal.throwIfAborted();
      parent.append(...(await drawAlone(tree, path, options)));
    }
  }
  if (!isOne) page.className = 'document';
  return page;
}

async function drawAlone(tree: string, path: string, options: BodyOptions): Promise<Node[]> {
  const { words, pictureAddress } = options;
  const fetchPicture = () => Promise.reject(new RangeError('BUG: nobody presses a button of an export.'));
  const block = drawBlock(tree, { path, words, pictureAddress, fetchPicture, isBroken: () => false });
  // Offers of pictures take their places in a microtask of their own.
  await Promise.resolve();
  await finishBlock(block, 'alone');
  await Promise.all([...block.querySelectorAll('img')].map((picture) => bringIn(picture)));
  for (const offer of block.querySelectorAll<HTMLElement>('.picture-offer')) await settleOffer(offer, options);
  for (const note of block.querySelectorAll('.picture-missing')) note.replaceWith(note.textContent ?? '');
  for (const link of block.querySelectorAll('a:not([href])')) link.removeAttribute('rel');
  return [...block.childNodes];
}

/** Puts a picture of the workspace into the document; where it cannot be had, its words stand in its place. */
async function bringIn(picture: HTMLImageElement): Promise<void> {
  for (const name of ['loading', 'decoding']) picture.removeAttribute(name);
  const address = picture.getAttribute('src') ?? '';
  try {
    picture.src = await dataAddress(address);
  } catch {
    picture.replaceWith(picture.alt);
  }
}

/** A picture of another computer that was never asked for stays a link. */
async function settleOffer(offer: HTMLElement, { shownPicture }: BodyOptions): Promise<void> {
  const url = offer.title;
  const name = offer.dataset.alt ?? '';
  const shown = shownPicture(url);
  if (shown === null) {
    const link = document.createElement('a');
    Object.assign(link, { href: url, rel: 'noreferrer noopener', textContent: name || url });
    offer.replaceWith(link);
    return;
  }
  const picture = document.createElement('img');
  Object.assign(picture, { alt: name, src: shown });
  offer.replaceWith(picture);
  await bringIn(picture);
}

/** What an address gives, as an address that holds it. Pictures that are drawings lose what could act in them. */
async function dataAddress(address: string): Promise<string> {
  if (address.startsWith('data:')) return /^data:image\/svg/iu.test(address) ? drawingAddress(textOfData(address)) : address;
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${answer.status}`);
  const blob = await answer.blob();
  if (!blob.type.startsWith('image/')) throw new Error(blob.type);
  if (/^image\/svg/u.test(blob.type)) return drawingAddress(await blob.text());
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(String(reader.result)));
    reader.addEventListener('error', () => reject(reader.error));
    reader.readAsDataURL(blob);
  });
}

function textOfData(address: string): string {
  const [head = '', ...rest] = address.split(',');
  const body = decodeURIComponent(rest.join(','));
  return /;base64$/iu.test(head) ? new TextDecoder().decode(Uint8Array.from(atob(body), (sign) => sign.charCodeAt(0))) : body;
}

function drawingAddress(source: string): string {
  const { documentElement: root } = new DOMParser().parseFromString(source, 'image/svg+xml');
  if (root.nodeName !== 'svg') throw new Error('no drawing');
  for (const bad of root.querySelectorAll('script, foreignObject, iframe, a, animate, set')) bad.remove();
  for (const element of [root, ...root.querySelectorAll('*')]) {
    for (const { name, value } of [...element.attributes]) {
      const isOutward = /href$/iu.test(name) && !/^(#|data:image\/)/iu.test(value.trim());
      if (/^on/iu.test(name) || isOutward) element.removeAttribute(name);
    }
  }
  const bytes = new TextEncoder().encode(new XMLSerializer().serializeToString(root));
  return `data:image/svg+xml;base64,${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))}`;
}
