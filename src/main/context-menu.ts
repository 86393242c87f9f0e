import type { ContextMenuParams, MenuItemConstructorOptions } from 'electron';
import { shellWords } from './words.ts';

type Item = MenuItemConstructorOptions;
/** What a menu at the pointer is made of. */
export type PointedAt = Pick<ContextMenuParams, 'misspelledWord' | 'dictionarySuggestions' | 'isEditable' | 'selectionText' | 'editFlags'>;

/** What a choice about a wrong word does. */
export interface WordActs {
  /** Puts a suggestion in the word's place: the word alone changes, as one step of undo. */
  readonly replace: (word: string) => void;
  readonly learn: (word: string) => void;
}

/** The most suggestions that are offered. */
const most = 6;

/** The menu at the pointer: suggestions for a wrong word, then what the clipboard can do there. Empty where nothing can be done. */
export function contextTemplate(at: PointedAt, locale: string, { replace, learn }: WordActs): Item[] {
  const words = shellWords(locale);
  const role = (name: 'cut' | 'copy' | 'paste' | 'pasteAndMatchStyle' | 'selectAll', enabled: boolean): Item => ({
    role: name,
    label: words(`roles.${name}`),
    enabled,
  });
  const suggested = at.dictionarySuggestions.slice(0, most).map((word): Item => ({ label: word, click: () => replace(word) }));
  const none: Item = { label: words('spelling.none'), enabled: false };
  const wrong: Item[] =
    at.misspelledWord === ''
      ? []
      : [
          ...(suggested.length > 0 ? suggested : [none]),
          { type: 'separator' },
          { label: words('spelling.learn', { name: at.misspelledWord }), click: () => learn(at.misspelledWord) },
          { type: 'separator' },
        ];
  const { canCut, canCopy, canPaste, canSelectAll } = at.editFlags;
  if (at.isEditable) {
    const paste = [role('paste', canPaste), role('pasteAndMatchStyle', canPaste)];
    return [...wrong, role('cut', canCut), role('copy', canCopy), ...paste, { type: 'separator' }, role('selectAll', canSelectAll)];
  }
  return at.selectionText.trim() === '' ? wrong : [...wrong, role('copy', canCopy)];
}
