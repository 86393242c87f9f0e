import { chooseLocale, locale } from '#renderer/words.ts';
import type { PreferenceStore, Preferences } from './preferences.ts';

const fonts: Readonly<Record<string, string>> = { serif: 'var(--font-text)', sans: 'var(--font-ui)', mono: 'var(--font-code)' };
/** Where the theme of the last time is kept, so that the page does not flash before the settings arrive. */
const themeKey = 'stemma.theme';

/** Gives the page the theme of the last time. */
export function recallTheme(root: HTMLElement = document.documentElement): void {
  const theme = localStorage.getItem(themeKey);
  if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
}

/** Makes the settings seen: theme, font, size, measure, language. Follows them until the answer is called. */
export function followPreferences({ store }: PreferenceStore, root: HTMLElement = document.documentElement): () => void {
  apply(store.getState(), root);
  const stops = [
    store.subscribe((preferences) => apply(preferences, root)),
    locale.subscribe(({ locale }) => {
      root.lang = locale;
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

function apply(preferences: Preferences, root: HTMLElement): void {
  const theme = preferences['appearance.theme'];
  if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
  else delete root.dataset.theme;
  localStorage.setItem(themeKey, theme);
  root.style.setProperty('--font-page', fonts[preferences['editor.font']] ?? fonts.serif!);
  root.style.setProperty('--size-text', `${preferences['editor.size']}px`);
  root.style.setProperty('--measure', `${preferences['editor.measure']}ch`);
  chooseLocale(preferences.language);
  root.lang = locale.getState().locale;
}
