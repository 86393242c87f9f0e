import type { GenieEntry } from '#protocol/ai-calls';
import type { Words } from '#protocol/words';
import { ranked } from '#renderer/palette/fuzzy.ts';

/** Something that the picker offers: a genie, what was typed as it is, a document to read, or a text to look up in all documents. */
export type Offer =
  | { readonly kind: 'genie'; readonly id: string; readonly genie: GenieEntry; readonly name: string; readonly about: string }
  | { readonly kind: 'ask'; readonly id: 'ask'; readonly text: string }
  | { readonly kind: 'read'; readonly id: string; readonly path: string }
  | { readonly kind: 'look-up'; readonly id: 'look-up'; readonly text: string };

/** Something that is put into a prompt beside the text: a document to read, or passages to be shown. */
export type Added = Extract<Offer, { kind: 'read' | 'look-up' }>;

/** The longest text that is looked up, in characters. */
const longestLookUp = 200;
/** How many texts may be looked up for one prompt. */
const mostLookUps = 8;

/** The place of a document that is being named: `@` at the start of a word, and what follows it to the end; with `"` also of several words. */
const naming = /(?:^|\s)@("[^"]*"?|\S*)$/u;

/** The name and the description of a genie: those of the app in the language of the window. */
export function wordsOfGenie(genie: GenieEntry, words: Words): { readonly name: string; readonly about: string } {
  if (genie.from !== 'app') return { name: genie.name, about: genie.description };
  const at = `genies.${genie.id.slice('app:'.length)}`;
  const name = words(`${at}.name`);
  return name === `${at}.name` ? { name: genie.name, about: genie.description } : { name, about: words(`${at}.about`) };
}

/**
 * What is offered for what was typed: documents while one is being named, and its name as a text to look up; else genies by name, and the writer's
 * own words, where they cannot be the name of a genie that is not listed yet (`genies` null).
 */
export function offersFor(
  typed: string,
  genies: readonly GenieEntry[] | null,
  documents: readonly string[],
  words: Words,
): readonly Offer[] {
  const named = naming.exec(typed)?.[1]?.replaceAll('"', '');
  if (named !== undefined) {
    const found = ranked(named, documents, (path) => path).slice(0, 50);
    const offers = found.map(({ item }): Offer => ({ kind: 'read', id: `read ${item}`, path: item }));
    const text = named.trim().slice(0, longestLookUp);
    return text === '' ? offers : [...offers, { kind: 'look-up', id: 'look-up', text }];
  }
  const said = (genies ?? []).map((genie) => ({ genie, ...wordsOfGenie(genie, words) }));
  const text = typed.trim();
  const isName = !/\s\S+\s/u.test(text);
  const found = isName ? ranked(text, said, ({ name }) => name) : [];
  const offers = found.map(({ item: { genie, name, about } }): Offer => ({ kind: 'genie', id: genie.id, genie, name, about }));
  return text === '' || (isName && genies === null) ? offers : [...offers, { kind: 'ask', id: 'ask', text }];
}

/** What was typed without the document that was being named. */
export const withoutNaming = (typed: string): string =>
  typed.replace(naming, (whole) => (/^\s/u.test(whole) ? ' ' : '')).replace(/^\s+/u, '');

/** What is added, with one thing more: each once, and of texts to look up the newest that one prompt may have. */
export function withAdded(added: readonly Added[], one: Added): readonly Added[] {
  const others = added.filter((other) => other.kind !== one.kind || addedWords(other) !== addedWords(one));
  const lookUps = others.filter(({ kind }) => kind === 'look-up');
  const [oldest] = one.kind === 'look-up' && lookUps.length >= mostLookUps ? lookUps : [];
  return [...others.filter((other) => other !== oldest), one];
}

/** A document's path, or the text that is looked up. */
export const addedWords = (one: Added): string => (one.kind === 'read' ? one.path : one.text);
