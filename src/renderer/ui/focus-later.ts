import type { ViewStore } from './view.ts';

/** How long what was asked for may take until it is shown, in ms. */
const shown = 30;

/**
 * Gives the focus to a part of the window once what was asked for is shown in it. What lies over the window by then keeps it: what is typed into a
 * question that has just come must not stand in the text.
 */
export function focusLater({ store }: Pick<ViewStore, 'store'>, focus: () => void): void {
  setTimeout(() => store.getState().asking === null && focus(), shown);
}
