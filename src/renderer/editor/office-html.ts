/** Makes plain HTML of what word processors put on the clipboard: lists that are paragraphs, emphasis that is a style, empty wrappers. */
export function unwrapOffice(body: HTMLElement): void {
  for (const node of [...body.querySelectorAll('*')]) {
    // `o:p`, `v:shape`, `w:sdt` and their like.
    if (node.tagName.includes(':')) node.replaceWith(...node.childNodes);
  }
  // Google Docs puts everything into a bold that is none.
  for (const wrapper of body.querySelectorAll<HTMLElement>('b[id^="docs-internal-guid"]')) wrapper.replaceWith(...wrapper.childNodes);
  for (const cell of body.querySelectorAll('td > p:only-child, th > p:only-child')) cell.replaceWith(...cell.childNodes);
  nameHeadings(body);
  buildLists(body);
  for (const span of [...body.querySelectorAll<HTMLElement>('span')]) emphasise(span);
}

function nameHeadings(body: HTMLElement): void {
  for (const paragraph of [...body.querySelectorAll<HTMLElement>('p.MsoTitle')]) rename(paragraph, 'h1');
  for (const paragraph of [...body.querySelectorAll<HTMLElement>('p.MsoQuote, p.MsoIntenseQuote')]) {
    const quote = document.createElement('blockquote');
    paragraph.replaceWith(quote);
    quote.append(paragraph);
  }
}

function rename(element: HTMLElement, name: string): void {
  const other = document.createElement(name);
  other.append(...element.childNodes);
  element.replaceWith(other);
}

const levelOf = (element: Element) => Number(/mso-list:\s*\S+\s+level(\d+)/i.exec(element.getAttribute('style') ?? '')?.[1] ?? 0);

/** Word writes an item as a paragraph that names its level, with its mark as a text to be ignored. */
function buildLists(body: HTMLElement): void {
  const lists: HTMLElement[] = [];
  for (const paragraph of [...body.querySelectorAll<HTMLElement>('p, h1, h2, h3, h4, h5, h6')]) {
    const level = levelOf(paragraph);
    if (level === 0 || !paragraph.tagName.startsWith('P')) {
      lists.length = 0;
      continue;
    }
    if (lists[0] !== undefined && !isNext(lists[0], paragraph)) lists.length = 0;
    const kind = takeMark(paragraph) ? 'ol' : 'ul';
    lists.length = Math.min(lists.length, level);
    while (lists.length < level) {
      const list = document.createElement(kind);
      const parent = lists.at(-1);
      if (parent === undefined) paragraph.before(list);
      else (parent.lastElementChild ?? parent.appendChild(document.createElement('li'))).append(list);
      lists.push(list);
    }
    const item = document.createElement('li');
    item.append(...paragraph.childNodes);
    lists.at(-1)!.append(item);
    paragraph.remove();
  }
}

function isNext(list: Element, paragraph: Element): boolean {
  return list.nextElementSibling === paragraph;
}

/** Takes the mark out of an item; answers whether it is a number or a letter. */
function takeMark(paragraph: HTMLElement): boolean {
  const marks = [...paragraph.querySelectorAll<HTMLElement>('span')].filter((span) =>
    /mso-list:\s*ignore/i.test(span.getAttribute('style') ?? ''),
  );
  const text = marks.map(({ textContent }) => textContent ?? '').join('');
  for (const mark of marks) mark.remove();
  return /^\s*\(?[\p{L}\p{N}]{1,5}[.)]/u.test(text);
}

function emphasise(span: HTMLElement): void {
  const { fontWeight, fontStyle, textDecoration, textDecorationLine } = span.style;
  const names = [
    ...(/^(bold|bolder|[6-9]00)$/.test(fontWeight) && !isIn(span, 'b, strong, h1, h2, h3, h4, h5, h6, th') ? ['strong'] : []),
    ...(fontStyle === 'italic' && !isIn(span, 'i, em') ? ['em'] : []),
    ...(/line-through/.test(`${textDecoration} ${textDecorationLine}`) ? ['del'] : []),
  ];
  if (span.textContent?.trim() === '') names.length = 0;
  let inner: Node[] = [...span.childNodes];
  for (const name of names) {
    const element = document.createElement(name);
    element.append(...inner);
    inner = [element];
  }
  span.replaceWith(...inner);
}

const isIn = (element: Element, selector: string) => element.parentElement?.closest(selector) != null;
