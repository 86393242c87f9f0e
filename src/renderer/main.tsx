import './tokens.css';
import './base.css';
import './window.css';
import { askAhead, openConnection } from '#renderer/connection.ts';

// Core is asked while the window is still being loaded: of all modules only this one and the connection are needed for that.
const wanted = new URLSearchParams(location.search).get('open');
const connection = openConnection().then((open) =>
  askAhead(open, [
    ['settings/read', {}],
    ['journal/list', {}],
    ...(wanted === null || wanted === '' ? [] : ([['document/open', { path: wanted }]] as const)),
  ]),
);
void import('./window.tsx').then(async ({ start }) => start(await connection));
