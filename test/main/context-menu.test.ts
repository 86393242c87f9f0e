import { describe, expect, it } from 'vitest';
import { contextTemplate, type PointedAt } from '#main/context-menu';

const flags = {
  canUndo: true,
  canRedo: false,
  canCut: true,
  canCopy: true,
  canPaste: true,
  canDelete: true,
  canSelectAll: true,
  canEditRichly: true,
};
const nothing: PointedAt = { misspelledWord: '', dictionarySuggestions: [], isEditable: false, selectionText: '', editFlags: flags };
const labels = (at: Partial<PointedAt>, locale = 'en') =>
  contextTemplate({ ...nothing, ...at }, locale, { replace: () => {}, learn: () => {} }).map(({ label, type }) => label ?? type);

describe('the menu at the pointer', () => {
  it('has suggestions for a wrong word above what the clipboard can do', () => {
    expect(labels({ isEditable: true, misspelledWord: 'teh', dictionarySuggestions: ['the', 'tea', 'ten'] })).toEqual([
      'the',
      'tea',
      'ten',
      'separator',
      'Add “teh” to the dictionary',
      'separator',
      'Cut',
      'Copy',
      'Paste',
      'Paste without formatting',
      'separator',
      'Select all',
    ]);
    expect(labels({ isEditable: true, misspelledWord: 'xyzzy' }, 'es').slice(0, 3)).toEqual([
      'Sin sugerencias',
      'separator',
      'Añadir «xyzzy» al diccionario',
    ]);
  });

  it('is none where nothing can be done, and copies what is selected elsewhere', () => {
    expect(labels({})).toEqual([]);
    expect(labels({ selectionText: 'words' })).toEqual(['Copy']);
  });

  it('does what is chosen with the word', () => {
    const done: string[] = [];
    const acts = { replace: (word: string) => done.push(`replace ${word}`), learn: (word: string) => done.push(`learn ${word}`) };
    const items = contextTemplate(
      { ...nothing, isEditable: true, misspelledWord: 'teh', dictionarySuggestions: ['the'] },
      'en',
      acts as never,
    );
    for (const item of items.filter(({ click }) => click !== undefined)) (item.click as () => void)();
    expect(done).toEqual(['replace the', 'learn teh']);
  });
});
