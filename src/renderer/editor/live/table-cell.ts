import { defaultKeymap } from '@codemirror/commands';
import { Annotation, EditorSelection, EditorState, type Extension, Prec, Transaction } from '@codemirror/state';
import { drawSelection, EditorView, type KeyBinding, keymap } from '@codemirror/view';
import { lineDirection } from '../direction.ts';
import { markdownLook } from '../highlight.ts';
import { spellingAttributes, spellingOf } from '../spelling.ts';
import { lineGrammar } from '../syntax.ts';
import { attention } from './attention.ts';
import { completion } from './completion.ts';
import { drawn } from './drawn.ts';
import { inlineDrawings } from './inline.ts';
import { place } from './neighbours.ts';
import { changeCell, readCell, type Surround } from './table.ts';

/** Marks what the document takes over from the editor of a cell: the cell has it already. */
export const fromCell = Annotation.define<true>();

/** Marks what an editor of a cell takes over from the document: nobody typed it there. */
const taken = Annotation.define<true>();

/** What is told of an editor of a cell. */
export interface CellListener {
  /** The text was changed by who writes in it. */
  changed(transaction: Transaction): void;
  /** The cursor moved in it. */
  selected(): void;
  /** The keys that leave the cell or act on the table. */
  readonly keys: readonly KeyBinding[];
  /** Something was pasted; true: it was taken. */
  pasted(text: string): boolean;
}

/** Makes the editor of a cell: of its text, with no history of its own. */
export function createCellEditor(outer: EditorView, parent: HTMLElement, text: string, name: string, listener: CellListener): EditorView {
  const extensions: Extension = [
    completion,
    Prec.highest(keymap.of([...listener.keys])),
    keymap.of(defaultKeymap.filter(({ key }) => key !== 'Enter' && key !== 'Mod-Enter')),
    drawSelection(),
    EditorState.allowMultipleSelections.of(true),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ 'aria-label': name, ...spellingAttributes(spellingOf(outer.state)), autocapitalize: 'sentences' }),
    EditorView.domEventHandlers({ paste: (event) => onPaste(event, listener) }),
    place.of(outer.state.facet(place)),
    attention,
    lineDirection,
    lineGrammar,
    markdownLook,
    drawn(inlineDrawings),
    EditorView.editorAttributes.of({ class: 'cm-cell-editor' }),
    EditorState.readOnly.of(outer.state.readOnly),
    cellTheme,
  ];
  return new EditorView({
    parent,
    state: EditorState.create({ doc: text, extensions }),
    dispatchTransactions(transactions, view) {
      view.update(transactions);
      for (const transaction of transactions) {
        if (transaction.annotation(taken)) continue;
        if (transaction.docChanged) listener.changed(transaction);
        else if (transaction.selection !== undefined) listener.selected();
      }
    },
  });
}

function onPaste(event: ClipboardEvent, listener: CellListener): boolean {
  const text = event.clipboardData?.getData('text/plain') ?? '';
  if (text === '' || !listener.pasted(text)) return false;
  event.preventDefault();
  return true;
}

/** Makes the text of a cell's editor what the document has, with the smallest change. */
export function takeText(editor: EditorView, text: string): void {
  const now = editor.state.doc.toString();
  if (now === text) return;
  const [from, end] = differing(now, text);
  const changes = { from, to: now.length - end, insert: text.slice(from, text.length - end) };
  editor.dispatch({ changes, annotations: [taken.of(true), Transaction.addToHistory.of(false)] });
}

/** Puts the cursor of a cell's editor where it is in the document; nobody is told. */
export function takeSelection(editor: EditorView, anchor: number, head: number): void {
  const { length } = editor.state.doc;
  const range = EditorSelection.range(Math.min(anchor, length), Math.min(head, length));
  if (!editor.state.selection.main.eq(range))
    editor.dispatch({ selection: { anchor: range.anchor, head: range.head }, annotations: taken.of(true) });
}

/** How much of two texts is the same at their starts, and at their ends. */
export function differing(before: string, after: string): readonly [start: number, end: number] {
  const least = Math.min(before.length, after.length);
  let start = 0;
  while (start < least && before[start] === after[start]) start++;
  let end = 0;
  while (end < least - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  return [start, end];
}

/** The source that a cell has after a transaction in its editor. */
export function sourceAfter(source: string, { changes }: Transaction, around: Surround): string {
  const steps: { from: number; to: number; insert: string }[] = [];
  changes.iterChanges((from, to, _fromB, _toB, inserted) => void steps.push({ from, to, insert: inserted.toString() }));
  // From behind, so that the places before stay what they are.
  return steps.reverse().reduce((text, step) => {
    const { from, to, insert } = changeCell(text, step, around);
    return text.slice(0, from) + insert + text.slice(to);
  }, source);
}

/** The place in a cell's source of a place in its text, and the reverse. */
export const toSource = (source: string, at: number): number => readCell(source).places[at] ?? source.length;
/** The place in a cell's text of a place in its source. */
export const fromSource = (source: string, at: number): number => {
  const found = readCell(source).places.findIndex((place) => place >= at);
  return found < 0 ? readCell(source).text.length : found;
};

// The page's own theme reaches in here: it has to be outweighed.
const cellTheme = EditorView.theme({
  '&.cm-cell-editor': { background: 'transparent', height: 'auto', color: 'inherit' },
  '&.cm-cell-editor.cm-focused': { outline: 'none' },
  '&.cm-cell-editor .cm-scroller': { font: 'inherit', lineHeight: 'inherit', overflow: 'visible', scrollbarGutter: 'auto' },
  '&.cm-cell-editor .cm-content': { '--page-margin': '0px', padding: '0', minWidth: '1ch' },
  '&.cm-cell-editor .cm-line': { padding: '0', lineHeight: 'inherit' },
});
