import style from './export.css?inline';

/** A page that stands alone. `language` and `title` as HTML says them; `font` and `measure` as CSS does. */
export interface Standalone {
  readonly title: string;
  readonly language: string;
  readonly font: string;
  readonly measure: string;
  /** Elements as HTML, with nothing in them that is loaded or run. */
  readonly body: string;
}

/** What the page may load: nothing but what it holds itself, wherever it is opened. */
const policy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'";

/** A whole HTML page in one file: its styles are in it, it runs nothing, and it asks no other place for anything. */
export function standalone({ title, language, font, measure, body }: Standalone): string {
  const root = `:root{--page:${font};--measure:${measure}}`;
  return [
    '<!DOCTYPE html>',
    `<html lang="${escaped(language)}">`,
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="generator" content="Stemma">',
    `<title>${escaped(title)}</title>`,
    `<style>\n${root}\n${style.trim()}\n</style>`,
    '</head>',
    `<body>\n${body}\n</body>`,
    '</html>',
    '',
  ].join('\n');
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
