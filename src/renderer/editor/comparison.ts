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
  const shared: Extension = [
    drawSelection(),
    EditorView.lineWrapping,
    compareTheme,
    pageTheme,
    Math.max(buffer.state.doc.length, theirs.length) > plainFrom ? [] : [language, lineShape],
    EditorState.phrases.of({ '$ unchanged lines': names.unchanged }),
  ];
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
    collapseUnchanged: { margin: 3, minSize: 6 },
    gutter: true,
  });
  return () => view.destroy();
}

const named = (name: string) => EditorView.contentAttributes.of({ 'aria-label': name });

const compareTheme = EditorView.theme({
  '&': { background: 'transparent' },
  '.cm-scroller': { fontSize: '15px' },
  '.cm-content': { '--page-margin': 'var(--space-4)', padding: 'var(--space-4) 0' },
  '.cm-line': { padding: '0 var(--space-4)' },
  '.cm-gutters': { background: 'transparent', border: '0' },
});
