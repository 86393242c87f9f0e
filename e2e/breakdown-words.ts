import { readFileSync } from 'node:fs';

type Branch = { readonly [key: string]: string | Branch };

/** The words of the breakdown in a language, by their keys. */
export function breakdownWordsIn(language: 'en' | 'es'): Map<string, string> {
  const file = new URL(`../src/renderer/breakdown/words/${language}.json`, import.meta.url);
  return new Map(leaves(JSON.parse(readFileSync(file, 'utf8')) as Branch, ''));
}

function leaves(branch: Branch, under: string): [string, string][] {
  return Object.entries(branch).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string' ? [[under + key, value]] : leaves(value, `${under}${key}.`),
  );
}

/** What text of one line would show this entry, whatever stands at its places. */
export function patternOf(entry: string): RegExp {
  const parts = entry.split(/\{\{\w+\}\}/u).map((part) => part.replace(/[\\^$.*+?()[\]{}|]/gu, '\\$&'));
  return new RegExp(parts.join('[^\\n]{0,300}?'), 'u');
}
