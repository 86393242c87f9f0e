/** How escapes of a language are read. */
export interface Escapes {
  /** Letters after a backslash that stand for a character. */
  readonly escapes: Readonly<Record<string, string>>;
  /** What any other character after a backslash means: that character, or both. */
  readonly unknown: 'itself' | 'both';
}

const escapeSequence = /\\(?:u\{([0-9a-fA-F_]+)\}|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|x([0-9a-fA-F]{2})|([0-7]{1,3})|(\r\n|[\s\S]))/gu;

/** The value of the text between the quotes of a literal: escapes read, a line break after a backslash left out. */
export function cook(text: string, { escapes, unknown }: Escapes): string {
  if (!text.includes('\\')) return text;
  return text.replaceAll(escapeSequence, (all, braced, four, eight, two, octal, letter: string) => {
    const hex: string | undefined = braced?.replaceAll('_', '') ?? four ?? eight ?? two;
    if (hex !== undefined) return character(Number.parseInt(hex, 16), all);
    if (octal !== undefined) return character(Number.parseInt(octal, 8), all);
    if (/^[\r\n\u2028\u2029]/u.test(letter)) return '';
    const known = escapes[letter];
    if (known !== undefined) return known;
    return unknown === 'itself' || /["'`\\]/u.test(letter) ? letter : all;
  });
}

const character = (code: number, otherwise: string): string => (code <= 0x10ffff ? String.fromCodePoint(code) : otherwise);

/** Without the indentation that all lines share, as text blocks are read; lines of white space alone do not count. */
export function withoutIndentation(text: string): string {
  const lines = text.split(/\r\n|\n|\r/u);
  const shared = Math.min(...lines.filter((line) => line.trim() !== '').map((line) => /^[ \t]*/u.exec(line)?.[0].length ?? 0));
  return lines.map((line) => (line.trim() === '' ? '' : line.slice(shared))).join('\n');
}
