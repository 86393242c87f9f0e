import type { Locale } from '#protocol/words';
import en from './symbols/en.json' with { type: 'json' };
import es from './symbols/es.json' with { type: 'json' };

/** A sign that no key has, and what it is called. */
export interface Sign {
  readonly sign: string;
  readonly name: string;
}

const known = { en: signsOf(en), es: signsOf(es) };

function signsOf(names: object): readonly Sign[] {
  return Object.entries(names).map(([sign, name]) => ({ sign, name: String(name) }));
}

/** The signs that the palette offers, those of writing first. */
export const signsIn = (locale: Locale): readonly Sign[] => known[locale];
