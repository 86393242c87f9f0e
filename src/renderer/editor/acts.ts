import {
  addCursorAbove,
  addCursorBelow,
  copyLineDown,
  copyLineUp,
  deleteLine,
  moveLineDown,
  moveLineUp,
  redo,
  undo,
} from '@codemirror/commands';
import { foldAll, toggleFold, unfoldAll } from '@codemirror/language';
import { findNext, findPrevious, openSearchPanel, selectNextOccurrence, selectSelectionMatches } from '@codemirror/search';
import { EditorState } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import type { CommandId } from '#protocol/commands';
import { insertTable, toggleCodeBlock, toggleList, toggleQuote, toggleTask } from './block-format.ts';
import { insertLink, setHeading, toggleMark } from './format.ts';
import { changeCase, joinLines } from './line-command.ts';

/** What a command does in an editor; false where there was nothing to do. */
type Act = (view: EditorView) => boolean;

/** The commands that are the editor's. */
export const acts: Partial<Record<CommandId, Act>> = {
  'edit.undo': undo,
  'edit.redo': redo,
  'edit.find': openSearchPanel,
  'edit.replace': openReplace,
  'edit.find-next': findNext,
  'edit.find-previous': findPrevious,
  'edit.select-next': selectNextOccurrence,
  'edit.select-all-matches': selectSelectionMatches,
  'edit.cursor-above': addCursorAbove,
  'edit.cursor-below': addCursorBelow,
  'edit.move-line-up': moveLineUp,
  'edit.move-line-down': moveLineDown,
  'edit.duplicate-line-up': copyLineUp,
  'edit.duplicate-line-down': copyLineDown,
  'edit.delete-line': deleteLine,
  'edit.join-lines': joinLines,
  'edit.upper-case': changeCase('upper'),
  'edit.lower-case': changeCase('lower'),
  'edit.title-case': changeCase('title'),
  'view.fold': toggleFold,
  'view.fold-all': foldAll,
  'view.unfold-all': unfoldAll,
  'format.bold': toggleMark('**'),
  'format.italic': toggleMark('*'),
  'format.strike': toggleMark('~~'),
  'format.highlight': toggleMark('=='),
  'format.code': toggleMark('`'),
  'format.link': insertLink,
  'format.heading-1': setHeading(1),
  'format.heading-2': setHeading(2),
  'format.heading-3': setHeading(3),
  'format.heading-4': setHeading(4),
  'format.heading-5': setHeading(5),
  'format.heading-6': setHeading(6),
  'format.paragraph': setHeading(0),
  'format.bullet-list': toggleList('bullet'),
  'format.ordered-list': toggleList('ordered'),
  'format.task-list': toggleList('task'),
  'format.toggle-task': toggleTask,
  'format.quote': toggleQuote,
  'format.code-block': toggleCodeBlock,
  'format.table': (view) => insertTable(view.state.phrase('table heading'))(view),
};

/** Does a command in an editor, and leaves the focus there; false where it is none of the editor's. */
export function runAct(view: EditorView, id: CommandId): boolean {
  const act = acts[id];
  if (act === undefined) return false;
  act(view);
  if (!/^edit\.(undo|redo|find|replace)/.test(id)) view.focus();
  return true;
}

function openReplace(view: EditorView): boolean {
  openSearchPanel(view);
  const field = view.dom.querySelector<HTMLInputElement>('.cm-find input:not([main-field])');
  field?.focus();
  field?.select();
  return field !== null && !view.state.facet(EditorState.readOnly);
}
