import type { SettingKey } from './preferences.ts';

/** The sections of the settings, in their order. */
export const sections = ['files', 'editor', 'appearance', 'language'] as const;
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
  { key: 'editor.mode', section: 'editor', control: { kind: 'choice', options: ['live', 'source', 'reading', 'split'] } },
  { key: 'editor.font', section: 'editor', control: { kind: 'choice', options: ['serif', 'sans', 'mono'] } },
  { key: 'editor.size', section: 'editor', control: { kind: 'number', min: 12, max: 28, step: 1 } },
  { key: 'editor.measure', section: 'editor', control: { kind: 'number', min: 40, max: 120, step: 2 } },
  { key: 'editor.identity', section: 'editor', control: { kind: 'switch' } },
  { key: 'editor.pairs', section: 'editor', control: { kind: 'switch' } },
  { key: 'editor.smart', section: 'editor', control: { kind: 'choice', options: ['off', 'en', 'es'] } },
  { key: 'editor.focus', section: 'editor', control: { kind: 'switch' } },
  { key: 'editor.typewriter', section: 'editor', control: { kind: 'switch' } },
  { key: 'appearance.theme', section: 'appearance', control: { kind: 'choice', options: ['system', 'light', 'dark'] } },
  { key: 'language', section: 'language', control: { kind: 'choice', options: ['system', 'en', 'es'] } },
];

/** The path of a setting's words in the catalogue. */
export const wordsKeyOf = (key: Setting['key']): string => `settings.${key.replace('.', '-')}`;

/** The settings whose name, description or options hold words that begin as each of a search's does; all for an empty one. */
export function matchingSettings(search: string, textOf: (setting: Setting) => string): readonly Setting[] {
  const wanted = folded(search).split(/\s+/).filter(Boolean);
  return settingList.filter((setting) => {
    const words = folded(textOf(setting)).split(/[^\p{L}\p{N}]+/u);
    return wanted.every((start) => words.some((word) => word.startsWith(start)));
  });
}

/** Without case and accents, as people search. */
const folded = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
