import { focusPageNow, type Studio } from './studio.ts';

/** Runs what follows a box once the box has given the focus back: it does so in the next frame. */
export const afterBox = (act: () => void): void => void requestAnimationFrame(() => setTimeout(act));

/**
 * Gives the focus back to what had it before anything lay over the window, where no box did so itself: a box that followed another
 * one only knows that other. What is gone has its place taken by the page. The answer stops it.
 */
export function returnFocus(studio: Studio): () => void {
  let before: HTMLElement | null = null;
  return studio.view.store.subscribe(({ asking }, was) => {
    if (asking === was.asking) return;
    const focused = focusedNow();
    if (asking === null) afterBox(() => giveBack(studio, before));
    else if (was.asking === null && focused !== null) before = focused;
  });
}

function giveBack(studio: Studio, before: HTMLElement | null): void {
  const { asking, route } = studio.view.store.getState();
  if (asking !== null || focusedNow() !== null) return;
  before?.focus();
  if (focusedNow() === null && route === 'editor') focusPageNow(studio);
}

function focusedNow(): HTMLElement | null {
  const { activeElement, body } = document;
  return activeElement instanceof HTMLElement && activeElement !== body ? activeElement : null;
}
