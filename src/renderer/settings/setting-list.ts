import type { SettingKey } from './preferences.ts';

/** The sections of the settings, in their order. */
export const sections = ['files', 'editor', 'spelling', 'appearance', 'ai', 'keys', 'language'] as const;
/** A section of the settings. */
export type Section = (typeof sections)[number];

/** How a setting is changed. Options and their words are `settings.<key>.options.<option>`. */
export type Control =
  | { readonly kind: 'choice'; readonly options: readonly string[] }
  | { readonly kind: 'text' }
  | { readonly kind: 'number'; readonly min: number; readonly max: number; readonly step: number }
  | { readonly kind: 'switch' };

/** A setting as it is listed. `identity` is the workspace's own and not the app's. */
export interface Setting {
  readonly key: SettingKey | 'identity';
  readonly section: Section;
  readonly control: Control;
}

/** Every setting that is shown, in its order. */
export const settingList: readonly Setting[] = [
  { key: 'identity', section: 'files', control: { kind: 'switch' } },
  { key: 'saving.autosave', section: 'files', control: { kind: 'choice', options: ['rest', 'blur', 'off'] } },
  { key: 'saving.ask', section: 'files', control: { kind: 'switch' } },
  { key: 'files.assets', section: 'files', control: { kind: 'text' } },
  { key: 'files.templates', section: 'files', control: { kind: 'text' } },
  { key: 'editor.mode', section: 'editor', control: { kind: 'choice', options: ['live', 'source', 'reading', 'split'] } },
  { key: 'editor.font', section: 'editor', control: { kind: 'choice', options: ['serif', 'sans', 'mono'] } },
  { key: 'editor.size', section: 'editor', control: { kind: 'number', min: 12, max: 28, step: 1 } },
  { key: 'editor.measure', section: 'editor', control: { kind: 'number', min: 40, max: 120, step: 2 } },
  { key: 'editor.identity', section: 'editor', control: { kind: 'switch' } },
  { key: 'editor.pairs', section: 'editor', control: { kind: 'switch' } },
  { key: 'editor.smart', section: 'editor', control: { kind: 'choice', options: ['off', 'en', 'es', 'fr', 'de', 'it', 'pt'] } },
  { key: 'editor.focus', section: 'editor', control: { kind: 'switch' } },
  { key: 'editor.typewriter', section: 'editor', control: { kind: 'switch' } },
  { key: 'editor.goal', section: 'editor', control: { kind: 'number', min: 0, max: 10_000_000, step: 100 } },
  { key: 'spelling.check', section: 'spelling', control: { kind: 'switch' } },
  {
    key: 'spelling.language',
    section: 'spelling',
    control: { kind: 'choice', options: ['system', 'en-GB', 'en-US', 'es', 'fr', 'de', 'it', 'pt'] },
  },
  { key: 'appearance.theme', section: 'appearance', control: { kind: 'choice', options: ['system', 'light', 'dark'] } },
  { key: 'language', section: 'language', control: { kind: 'choice', options: ['system', 'en', 'es'] } },
];

/** The path of a setting's words in the catalogue. */
export const wordsKeyOf = (key: Setting['key']): string => `settings.${key.replace('.', '-')}`;

/** The settings whose name, description or options fit a search. */
export const matchingSettings = (search: string, textOf: (setting: Setting) => string): readonly Setting[] =>
  settingList.filter((setting) => matchesSearch(search, textOf(setting)));

/** Whether a text holds words that begin as each of a search's does; every text does for an empty one. */
export function matchesSearch(search: string, text: string): boolean {
  const words = folded(text).split(/[^\p{L}\p{N}]+/u);
  const wanted = folded(search).split(/\s+/).filter(Boolean);
  return wanted.every((start) => words.some((word) => word.startsWith(start)) || folded(text).split(' ').includes(start));
}

/** Without case and accents, as people search. */
const folded = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
