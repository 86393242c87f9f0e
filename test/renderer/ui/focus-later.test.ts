import { expect, it, vi } from 'vitest';
import { focusLater } from '#renderer/ui/focus-later.ts';
import { createView } from '#renderer/ui/view.ts';

it('gives the page the focus, but not under a question that came meanwhile', async () => {
  const view = createView('editor');
  const given: string[] = [];
  focusLater(view, () => given.push('nothing over it'));
  await vi.waitFor(() => expect(given).toEqual(['nothing over it']));
  focusLater(view, () => given.push('under a question'));
  view.ask({ kind: 'palette', text: '' });
  // Timers of one delay run in their order: behind this one the one above has run.
  const { promise, resolve } = Promise.withResolvers<void>();
  setTimeout(resolve, 30);
  await promise;
  expect(given).toEqual(['nothing over it']);
  view.answered();
  focusLater(view, () => given.push('answered'));
  await vi.waitFor(() => expect(given).toEqual(['nothing over it', 'answered']));
});
