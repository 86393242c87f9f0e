import type { LanguageSupport } from '@codemirror/language';
import { grammar } from './syntax.ts';

/** What stands for `@codemirror/lang-markdown` where code in a text is Markdown itself: the package would bring the grammar of HTML along. */
export const markdown = (): LanguageSupport => grammar;
