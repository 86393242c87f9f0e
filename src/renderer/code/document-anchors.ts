import type { EditorView } from '@codemirror/view';
import type { ListedAnchor } from '#protocol/anchor-calls';
import { type Buffer, transact } from '#renderer/editor/buffer.ts';
import { bodyStart } from '#renderer/editor/front.ts';
import { type MenuItem, openMenu } from '#renderer/editor/live/menu.ts';
import { isUntitled } from '#renderer/editor/untitled.ts';
import { withName } from '#renderer/ui/naming.ts';
import type { Studio } from '#renderer/ui/studio.ts';
import { locale } from '#renderer/words.ts';
import { type AnchorMark, setAnchorMarks } from './anchor-marks.ts';
import { whatOf } from './code-words.ts';
import { placeOfSection, sectionAt } from './section-at.ts';
import { codeWords } from './words.ts';

/** Longer texts are not looked through for headings. */
const longest = 2_000_000;

/** Asks which sections of an open document describe code, and marks their headings. What core cannot say marks nothing. */
export async function markAnchors(studio: Studio, path: string): Promise<void> {
  if (isUntitled(path)) return;
  const asked = await studio.connection.call('anchor/of-document', { path }).catch(() => null);
  const buffer = studio.documents.bufferOf(path);
  if (asked === null || buffer === undefined || buffer.state.doc.length > longest) return;
  const marks = marksOf(studio, buffer, asked.anchors);
  transact(buffer, { effects: setAnchorMarks.of(marks) });
}

function marksOf(studio: Studio, { path, state }: Buffer, anchors: readonly ListedAnchor[]): AnchorMark[] {
  if (anchors.length === 0) return [];
  const text = state.doc.toString();
  const live = anchors.filter(({ retired }) => retired === null);
  const groups = Map.groupBy(live, ({ document }) => placeOfSection(text, document.section, bodyStart(state)));
  return [...groups].flatMap(([place, own]) => (place === null ? [] : [markOf(studio, path, place, own)]));
}

function markOf(studio: Studio, path: string, place: number, own: readonly ListedAnchor[]): AnchorMark {
  const words = codeWords(locale.getState().locale);
  const what = whatOf(own[0]!, words);
  const title = own.length === 1 ? words('gutter.one', { what }) : words('gutter.more', { what, count: own.length - 1 });
  const open = (view: EditorView, at: { readonly x: number; readonly y: number }) => {
    const items: MenuItem[] = own.map((anchor) => ({
      label: `${whatOf(anchor, words)} — ${anchor.file_hint}:${anchor.line_start}`,
      isOff: anchor.repository !== null,
      act: () => void studio.documents.open(anchor.file_hint),
    }));
    const add = { label: words('panel.add'), isOff: false, act: () => askForAnchor(studio, path, own[0]!.document.section) };
    openMenu(view, title, at, [...items, null, add]);
  };
  return { place, title, open };
}

/** Asks what code a section of a document describes; without a section, the one that the cursor is in. */
export function askForAnchor(studio: Studio, path: string, section: readonly string[] | null = null): void {
  const buffer = studio.documents.bufferOf(path);
  if (buffer === undefined) return;
  const { doc, selection } = buffer.state;
  const named = section ?? (doc.length > longest ? null : sectionAt(doc.toString(), selection.main.head)?.path);
  withName(studio, path, (path) => studio.view.ask({ kind: 'anchor', path, section: named ?? [] }));
}

/** A heading's own menu, opened by the secondary button on it; with Shift the menu of the system is left. */
export function hearHeadingMenu(studio: Studio, parent: HTMLElement): void {
  parent.addEventListener('contextmenu', (event) => {
    const path = studio.documents.tabs.getState().active;
    const view = path === null ? null : (studio.documents.bufferOf(path)?.view ?? null);
    if (event.shiftKey || event.defaultPrevented || path === null || view === null || view.state.doc.length > longest) return;
    const place = view.posAtCoords({ x: event.clientX, y: event.clientY });
    const line = place === null ? null : view.state.doc.lineAt(place);
    const section = line === null ? null : sectionAt(view.state.doc.toString(), line.from);
    if (line === null || section === null || section.start !== line.from) return;
    event.preventDefault();
    const words = codeWords(locale.getState().locale);
    const { empty } = view.state.selection.main;
    openMenu(view, words('menu.name'), { x: event.clientX, y: event.clientY }, [
      { label: words('panel.add'), isOff: false, act: () => askForAnchor(studio, path, section.path) },
      null,
      { label: words('menu.cut'), isOff: empty, act: () => clip(view, 'cut') },
      { label: words('menu.copy'), isOff: empty, act: () => clip(view, 'copy') },
      { label: words('menu.paste'), isOff: false, act: () => void paste(view) },
    ]);
  });
}

function clip(view: EditorView, what: 'cut' | 'copy'): void {
  view.focus();
  document.execCommand(what);
}

async function paste(view: EditorView): Promise<void> {
  view.focus();
  const text = await navigator.clipboard.readText().catch(() => null);
  if (text !== null) view.dispatch(view.state.replaceSelection(text), { userEvent: 'input.paste' });
}
