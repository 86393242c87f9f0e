import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { commonmarkLanguage, markdown } from '@codemirror/lang-markdown';
import { indentUnit } from '@codemirror/language';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import { drawSelection, dropCursor, EditorView, highlightSpecialChars, keymap, rectangularSelection } from '@codemirror/view';
import { GFM } from '@lezer/markdown';
import type { Words } from '#protocol/words';
import { markdownLook } from './highlight.ts';
import { identityChip } from './identity-chip.ts';
import { keepLineBreaks, type SplitText } from './line-breaks.ts';
import { lineShape } from './line-shape.ts';
import { followLinks } from './link.ts';
import { findPanel } from './search-panel.ts';
import { pageTheme } from './theme.ts';

/** A document longer than this many characters is plain text: nothing reads it whole while somebody types. */
export const plainFrom = 1_000_000;

/** What an editor needs from around it. */
export interface Surroundings {
  readonly say: Words;
  /** Follows a link's address, seen from the document in front. */
  readonly follow: (address: string) => void;
}

const wording = new Compartment();

/** The extension that words what an editor shows by itself; given again when the language changes. */
function wordsOf(say: Words): Extension {
  const names = ['Control character', 'Selection deleted', 'replaced match on line $', 'replaced $ matches', 'current match', 'on line'];
  const phrases = Object.fromEntries(names.map((name) => [name, say(`phrases.${name}`)]));
  return [EditorState.phrases.of(phrases), EditorView.contentAttributes.of({ 'aria-label': say('editor.name') }), findPanel(say)];
}

/** An effect that words an editor anew. */
export const reword = (say: Words) => wording.reconfigure(wordsOf(say));

/** Markdown as it is read and as it looks. */
export const language: Extension = [
  markdown({ base: commonmarkLanguage, extensions: GFM, completeHTMLTags: false }),
  markdownLook,
  lineShape,
];

/** The state of an editor for a document as it was read. Keys that are commands of the window are not bound here. */
export function createState({ doc, breaks }: SplitText, { say, follow }: Surroundings): EditorState {
  return EditorState.create({
    doc,
    extensions: [
      keepLineBreaks(breaks),
      history(),
      drawSelection({ cursorBlinkRate: wantsStillness() ? 0 : 1200 }),
      dropCursor(),
      EditorState.allowMultipleSelections.of(true),
      rectangularSelection(),
      highlightSpecialChars(),
      highlightSelectionMatches({ minSelectionLength: 3 }),
      indentUnit.of('  '),
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ spellcheck: 'true', autocapitalize: 'sentences', tabindex: '0' }),
      pageTheme,
      doc.length > plainFrom ? [] : language,
      identityChip,
      followLinks(follow),
      wording.of(wordsOf(say)),
      keymap.of([indentWithTab, ...searchKeymap, ...historyKeymap, ...defaultKeymap]),
    ],
  });
}

const wantsStillness = () => globalThis.matchMedia?.('(prefers-reduced-motion: reduce)').matches === true;
