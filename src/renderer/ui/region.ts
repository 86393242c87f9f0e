/** The parts of the window between which F6 goes, in their order. An element with this attribute is one. */
const attribute = 'data-region';

/** Takes the focus `by` parts of the window further, round in a circle; parts that are not shown are left out. */
export function stepRegion(by: number): void {
  const regions = [...document.querySelectorAll<HTMLElement>(`[${attribute}]`)].filter((region) => region.offsetParent !== null);
  // A part may stand in another: the inner one is meant.
  const at = regions.findLastIndex((region) => region.contains(document.activeElement));
  const next = regions[(at + by + regions.length) % regions.length];
  if (next === undefined) return;
  const inside = next.querySelector<HTMLElement>('.cm-content, [tabindex="0"], button:not([disabled]), input, a[href]');
  (inside ?? next).focus();
}
