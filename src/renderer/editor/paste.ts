import { isolateHistory } from '@codemirror/commands';
import { EditorSelection, type Extension, type TransactionSpec } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { isInCode } from './code-place.ts';
import type { HeldPlace } from './held-place.ts';

/** What pasting needs from around the editor. */
export interface Pasting {
  /** Puts a picture into the assets folder of the document of this path; the answer is a link from there, not encoded. */
  readonly putPicture: (picture: File, path: string) => Promise<string>;
  /** Holds the place where an editor is written in, for a text that comes later. */
  readonly hold: (view: EditorView) => HeldPlace;
  /** Told when a picture could not be put. */
  readonly failed: (problem: unknown) => void;
}

type Convert = (html: string) => string | null;
let convert: Convert | null = null;

/** The program that makes Markdown of HTML is fetched when there is time, so that the first paste need not wait for it. */
async function loadConvert(): Promise<Convert> {
  convert ??= (await import('./pasted-html.ts')).markdownOf;
  return convert;
}

/**
 * Pastes as a writer means it: HTML becomes Markdown, an address over a selection makes it a link, a picture becomes a file beside the
 * document. In code, and with Shift held, the plain text is pasted; every paste is one step of the history.
 */
export function pasting(around: Pasting): Extension {
  return [
    EditorView.domEventHandlers({
      focus: () => void whenIdle(() => void loadConvert()),
      paste: (event, view) => paste(event, view, around),
      drop: (event, view) => drop(event, view, around),
    }),
  ];
}

function whenIdle(work: () => void): void {
  if (convert !== null) return;
  if (typeof requestIdleCallback === 'function') requestIdleCallback(work, { timeout: 5000 });
  else setTimeout(work, 1000);
}

function paste(event: ClipboardEvent, view: EditorView, around: Pasting): boolean {
  const data = event.clipboardData;
  if (data === null || view.state.readOnly) return false;
  const text = data.getData('text/plain');
  const html = data.getData('text/html');
  const pictures = picturesIn(data);
  if (pictures.length > 0 && text.trim() === '') return puts(event, view, pictures, around);
  if (isInCode(view.state, view.state.selection.main.head)) return false;
  if (isAddress(text.trim()) && canBeLinked(view)) return replaces(event, view, linked(view, text.trim()));
  if (html === '') return false;
  if (convert === null) {
    event.preventDefault();
    const held = around.hold(view);
    void loadConvert()
      .then((ready) => ready(html) ?? text)
      .catch(() => text)
      .then(held.put);
    return true;
  }
  const markdown = convert(html);
  return markdown === null ? false : replaces(event, view, view.state.replaceSelection(markdown));
}

function drop(event: DragEvent, view: EditorView, around: Pasting): boolean {
  const pictures = event.dataTransfer === null ? [] : picturesIn(event.dataTransfer);
  if (pictures.length === 0 || view.state.readOnly) return false;
  const at = view.posAtCoords({ x: event.clientX, y: event.clientY });
  if (at !== null) view.dispatch({ selection: EditorSelection.cursor(at) });
  view.focus();
  return puts(event, view, pictures, around);
}

const picturesIn = ({ files }: DataTransfer) =>
  [...files].filter(({ type }) => /^image\/(png|jpeg|gif|webp|avif|bmp|svg\+xml)$/.test(type));

function puts(event: Event, view: EditorView, pictures: readonly File[], { putPicture, hold, failed }: Pasting): boolean {
  event.preventDefault();
  const held = hold(view);
  const words = (link: string) => `![${(link.split('/').at(-1) ?? '').replace(/\.\w+$/, '')}](${encodeURI(link)})`;
  void Promise.all(pictures.map((picture) => putPicture(picture, held.path))).then(
    (links) => held.put(links.map(words).join('\n')),
    (problem) => {
      held.release();
      failed(problem);
    },
  );
  return true;
}

const isAddress = (text: string) => /^(https?:\/\/|mailto:)[^\s<>]+$/i.test(text);

function canBeLinked({ state }: EditorView): boolean {
  return state.selection.ranges.every(({ from, to, empty }) => {
    const text = state.sliceDoc(from, to);
    return !empty && text.trim() !== '' && !/[\n[\]]/.test(text) && !isAddress(text.trim());
  });
}

function linked({ state }: EditorView, address: string): TransactionSpec {
  const target = /[()]/.test(address) ? `<${address}>` : address;
  return state.changeByRange(({ from, to }) => {
    const insert = `[${state.sliceDoc(from, to)}](${target})`;
    return { changes: { from, to, insert }, range: EditorSelection.cursor(from + insert.length) };
  });
}

function replaces(event: Event, view: EditorView, spec: TransactionSpec): boolean {
  event.preventDefault();
  put(view, spec);
  return true;
}

function put(view: EditorView, spec: TransactionSpec): void {
  view.dispatch(spec, { userEvent: 'input.paste', scrollIntoView: true, annotations: isolateHistory.of('full') });
}
