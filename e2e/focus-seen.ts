/** Runs in the page: `seen` where an outline is drawn around what has the focus, or a caret in the text; else what is wrong. */
export function focusSeen(): string {
  const focused = document.activeElement;
  if (focused === null || focused === document.body) return 'nothing has the focus';
  const caret = focused.closest('.cm-editor')?.querySelector('.cm-cursor-primary')?.getBoundingClientRect();
  if (focused.matches('.cm-content') && caret !== undefined && caret.height > 0) return 'seen';
  for (let element: Element | null = focused; element !== null && element !== document.body; element = element.parentElement) {
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    if (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0) return 'seen';
  }
  return `no focus is seen on ${focused.outerHTML.slice(0, 120)}`;
}
