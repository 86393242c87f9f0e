/**
 * Marks the footnotes of a page as those of a book (`epub:type`), which is how Pandoc tells them from lists: it makes notes at the foot of
 * a page of them. Changes a copy and answers it.
 */
export function withBookNotes(page: HTMLElement): HTMLElement {
  const copy = page.cloneNode(true) as HTMLElement;
  for (const link of copy.querySelectorAll('a[data-footnote-ref]')) {
    link.setAttribute('epub:type', 'noteref');
    // Pandoc raises the note itself.
    if (link.parentElement?.tagName === 'SUP') link.parentElement.replaceWith(link);
  }
  for (const section of copy.querySelectorAll('section[data-footnotes]')) {
    section.setAttribute('epub:type', 'footnotes');
    section.querySelector('h2')?.remove();
    for (const back of section.querySelectorAll('[data-footnote-backref]')) back.remove();
    const notes = [...section.querySelectorAll(':scope > ol > li')].map(asNote);
    section.replaceChildren(...notes);
  }
  return copy;
}

function asNote(item: Element): HTMLElement {
  const note = document.createElement('aside');
  note.setAttribute('epub:type', 'footnote');
  note.id = item.id;
  note.append(...item.childNodes);
  return note;
}
