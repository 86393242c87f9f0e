import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { isInCode } from './code-place.ts';
import { frontOf } from './front.ts';

/** The quotes of a language: double and single ones. */
interface Quotes {
  readonly double: readonly [open: string, close: string];
  readonly single: readonly [open: string, close: string];
}

/** The languages whose signs are known. */
export const smartLanguages = ['en', 'es', 'fr', 'de', 'it', 'pt'] as const;
/** One of them. */
export type SmartLanguage = (typeof smartLanguages)[number];

// French sets its quotes off by a narrow space that does not break.
const quotes: Readonly<Record<SmartLanguage, Quotes>> = {
  en: { double: ['“', '”'], single: ['‘', '’'] },
  es: { double: ['«', '»'], single: ['“', '”'] },
  fr: { double: ['«\u202f', '\u202f»'], single: ['“', '”'] },
  de: { double: ['„', '“'], single: ['‚', '‘'] },
  it: { double: ['«', '»'], single: ['“', '”'] },
  pt: { double: ['“', '”'], single: ['‘', '’'] },
};

/** In these a dash in a sentence is the long one; in the others the short one, which a third hyphen makes long. */
const longDash: readonly SmartLanguage[] = ['es'];

/** What a typed sign becomes after the text before it: what is to be replaced there (characters), and by what; null: itself. */
export function smartSign(
  typed: string,
  before: string,
  language: SmartLanguage,
): { readonly back: number; readonly insert: string } | null {
  const { double, single } = quotes[language];
  const last = before.at(-1) ?? ' ';
  // Behind an opening quote one more is opened; what opens in one language closes in another.
  const isOpening = /[\s([{—–-]/u.test(last) || double[0].endsWith(last) || single[0] === last;
  if (typed === '"') return { back: 0, insert: double[isOpening ? 0 : 1] };
  // Between letters and before a number it is an apostrophe, in every language.
  if (typed === "'") return { back: 0, insert: isOpening ? single[0] : closingSingle(before, language) };
  if (typed === '-' && /(?:^|[^-])-$/u.test(before) && before.trim() !== '-')
    return { back: 1, insert: longDash.includes(language) ? '—' : '–' };
  if (typed === '-' && before.endsWith('–')) return { back: 1, insert: '—' };
  if (typed === '.' && /(?:^|[^.])\.\.$/u.test(before)) return { back: 2, insert: '…' };
  return null;
}

/** These write no apostrophes to speak of, so that a single quote behind an open one closes it. */
const withoutApostrophe: readonly SmartLanguage[] = ['de', 'es'];

function closingSingle(before: string, language: SmartLanguage): string {
  const [open, close] = quotes[language].single;
  const isOpen = before.lastIndexOf(open) > before.lastIndexOf(close);
  return isOpen && withoutApostrophe.includes(language) ? close : '’';
}

/** Makes quotes, dashes and dots as they are printed while they are typed; never in code, frontmatter or tables' rules. Undo gives the sign back. */
export function smartSigns(language: SmartLanguage): Extension {
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
