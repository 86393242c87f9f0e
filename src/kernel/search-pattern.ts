/** What a writer looks for, as it was typed. */
export interface SearchQuery {
  readonly text: string;
  readonly isExpression: boolean;
  readonly matchesCase: boolean;
  readonly wholeWords: boolean;
}

/** A query that can be looked for. Every text that it matches has each of `literals` in it, whatever their letter case and form (NFC, NFD). */
export interface SearchPattern {
  /** Matches all occurrences, over the ends of lines where the query says so; `^` and `$` are those of lines. */
  readonly expression: RegExp;
  readonly literals: readonly string[];
}

/** The pattern of a query; null where its expression cannot be read, or where it is empty. */
export function searchPattern({ text, isExpression, matchesCase, wholeWords }: SearchQuery): SearchPattern | null {
  if (text === '') return null;
  const source = isExpression ? text : literalSource(text);
  const whole = wholeWords ? `(?<![\\p{L}\\p{N}_])(?:${source})(?![\\p{L}\\p{N}_])` : source;
  try {
    const expression = new RegExp(whole, matchesCase ? 'gmu' : 'gimu');
    return { expression, literals: isExpression ? expressionLiterals(text) : [text] };
  } catch {
    return null;
  }
}

/** A text as an expression that matches it composed and decomposed, and any end of line where it has one. */
function literalSource(text: string): string {
  const [composed, decomposed] = [escaped(text.normalize('NFC')), escaped(text.normalize('NFD'))];
  return composed === decomposed ? composed : `(?:${composed}|${decomposed})`;
}

const escaped = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, '\\$&').replaceAll(/\r\n|\r|\n/gu, '(?:\\r\\n|\\r|\\n)');

/**
 * The stretches that an expression cannot match without. Only what stands outside groups and classes and is not optional
 * is taken, and nothing from an expression with alternatives; too few are harmless, one too many would hide a match.
 */
function expressionLiterals(source: string): string[] {
  const found: string[] = [];
  let run = '';
  let depth = 0;
  const close = () => {
    if (run !== '') found.push(run);
    run = '';
  };
  for (let at = 0; at < source.length; ) {
    const [atom, isLiteral] = atomAt(source, at);
    at += atom.length;
    if (atom === '|' && depth === 0) return [];
    if (atom === '(') depth++;
    if (atom === ')') depth--;
    const quantifier = /^(?:[*+?]|\{\d*,?\d*\})\??/u.exec(source.slice(at))?.[0] ?? '';
    at += quantifier.length;
    if (depth > 0 || !isLiteral) close();
    else if (quantifier === '') run += literalOf(atom);
    else {
      // `ab+` has "ab" for sure, and what follows it is not known to touch it.
      if (quantifier.startsWith('+')) run += literalOf(atom);
      close();
    }
  }
  close();
  return found;
}

/** One part of an expression, and whether it is a character that stands for itself. */
function atomAt(source: string, at: number): [string, boolean] {
  const rest = source.slice(at);
  const group = /^\[(?:\\[\s\S]|[^\]\\])*\]/u.exec(rest)?.[0];
  if (group !== undefined) return [group, false];
  const escapes = /^\\(?:p\{[^}]*\}|P\{[^}]*\}|u\{[^}]*\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|k<[^>]*>|c[a-zA-Z]|[\s\S])/u.exec(rest)?.[0];
  if (escapes !== undefined) return [escapes, /^\\[\^$\\.*+?()[\]{}|/-]$/u.test(escapes)];
  const character = String.fromCodePoint(source.codePointAt(at)!);
  return [character, !/[\^$.*+?()[\]{}|]/u.test(character)];
}

const literalOf = (atom: string) => (atom.startsWith('\\') ? atom.slice(1) : atom);

/** A stretch of a text that matches, in UTF-16 units, end exclusive. */
export interface Match {
  readonly start: number;
  readonly end: number;
}

/** The matches of a pattern in a text, in order, at most `limit`; an empty one is none. */
export function matchesIn({ expression }: SearchPattern, text: string, limit: number): Match[] {
  const found: Match[] = [];
  expression.lastIndex = 0;
  for (let match = expression.exec(text); match !== null && found.length < limit; match = expression.exec(text)) {
    if (match[0] === '') expression.lastIndex += (text.codePointAt(expression.lastIndex) ?? 0) > 0xffff ? 2 : 1;
    else found.push({ start: match.index, end: match.index + match[0].length });
    if (expression.lastIndex > text.length) break;
  }
  return found;
}

/**
 * What stands in place of a match: the replacement as it is, or for an expression with `$1`, `$<name>`, `$&` and `$$`
 * filled in. Matches are those of `matchesIn`.
 */
export function replacementFor(pattern: SearchPattern, isExpression: boolean, text: string, match: Match, replacement: string): string {
  if (!isExpression) return replacement;
  const { source, flags } = pattern.expression;
  const sticky = new RegExp(source, flags.replace('g', 'y'));
  sticky.lastIndex = match.start;
  const groups = sticky.exec(text);
  if (groups === null) return replacement;
  return replacement.replaceAll(/\$(?:\$|&|<([^>]*)>|(\d{1,2}))/gu, (whole, name?: string, number?: string) => {
    if (whole === '$$') return '$';
    if (whole === '$&') return groups[0];
    if (name !== undefined) return groups.groups?.[name] ?? '';
    return Number(number) < groups.length ? (groups[Number(number)] ?? '') : whole;
  });
}
