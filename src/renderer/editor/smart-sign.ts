import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { isInCode } from './code-place.ts';
import { frontOf } from './front.ts';

/** The quotes of a language: double and single ones. */
interface Quotes {
  readonly double: readonly [open: string, close: string];
  readonly single: readonly [open: string, close: string];
}

const quotes: Readonly<Record<'en' | 'es', Quotes>> = {
  en: { double: ['“', '”'], single: ['‘', '’'] },
  es: { double: ['«', '»'], single: ['“', '”'] },
};

/** What a typed sign becomes after the text before it: what is to be replaced there (characters), and by what; null: itself. */
export function smartSign(typed: string, before: string, language: 'en' | 'es'): { readonly back: number; readonly insert: string } | null {
  const isOpening = /(?:^|[\s([{«“‘—–-])$/u.test(before);
  if (typed === '"') return { back: 0, insert: quotes[language].double[isOpening ? 0 : 1] };
  // Between letters and before a number it is an apostrophe, in every language.
  if (typed === "'") return { back: 0, insert: isOpening ? quotes[language].single[0] : '’' };
  if (typed === '-' && /(?:^|[^-])-$/u.test(before) && before.trim() !== '-') return { back: 1, insert: language === 'es' ? '—' : '–' };
  if (typed === '-' && before.endsWith('–')) return { back: 1, insert: '—' };
  if (typed === '.' && /(?:^|[^.])\.\.$/u.test(before)) return { back: 2, insert: '…' };
  return null;
}

/** Makes quotes, dashes and dots as they are printed while they are typed; never in code, frontmatter or tables' rules. Undo gives the sign back. */
export function smartSigns(language: 'en' | 'es'): Extension {
  return EditorView.inputHandler.of((view, from, _, text, insert) => {
    if (!`"'-.`.includes(text) || text.length !== 1 || view.composing) return false;
    const { state } = view;
    const line = state.doc.lineAt(from);
    const before = state.sliceDoc(line.from, from);
    const smart = smartSign(text, before, language);
    if (smart === null || isInCode(state, from) || /^\s*(\||[-:|\s]*$)/u.test(before + text) || isInFront(view, from)) return false;
    view.dispatch(insert());
    const start = from - smart.back;
    view.dispatch({
      changes: { from: start, to: from + 1, insert: smart.insert },
      selection: { anchor: start + smart.insert.length },
      userEvent: 'input.smart',
    });
    return true;
  });
}

const isInFront = (view: EditorView, at: number) => at <= (frontOf(view.state.doc)?.all.to ?? -1);
