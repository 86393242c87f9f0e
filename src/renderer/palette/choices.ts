import type { FileEntry } from '#protocol/calls';
import { type CommandId, commands, commandTitle } from '#protocol/commands';
import type { Keymap } from '#protocol/keymap';
import type { Locale } from '#protocol/words';
import type { OutlineHeading } from '#renderer/editor/outline.ts';
import { newPath } from '#renderer/ui/file-name.ts';
import { type Fit, ranked } from './fuzzy.ts';
import { shownKey } from './keys.ts';
import { signsIn } from './symbols.ts';

/** Something that the palette offers. */
export type Choice =
  | { readonly kind: 'document'; readonly id: string; readonly path: string; readonly fit: Fit }
  | { readonly kind: 'command'; readonly id: CommandId; readonly title: string; readonly key: string; readonly fit: Fit }
  | { readonly kind: 'line'; readonly id: string; readonly line: number; readonly column: number }
  | {
      readonly kind: 'heading';
      readonly id: string;
      readonly line: number;
      readonly words: string;
      readonly level: number;
      readonly fit: Fit;
    }
  | { readonly kind: 'sign'; readonly id: string; readonly sign: string; readonly name: string; readonly fit: Fit }
  | { readonly kind: 'new'; readonly id: string; readonly path: string };

/** What choices are made from. */
export interface ChoiceSources {
  /** Null: not listed yet, so that nothing is known to be missing. */
  readonly files: readonly FileEntry[] | null;
  readonly recent: readonly string[];
  readonly active: string | null;
  /** The headings of the document in front. */
  readonly headings: readonly OutlineHeading[];
  readonly recentCommands: readonly CommandId[];
  readonly locale: Locale;
  readonly isMac: boolean;
  readonly keymap: Keymap;
  readonly canRun: (id: CommandId) => boolean;
}

/** The most choices that are offered at once; of headings, which are read in their order, more. Commands are offered all. */
const [most, mostHeadings] = [100, 500];

/** What the palette offers for what was typed: `>` commands, `:` a line, `@` a heading, `&` a sign, else documents (with nothing typed those that were open last). */
export function choicesFor(text: string, sources: ChoiceSources): readonly Choice[] {
  if (text.startsWith('>')) return commandChoices(text.slice(1).trim(), sources);
  if (text.startsWith(':')) return lineChoices(text.slice(1));
  if (text.startsWith('@')) return headingChoices(text.slice(1).trim(), sources).slice(0, mostHeadings);
  if (text.startsWith('&')) return signChoices(text.slice(1).trim(), sources).slice(0, most);
  return documentChoices(text.trim(), sources).slice(0, most);
}

function commandChoices(query: string, { recentCommands, locale, isMac, keymap, canRun }: ChoiceSources): Choice[] {
  const order = (id: CommandId) => (recentCommands.includes(id) ? recentCommands.indexOf(id) : recentCommands.length);
  const usable = commands.filter(({ id }) => id !== 'go.command-palette' && canRun(id));
  const sorted = query === '' ? usable.toSorted((a, b) => order(a.id) - order(b.id)) : usable;
  return ranked(query, sorted, ({ id }) => commandTitle(id, locale)).map(({ item, fit }) => {
    const [key] = keymap.get(item.id) ?? [];
    const shown = key === undefined ? '' : shownKey(key, isMac);
    return { kind: 'command', id: item.id, title: commandTitle(item.id, locale), key: shown, fit };
  });
}

function lineChoices(text: string): Choice[] {
  const place = /^\s*(\d{1,9})(?:\s*[:,]\s*(\d{1,9}))?\s*$/.exec(text);
  if (place === null) return [];
  return [{ kind: 'line', id: 'line', line: Number(place[1]), column: Number(place[2] ?? 1) }];
}

function headingChoices(query: string, { headings }: ChoiceSources): Choice[] {
  return ranked(query, headings, ({ words }) => words).map(({ item: { line, words, level }, fit }) => ({
    kind: 'heading',
    id: `line-${line}`,
    line,
    words,
    level,
    fit,
  }));
}

function signChoices(query: string, { locale }: ChoiceSources): Choice[] {
  const signs = signsIn(locale);
  const asItIs = signs.filter(({ sign }) => sign === query).map((item) => ({ item, fit: { score: 0, met: [] } }));
  const found = asItIs.length > 0 ? asItIs : ranked(query, signs, ({ name }) => name);
  return found.map(({ item: { sign, name }, fit }) => ({ kind: 'sign', id: `sign-${sign.codePointAt(0)}`, sign, name, fit }));
}

function documentChoices(query: string, { files, recent, active }: ChoiceSources): Choice[] {
  const documents = (files ?? []).filter(({ document }) => document).map(({ path }) => path);
  const known = new Set(documents);
  // What is in front goes last: the first of the list is the one that was in front before.
  const last = recent.filter((path) => known.has(path) && path !== active);
  const ordered = [
    ...last,
    ...documents.filter((path) => !last.includes(path) && path !== active),
    ...(active !== null && known.has(active) ? [active] : []),
  ];
  const found = ranked(query, ordered, (path) => path).map(({ item, fit }): Choice => ({ kind: 'document', id: item, path: item, fit }));
  const path = newPath(query);
  return found.length > 0 || path === null || files === null ? found : [{ kind: 'new', id: 'new', path }];
}
