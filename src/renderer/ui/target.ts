import { addressOf } from '#renderer/connection.ts';
import type { Studio } from './studio.ts';

/** Opens the document that the address of the page asks for (`?open=PATH`), and takes the wish out of the address. */
export function openAddressed({ documents, view }: Studio): void {
  const path = new URLSearchParams(location.search).get('open');
  if (path === null || path === '' || view.store.getState().route !== 'editor') return;
  history.replaceState(null, '', addressOf('/'));
  void documents.open(path);
}
