import { closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete';
import { EditorState, type Extension, Prec } from '@codemirror/state';
import { keymap } from '@codemirror/view';
import { isInCode } from './code-place.ts';

const outside = { brackets: ['(', '[', '{', '"', '“', '«'], before: ')]}:;,.>”»"' };
const inside = { brackets: [], before: '' };

/** Brackets and quotes come in pairs, around what is selected or before a blank; not inside code. Apostrophes never do. */
export const pairing: Extension = [
  closeBrackets(),
  // Before what the languages of code say of themselves.
  Prec.highest(EditorState.languageData.of((state, at) => [{ closeBrackets: isInCode(state, at) ? inside : outside }])),
  keymap.of(closeBracketsKeymap),
];
