/** What a piece of text is, for terminals that show colours; colour never carries a meaning alone. */
export type Style = 'heading' | 'quiet' | 'good' | 'attention' | 'wrong' | 'mark';

/** Colours a text that is already safe to print, or leaves it as it is. */
export type Ink = (style: Style, text: string) => string;

const codes: Readonly<Record<Style, readonly [on: number, off: number]>> = {
  heading: [1, 22],
  quiet: [2, 22],
  good: [32, 39],
  attention: [33, 39],
  wrong: [31, 39],
  mark: [36, 39],
};

/** No colours: for files, pipes and people who want none. */
export const plainInk: Ink = (_, text) => text;

/** Colours of the terminal's own palette. */
export const colouredInk: Ink = (style, text) => (text === '' ? '' : `\u001b[${codes[style][0]}m${text}\u001b[${codes[style][1]}m`);

/** Colours on a terminal that has them; NO_COLOR (non-empty) and TERM=dumb are respected. */
export function inkFor(isTerminal: boolean, env: Readonly<Record<string, string | undefined>>): Ink {
  return isTerminal && !env.NO_COLOR && env.TERM !== 'dumb' ? colouredInk : plainInk;
}
