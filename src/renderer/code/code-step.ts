import type { KeyboardEvent } from 'react';

/** Moves the focus among all rows of the page, over the border between those about sources and those about code. */
export function stepAmongRows(event: KeyboardEvent<HTMLElement>): void {
  const by = event.key === 'j' || event.key === 'ArrowDown' ? 1 : event.key === 'k' || event.key === 'ArrowUp' ? -1 : 0;
  if (by === 0 || event.ctrlKey || event.metaKey || event.altKey) return;
  const lines = [...document.querySelectorAll<HTMLElement>('.bd-main .bd-head')];
  const next = lines[lines.findIndex((line) => line.closest('.bd-row') === event.currentTarget) + by];
  event.preventDefault();
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}

/** From the last row about a source on, the next one is the first about code. Answers whether there is one. */
export function stepIntoCode(): boolean {
  const first = document.querySelector<HTMLElement>('.code-rows .bd-head');
  first?.focus();
  first?.scrollIntoView({ block: 'nearest' });
  return first !== null;
}
