import { readFileSync } from 'node:fs';

const families = JSON.parse(readFileSync(new URL('../vectors/format.json', import.meta.url), 'utf8')) as Record<string, unknown[]>;

/** The vectors of one family, as the caller describes them. A family that is missing or empty is an error, so that no test passes on nothing. */
export function vectorsOf<T>(family: string): T[] {
  const found = families[family];
  if (found === undefined || found.length === 0) throw new RangeError(`No vectors in the family ${family}.`);
  return found as T[];
}
