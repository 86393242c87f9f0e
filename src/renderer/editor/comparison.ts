import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { MergeView } from '@codemirror/merge';
import { EditorState, type Extension } from '@codemirror/state';
import { drawSelection, EditorView, keymap } from '@codemirror/view';
import { type Buffer, transact } from './buffer.ts';
import { split } from './line-breaks.ts';
import { lineShape } from './line-shape.ts';
import { language, plainFrom } from './setup.ts';
import { pageTheme } from './theme.ts';

/** What the two sides are called. */
export interface SideNames {
  readonly mine: string;
  readonly theirs: string;
  readonly unchanged: string;
}

/**
 * Shows a buffer beside what is on disk, which is read only. What is typed at the left goes into the buffer at once. The answer ends it.
 */
export function compareWithDisk(parent: HTMLElement, buffer: Buffer, theirs: string, names: SideNames): () => void {
  const shared = faceOf(Math.max(buffer.state.doc.length, theirs.length), names.unchanged);
  const mirror = EditorView.updateListener.of(({ docChanged, changes }) => {
    if (docChanged) transact(buffer, { changes, userEvent: 'input' });
  });
  const view = new MergeView({
    parent,
    a: {
      doc: buffer.state.doc,
      extensions: [shared, history(), keymap.of([...historyKeymap, ...defaultKeymap]), mirror, named(names.mine)],
    },
    b: { doc: split(theirs).doc, extensions: [shared, EditorState.readOnly.of(true), named(names.theirs)] },
    ...unchangedFolded,
  });
  return () => view.destroy();
}

/** Shows two texts beside each other, both to be read only: `before` at the left. The answer ends it. */
export function compareTexts(parent: HTMLElement, before: string, after: string, names: SideNames): () => void {
  const shared = faceOf(Math.max(before.length, after.length), names.unchanged);
  const side = (text: string, name: string) => ({ doc: split(text).doc, extensions: [shared, EditorState.readOnly.of(true), named(name)] });
  const view = new MergeView({ parent, a: side(before, names.theirs), b: side(after, names.mine), ...unchangedFolded });
  return () => view.destroy();
}

const unchangedFolded = { collapseUnchanged: { margin: 3, minSize: 6 }, gutter: true } as const;

const faceOf = (length: number, unchanged: string): Extension => [
  drawSelection(),
  EditorView.lineWrapping,
  compareTheme,
  pageTheme,
  length > plainFrom ? [] : [language, lineShape],
  EditorState.phrases.of({ '$ unchanged lines': unchanged }),
];

const named = (name: string) => EditorView.contentAttributes.of({ 'aria-label': name });

const compareTheme = EditorView.theme({
  '&': { background: 'transparent' },
  '.cm-scroller': { fontSize: '15px' },
  '.cm-content': { '--page-margin': 'var(--space-4)', padding: 'var(--space-4) 0' },
  '.cm-line': { padding: '0 var(--space-4)' },
  '.cm-gutters': { background: 'transparent', border: '0' },
});
