import { gfm } from '@joplin/turndown-plugin-gfm';
import TurndownService from 'turndown';
import { unwrapOffice } from './office-html.ts';

/** What makes HTML worth reading: without any of these the plain text says as much. */
const meant =
  'a[href], b, strong, i, em, h1, h2, h3, h4, h5, h6, ul, ol, table, blockquote, pre, code, img, hr, del, s, mark, dl, sup, sub';

/** The Markdown of HTML from the clipboard; null where it holds nothing but looks, so that the plain text is better. */
export function markdownOf(html: string): string | null {
  // A document that is not shown: it runs nothing and loads nothing.
  const page = new DOMParser().parseFromString(html, 'text/html');
  for (const dead of page.querySelectorAll('script, style, meta, link, title, template, noscript, head, button, svg')) dead.remove();
  unwrapOffice(page.body);
  for (const table of page.querySelectorAll('table')) giveHead(table);
  for (const picture of page.querySelectorAll('img')) {
    if (!/^https?:/i.test(picture.getAttribute('src') ?? '')) picture.replaceWith(picture.alt);
  }
  for (const link of page.querySelectorAll('a')) {
    if (!/^(https?:|mailto:|#)/i.test(link.getAttribute('href') ?? '')) link.replaceWith(...link.childNodes);
  }
  if (page.querySelector(meant) === null) return null;
  const text = service
    .turndown(page.body)
    .replaceAll('\u00a0', ' ')
    .replaceAll(/[ \t]+$/gm, '');
  return text.trim() === '' ? null : text;
}

/** A table of Markdown has a head: where none is said, it is the first row. */
function giveHead(table: HTMLTableElement): void {
  if (table.querySelector('th') !== null) return;
  for (const cell of [...(table.rows[0]?.cells ?? [])]) {
    const head = cell.ownerDocument.createElement('th');
    head.append(...cell.childNodes);
    cell.replaceWith(head);
  }
}

const service = new TurndownService({
  headingStyle: 'atx',
  hr: '---',
  bulletListMarker: '-',
  codeBlockStyle: 'fenced',
  emDelimiter: '*',
  strongDelimiter: '**',
});
service.use(gfm);
service.addRule('item', {
  filter: 'li',
  replacement(content, node) {
    const list = node.parentNode as HTMLElement;
    const start = Number(list.getAttribute('start') ?? 1);
    const mark = list.nodeName === 'OL' ? `${start + [...list.children].indexOf(node as Element)}. ` : '- ';
    const text = content
      .trim()
      .replaceAll(/\n(?=.)/g, `\n${' '.repeat(mark.length)}`)
      .replaceAll(/\n{2,}(?=\s*(?:-|\d+\.) )/g, '\n');
    return `${mark}${text}${node.nextSibling === null ? '' : '\n'}`;
  },
});
service.addRule('struck', { filter: ['del', 's'], replacement: (content) => (content === '' ? '' : `~~${content}~~`) });
service.addRule('marked', { filter: 'mark', replacement: (content) => (content === '' ? '' : `==${content}==`) });
