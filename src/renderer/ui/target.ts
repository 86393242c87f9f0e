import { addressOf } from '#renderer/connection.ts';
import type { Studio } from './studio.ts';

/** Opens the document that the address of the page asks for (`?open=PATH`), and takes the wish out of the address. Settled when it is open. */
export async function openAddressed({ documents, view }: Studio): Promise<void> {
  const path = new URLSearchParams(location.search).get('open');
  if (path === null || path === '' || view.store.getState().route !== 'editor') return;
  history.replaceState(null, '', addressOf('/'));
  await documents.open(path);
}
