import { describe, expect, it } from 'vitest';
import { createPreferences, defaults, known } from '#renderer/settings/preferences.ts';
import { matchingSettings, sections, settingList, wordsKeyOf } from '#renderer/settings/setting-list.ts';
import { wordsIn } from '#renderer/words.ts';

describe('the settings', () => {
  it('are what is kept, and the default where it is missing or of another kind', () => {
    expect(known({})).toEqual(defaults);
    expect(known({ 'editor.size': '20', 'appearance.theme': 'dark', unknown: 1 })).toEqual({ ...defaults, 'appearance.theme': 'dark' });
  });

  it('that are listed have a name and a description in both languages, and each option a word', () => {
    for (const { key, control, section } of settingList) {
      for (const locale of ['en', 'es'] as const) {
        const words = wordsIn(locale);
        const at = wordsKeyOf(key);
        const keys = [`${at}.name`, `${at}.about`, `settings.section-${section}`, `settings.heading-${section}`];
        const options = control.kind === 'choice' ? control.options.map((option) => `${at}.options.${option}`) : [];
        for (const word of [...keys, ...options]) expect(words(word), word).not.toBe(word);
      }
    }
  });

  it('stand in a section each, and every section has one', () => {
    // The keys are a list of their own.
    expect(new Set(['ai', 'keys', ...settingList.map(({ section }) => section)])).toEqual(new Set(sections));
  });

  it('are found by words of what is shown of them', () => {
    const found = (search: string) => matchingSettings(search, ({ key }) => wordsIn('es')(`${wordsKeyOf(key)}.name`)).map(({ key }) => key);
    expect(found('IDENTIDAD guardar')).toEqual(['identity']);
    expect(found('tamano')).toEqual(['editor.size']);
    expect(found('')).toHaveLength(settingList.length);
    expect(found('zzz')).toEqual([]);
  });

  it('go back to what they were when they cannot be written', async () => {
    const call = async (name: string) => {
      if (name === 'settings/write') throw new Error('disk full');
      return {};
    };
    const preferences = createPreferences({ call: call as never, on: () => () => {}, onState: () => () => {} });
    const change = preferences.set('appearance.theme', 'dark');
    expect(preferences.store.getState()['appearance.theme']).toBe('dark');
    await expect(change).rejects.toThrow('disk full');
    expect(preferences.store.getState()['appearance.theme']).toBe('system');
  });
});
