import { scrollingEvents } from '#renderer/editor/scroll.ts';
import { type Drawing, drawBlock } from './drawing.ts';
import { finishBlock } from './finish.ts';
import type { Block, ReadingWords } from './markdown.ts';
import { characterAt, type Placed, topOf } from './place.ts';
import type { ReadingAnswer, ReadingRequest } from './reading-worker.ts';
import './reading.css';

/** What a reader needs from around it. */
export interface ReaderOptions extends Drawing {
  readonly name: string;
  readonly reading: ReadingWords;
  readonly failed: string;
  /** Follows a link's address, seen from the document. `isName`: it is a link by name (`[[…]]`). */
  readonly follow: (address: string, isName: boolean) => void;
  /** Told when the reader was scrolled by hand, with the character at its top. */
  readonly scrolled: (at: number) => void;
  /** Told when what was shown last is there. */
  readonly shown: () => void;
}

/** A document as it reads. */
export interface Reader {
  /** Shows a text, as soon as it has been read; an earlier one that is still on its way is left out. */
  show(text: string): void;
  /** Brings a character to the top. */
  scrollTo(at: number): void;
  /** The character at the top. */
  top(): number;
  focus(): void;
  destroy(): void;
}

/** A document of more blocks than this lays out only those that are seen; the places of the others are guessed. */
const sparing = 1500;

interface Drawn {
  readonly tree: string;
  readonly element: HTMLElement;
}

/** Makes a reader in an element. Texts are read in a worker; blocks that stay the same keep their elements. */
export function createReader(parent: HTMLElement, options: ReaderOptions): Reader {
  const scroller = parent.appendChild(document.createElement('div'));
  scroller.className = 'reading';
  scroller.tabIndex = 0;
  const page = scroller.appendChild(document.createElement('article'));
  page.className = 'reading-page';
  page.setAttribute('aria-label', options.name);
  const worker = new Worker(new URL('./reading-worker.ts', import.meta.url), { type: 'module' });
  const sight = new IntersectionObserver(finishSeen, { root: scroller, rootMargin: '600px 0px' });
  let blocks: readonly Block[] = [];
  let drawn: readonly Drawn[] = [];
  let asked = 0;
  /** The character that was asked for, until somebody scrolls by hand: it stays at the top while pictures and formulas come. */
  let wanted: number | null = null;

  const take = ({ id, blocks: next, problem }: ReadingAnswer) => {
    if (id !== asked) return;
    if (problem !== null) {
      page.replaceChildren(noteOf(options.failed));
      return;
    }
    blocks = next;
    page.classList.toggle('long', next.length > sparing);
    drawn = redraw(page, drawn, next, options, sight);
    if (wanted !== null) scrollTo(wanted);
    options.shown();
  };
  const places = (): Placed[] => {
    const base = page.offsetTop;
    return blocks.map(({ from, to }, at) => {
      const { offsetTop, offsetHeight } = drawn[at]!.element;
      return { from, to, top: offsetTop - base, height: offsetHeight };
    });
  };
  const scrollTo = (at: number) => {
    wanted = at;
    if (blocks.length === 0) return;
    scroller.scrollTop = at <= 0 ? 0 : topOf(places(), at);
  };
  const top = () => (wanted !== null && blocks.length === 0 ? wanted : characterAt(places(), scroller.scrollTop));

  worker.addEventListener('message', ({ data }: MessageEvent<ReadingAnswer>) => take(data));
  worker.addEventListener('error', () => page.replaceChildren(noteOf(options.failed)));
  const growth = new ResizeObserver(() => wanted !== null && scrollTo(wanted));
  growth.observe(page);
  for (const event of scrollingEvents)
    scroller.addEventListener(
      event,
      () => {
        wanted = null;
      },
      { passive: true },
    );
  scroller.addEventListener('scroll', () => wanted === null && options.scrolled(top()));
  page.addEventListener('click', (event) => followClicked(event, page, options.follow));
  page.addEventListener('auxclick', (event) => event.target instanceof Element && event.target.closest('a') && event.preventDefault());
  return {
    show(text) {
      worker.postMessage({ id: ++asked, text, words: options.reading } satisfies ReadingRequest);
    },
    scrollTo,
    top,
    focus: () => scroller.focus({ preventScroll: true }),
    destroy() {
      worker.terminate();
      sight.disconnect();
      growth.disconnect();
      scroller.remove();
    },
  };
}

/** Puts the blocks of a text into the page. Those at its beginning and end that are the same stay as they are. */
function redraw(
  page: HTMLElement,
  before: readonly Drawn[],
  blocks: readonly Block[],
  drawing: Drawing,
  sight: IntersectionObserver,
): Drawn[] {
  let head = 0;
  while (head < before.length && head < blocks.length && before[head]!.tree === blocks[head]!.tree) head++;
  let tail = 0;
  const most = Math.min(before.length, blocks.length) - head;
  while (tail < most && before.at(-1 - tail)!.tree === blocks.at(-1 - tail)!.tree) tail++;
  const fresh = blocks.slice(head, blocks.length - tail).map(({ tree }) => ({ tree, element: drawBlock(tree, drawing) }));
  for (const { element } of before.slice(head, before.length - tail)) {
    sight.unobserve(element);
    element.remove();
  }
  const next = [...before.slice(0, head), ...fresh, ...before.slice(before.length - tail)];
  const parts = document.createDocumentFragment();
  parts.append(...fresh.map(({ element }) => element));
  page.insertBefore(parts, before[before.length - tail]?.element ?? null);
  for (const { element } of fresh) sight.observe(element);
  return next;
}

function finishSeen(entries: readonly IntersectionObserverEntry[], sight: IntersectionObserver): void {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    sight.unobserve(target);
    // What cannot be drawn stays as the text that it is.
    finishBlock(target as HTMLElement).catch(() => {});
  }
}

function followClicked(event: MouseEvent, page: HTMLElement, follow: ReaderOptions['follow']): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  const address = link?.getAttribute('href') ?? null;
  if (link === null) return;
  event.preventDefault();
  if (address === null) return;
  const inside = address.startsWith('#') ? page.querySelector(`#${CSS.escape(`user-content-${address.slice(1)}`)}`) : null;
  if (inside === null) follow(address, link.classList.contains('wikilink'));
  else inside.scrollIntoView({ block: 'center' });
}

function noteOf(words: string): HTMLElement {
  const note = document.createElement('p');
  note.className = 'lost';
  note.textContent = words;
  return note;
}
