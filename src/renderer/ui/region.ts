import { EditorView } from '@codemirror/view';

/** The parts of the window between which F6 goes, in their order. An element with this attribute is one. */
const attribute = 'data-region';

/** What gets the focus in a part, before all the text; the page has the editor also while only the reading view is seen. */
const wanted = ['.cm-content', '[tabindex="0"], button:not([disabled]), input, a[href]'];

/** Takes the focus `by` parts of the window further, round in a circle; parts that are not shown are left out. */
export function stepRegion(by: number): void {
  const regions = [...document.querySelectorAll<HTMLElement>(`[${attribute}]`)].filter((region) => region.offsetParent !== null);
  // A part may stand in another: the inner one is meant.
  const at = regions.findLastIndex((region) => region.contains(document.activeElement));
  const next = regions[(at + by + regions.length) % regions.length];
  if (next === undefined) return;
  const target =
    wanted.flatMap((kind) => [...next.querySelectorAll<HTMLElement>(kind)]).find((element) => element.offsetParent !== null) ?? next;
  // By its own way an editor keeps its cursor: the browser's puts it at the beginning of the text where it says so late.
  (EditorView.findFromDOM(target) ?? target).focus();
}
