import { type EditorView, WidgetType } from '@codemirror/view';
import type { SyntaxNodeRef } from '@lezer/common';
import { targetOf, wikiPath } from '../link-target.ts';
import { addressOfLink } from './link-state.ts';
import { type Picture, place } from './neighbours.ts';
import { pictureHold } from './picture-hold.ts';
import { append, mark, replace, type Scene } from './scene.ts';

/** Pictures that were fetched, by their address seen from the top of the workspace; newest last. */
const fetched = new Map<string, Promise<Picture>>();
const kept = 60;
/** The size of each picture that was seen, so that its place is kept while it is drawn anew. */
const sizes = new Map<string, { readonly width: number; readonly height: number }>();
/** How long an address that is being written rests before it is asked for, in ms. */
const rest = 700;
/** The addresses outside that the writer said yes to, in this window. */
const allowed = new Set<string>();

/** Forgets pictures of the workspace, which have changed on disk; an empty list: all. */
export function forgetPictures(paths: readonly string[]): void {
  if (paths.length === 0) fetched.clear();
  for (const path of paths) fetched.delete(path);
}

/** Where a picture is: outside, in the workspace, or nowhere that we go. */
type Where = { readonly kind: 'outside' | 'inside'; readonly at: string } | { readonly kind: 'nowhere' };

function whereIs(view: EditorView, address: string, isWiki: boolean): Where {
  const { path, neighbours } = view.state.facet(place);
  if (isWiki) {
    const found = wikiFile(address, path, neighbours?.files() ?? []);
    return { kind: 'inside', at: found };
  }
  const target = targetOf(address, path);
  if (target.kind === 'outside') return /^https?:/iu.test(target.url) ? { kind: 'outside', at: target.url } : { kind: 'nowhere' };
  return target.kind === 'document' ? { kind: 'inside', at: target.path } : { kind: 'nowhere' };
}

function wikiFile(name: string, path: string, files: readonly string[]): string {
  return wikiPath(name.split('|')[0]!.split('#')[0]!.trim(), path, files) ?? name;
}

function fetchPicture(view: EditorView, where: Where): Promise<Picture> {
  const { neighbours } = view.state.facet(place);
  if (where.kind === 'nowhere' || neighbours === null) return Promise.resolve({ kind: 'refused' });
  const before = fetched.get(where.at);
  if (before !== undefined) return before;
  const asked = (where.kind === 'inside' ? neighbours.picture(where.at) : neighbours.remotePicture(where.at)).catch(
    (): Picture => ({ kind: 'missing' }),
  );
  fetched.set(where.at, asked);
  // What is not there now may be there later.
  void asked.then(({ kind }) => kind !== 'shown' && fetched.delete(where.at));
  if (fetched.size > kept) fetched.delete(fetched.keys().next().value!);
  return asked;
}

/** A picture, a button that fetches one from outside, or what became of it. */
class PictureWidget extends WidgetType {
  readonly address: string;
  readonly words: string;
  readonly isWiki: boolean;
  /** The cursor is in it: what its address will be may not stand there yet. */
  private readonly isWritten: boolean;
  constructor(address: string, words: string, isWiki: boolean, isWritten: boolean) {
    super();
    this.isWritten = isWritten;
    this.address = address;
    this.words = words;
    this.isWiki = isWiki;
  }
  override eq(other: PictureWidget): boolean {
    return other.address === this.address && other.words === this.words && other.isWiki === this.isWiki;
  }
  override toDOM(view: EditorView): HTMLElement {
    const frame = document.createElement('span');
    frame.className = 'cm-picture';
    const where = whereIs(view, this.address, this.isWiki);
    if (where.kind === 'outside' && !allowed.has(where.at)) this.ask(view, frame, where);
    else this.show(view, frame, where);
    return frame;
  }
  override ignoreEvent(event: Event): boolean {
    return event.target instanceof Element && event.target.closest('button') !== null;
  }

  private ask(view: EditorView, frame: HTMLElement, where: Where & { readonly at: string }): void {
    const { say } = view.state.facet(place);
    const host = URL.parse(where.at)?.host ?? where.at;
    frame.classList.add('cm-picture-blocked');
    const words = frame.appendChild(document.createElement('span'));
    words.textContent = say('live.image-outside', { host, words: this.words });
    const button = frame.appendChild(document.createElement('button'));
    button.type = 'button';
    button.className = 'line';
    button.textContent = say('live.image-load');
    button.title = where.at;
    button.addEventListener('click', () => {
      allowed.add(where.at);
      frame.classList.remove('cm-picture-blocked');
      frame.replaceChildren();
      this.show(view, frame, where);
      view.requestMeasure();
    });
  }

  private show(view: EditorView, frame: HTMLElement, where: Where): void {
    const image = document.createElement('img');
    const key = where.kind === 'nowhere' ? '' : where.at;
    image.alt = this.words;
    const size = sizes.get(key);
    if (size !== undefined) Object.assign(image, size);
    image.draggable = false;
    image.addEventListener('load', () => {
      sizes.set(key, { width: image.naturalWidth, height: image.naturalHeight });
      Object.assign(image, sizes.get(key));
      view.requestMeasure();
      if (size === undefined) view.plugin(pictureHold)?.sized(view);
    });
    image.addEventListener('error', () => this.fail(view, frame, 'missing'));
    frame.append(image);
    const fetch = async () => {
      const picture = await fetchPicture(view, where);
      if (picture.kind === 'shown') image.src = picture.source;
      else this.fail(view, frame, picture.kind);
    };
    // With each key that changes the address another frame takes the place of this one.
    if (this.isWritten && !fetched.has(key)) setTimeout(() => frame.isConnected && void fetch(), rest);
    else void fetch();
  }

  private fail(view: EditorView, frame: HTMLElement, kind: Exclude<Picture['kind'], 'shown'>): void {
    const { say } = view.state.facet(place);
    frame.classList.add('cm-picture-missing');
    frame.textContent = say(`live.image-${kind}`, { address: this.address, words: this.words });
    view.requestMeasure();
  }
}

/** A picture stands where its marks stand; while the cursor is in it the marks stand there, and the picture behind them. */
export function drawImage(scene: Scene, { node, name, from, to }: SyntaxNodeRef): boolean {
  const isWritten = scene.isRevealed(from, to);
  const widget = name === 'Embed' ? embedded(scene, node, isWritten) : pictured(scene, node, isWritten);
  if (widget === null || scene.state.doc.lineAt(from).to < to) return false;
  if (isWritten) {
    mark(scene, 'cm-picture-source', from, to);
    append(scene, widget, to);
  } else replace(scene, widget, from, to);
  return false;
}

function pictured(scene: Scene, node: SyntaxNodeRef['node'], isWritten: boolean): PictureWidget | null {
  const address = addressOfLink(scene.state, node);
  const [open, close] = node.getChildren('LinkMark');
  if (address === null || address === '' || open === undefined || close === undefined) return null;
  return new PictureWidget(address, scene.state.sliceDoc(open.to, close.from), false, isWritten);
}

function embedded(scene: Scene, node: SyntaxNodeRef['node'], isWritten: boolean): PictureWidget | null {
  const target = node.getChild('WikilinkTarget');
  const words = node.getChild('WikilinkWords');
  if (target === null) return null;
  const name = scene.state.sliceDoc(target.from, target.to);
  return new PictureWidget(name, words === null ? name : scene.state.sliceDoc(words.from, words.to), true, isWritten);
}
