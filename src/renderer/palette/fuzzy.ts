/** A text that fits a query: the higher the score the better, and which of its characters were met. */
export interface Fit {
  readonly score: number;
  readonly met: readonly number[];
}

const folded = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/**
 * How well a query's characters stand in a text, in their order; null where they do not. What follows a separator or another match counts
 * more, a capital within a word too (`rd` is `resolveDeclaration`), and so does the last part of a path; of two equals the shorter text wins. Accents and case do not matter, spaces are skipped.
 */
export function fitOf(query: string, text: string): Fit | null {
  const wanted = folded(query).replace(/\s+/g, '');
  if (wanted === '') return { score: 0, met: [] };
  const where = folded(text);
  if (where.length !== text.length) return plainFit(wanted, where);
  const name = text.lastIndexOf('/') + 1;
  const inName = fitFrom(wanted, where, text, name);
  const anywhere = fitFrom(wanted, where, text, 0);
  if (inName !== null && (anywhere === null || inName.score + 8 >= anywhere.score)) return { ...inName, score: inName.score + 8 };
  return anywhere;
}

/** For texts whose folded form has another length: no marks. */
function plainFit(wanted: string, where: string): Fit | null {
  const fit = fitFrom(wanted, where, where, 0);
  return fit === null ? null : { score: fit.score, met: [] };
}

/** `text` is what `where` is folded from, of the same length. */
function fitFrom(wanted: string, where: string, text: string, from: number): Fit | null {
  const whole = where.indexOf(wanted, from);
  if (whole >= 0) {
    const met = Array.from(wanted, (_, at) => whole + at);
    const start = whole === from ? 7 : 6;
    const score = isStart(text, whole) ? 4 * wanted.length + start : 3 * wanted.length - 1.2;
    return { score: score - where.length / 100, met };
  }
  // Initials may lead past what the next characters need.
  const initials = (sign: string, at: number) => nextPlace(where, text, sign, at);
  return stepped(wanted, where, text, from, initials) ?? stepped(wanted, where, text, from, (sign, at) => where.indexOf(sign, at));
}

type Next = (sign: string, from: number) => number;

function stepped(wanted: string, where: string, text: string, from: number, next: Next): Fit | null {
  const met: number[] = [];
  let score = -where.length / 100;
  let at = from;
  for (const sign of wanted) {
    const place = next(sign, at);
    if (place < 0) return null;
    score += place === at && met.length > 0 ? 3 : isStart(text, place) ? 2.5 : 0.5;
    met.push(place);
    at = place + 1;
  }
  return { score, met };
}

/** The start of a word where there is one further on and the very next character is another, so that initials are met. */
function nextPlace(where: string, text: string, sign: string, from: number): number {
  const first = where.indexOf(sign, from);
  if (first === from || first < 0) return first;
  for (let at = first; at >= 0; at = where.indexOf(sign, at + 1)) if (isStart(text, at)) return at;
  return first;
}

const isStart = (text: string, at: number) =>
  at === 0 || /[\s/._\-–—:]/.test(text[at - 1]!) || (/\p{Lu}/u.test(text[at]!) && /\p{Ll}/u.test(text[at - 1]!));

/** The items that fit a query, the best first; with an empty query all, in their order. */
export function ranked<Item>(query: string, items: readonly Item[], textOf: (item: Item) => string): { item: Item; fit: Fit }[] {
  const fits = items.flatMap((item) => {
    const fit = fitOf(query, textOf(item));
    return fit === null ? [] : [{ item, fit }];
  });
  return query.trim() === '' ? fits : fits.sort((a, b) => b.fit.score - a.fit.score);
}
