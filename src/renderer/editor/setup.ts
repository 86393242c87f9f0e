import { defaultKeymap, history, historyField, historyKeymap, indentWithTab } from '@codemirror/commands';
import { indentUnit } from '@codemirror/language';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, type Extension, type StateEffect } from '@codemirror/state';
import { drawSelection, dropCursor, EditorView, highlightSpecialChars, keymap, rectangularSelection } from '@codemirror/view';
import type { JournalSelection } from '#protocol/journal-calls';
import type { Words } from '#protocol/words';
import { anchorMarks } from '#renderer/code/anchor-marks.ts';
import { lineDirection } from './direction.ts';
import { markdownLook } from './highlight.ts';
import { identityChip } from './identity-chip.ts';
import { keepLineBreaks, type SplitText } from './line-breaks.ts';
import { lineLook } from './line-look.ts';
import { lineShape } from './line-shape.ts';
import { followLinks } from './link.ts';
import { attention } from './live/attention.ts';
import { livePreview } from './live/live-preview.ts';
import { type Neighbours, place } from './live/neighbours.ts';
import type { Pasting } from './paste.ts';
import { findPanel } from './search-panel.ts';
import { suggestionLook, suggestionTheme } from './suggestion/look.ts';
import { review } from './suggestion/review.ts';
import { grammar } from './syntax.ts';
import { pageTheme } from './theme.ts';
import { writing } from './writing.ts';

/** A document longer than this many characters is plain text: nothing reads it whole while somebody types. */
export const plainFrom = 1_000_000;

/** What an editor needs from around it. */
export interface Surroundings {
  readonly say: Words;
  /** Follows a link's address, seen from the document in front. */
  readonly follow: (address: string) => void;
  /** What lies around a document; without it no link is broken and no picture is seen. */
  readonly neighbours?: Neighbours;
  /** Where pasted pictures go; without it they are pasted as text. */
  readonly pasting?: Pasting;
}

const wording = new Compartment();
const placing = new Compartment();

/** The extension that words what an editor shows by itself; given again when the language changes. */
function wordsOf(say: Words): Extension {
  const names = [
    'Control character',
    'Selection deleted',
    'replaced match on line $',
    'replaced $ matches',
    'current match',
    'on line',
    'Completions',
    'Folded lines',
    'Unfolded lines',
    'to',
  ];
  const phrases = Object.fromEntries(names.map((name) => [name, say(`phrases.${name}`)]));
  return [
    EditorState.phrases.of(phrases),
    EditorView.contentAttributes.of({ 'aria-label': say('editor.name') }),
    findPanel(say),
    suggestionLook(say),
  ];
}

/** An effect that words an editor anew. */
export const reword = (say: Words) => wording.reconfigure(wordsOf(say));

const placeOf = ({ say, follow, neighbours }: Surroundings, path: string): Extension =>
  place.of({ path, say, follow, neighbours: neighbours ?? null });

/** An effect that lets an editor know that its document has another path from now on. */
export const setPath = (path: string, around: Surroundings) => placing.reconfigure(placeOf(around, path));

/** Markdown as it is read, and its look. */
export const language: Extension = [grammar, markdownLook];

/** The place in an editor's state where the text is drawn as it is meant, or shown as it is. */
const mode = new Compartment();

function modeOf(isLive: boolean, length: number): Extension {
  if (isLive) return [language, livePreview()];
  return length > plainFrom ? lineLook : [language, lineShape];
}

/** Turns live preview on, or shows the text as it is: one of this many characters. Text, cursor and history stay. */
export const setLive = (isLive: boolean, length: number): StateEffect<unknown> => mode.reconfigure(modeOf(isLive, length));

/** What an editor had before, as it was kept: the cursor, and what can be taken back. */
export interface KeptState {
  readonly selection: JournalSelection;
  readonly history: unknown;
}

/**
 * The state of an editor for a document as it was read, of the workspace's path, with what it had before. Keys that are
 * commands of the window are not bound here. Throws where what was kept does not fit the text.
 */
export function createState(text: SplitText, around: Surroundings, path = '', kept?: KeptState): EditorState {
  const { doc } = text;
  const extensions = extensionsOf(text, around, path);
  if (kept === undefined) return EditorState.create({ doc, extensions });
  return EditorState.fromJSON({ doc: doc.toString(), ...kept }, { extensions }, { history: historyField });
}

function extensionsOf({ doc, breaks }: SplitText, around: Surroundings, path: string): Extension {
  const { say, follow, pasting } = around;
  const isPlain = doc.length > plainFrom;
  return [
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
    EditorView.contentAttributes.of({ autocapitalize: 'sentences', tabindex: '0' }),
    pageTheme,
    lineDirection,
    attention,
    review,
    suggestionTheme,
    placing.of(placeOf(around, path)),
    mode.of(modeOf(!isPlain, doc.length)),
    identityChip,
    anchorMarks,
    writing(pasting),
    followLinks(follow),
    wording.of(wordsOf(say)),
    keymap.of([indentWithTab, ...searchKeymap, ...historyKeymap, ...defaultKeymap]),
  ];
}

const wantsStillness = () => globalThis.matchMedia?.('(prefers-reduced-motion: reduce)').matches === true;
