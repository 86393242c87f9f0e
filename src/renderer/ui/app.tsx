import { useMemo } from 'react';
import { I18nProvider } from 'react-aria-components/I18nProvider';
import { addressOf, desktop } from '#renderer/connection.ts';
import { type Session, SessionContext } from '#renderer/session.ts';
import { useLocale, useWords } from '#renderer/words.ts';
import { BreakdownRoute } from './breakdown-route.tsx';
import { Dialogs } from './dialogs.tsx';
import { Editor } from './editor.tsx';
import { openAt, openElsewhere } from './elsewhere.ts';
import { type Studio, StudioContext, useView } from './studio.ts';

/** The window: the editor or the breakdown, what lies over them, and what screen readers are told. */
export function App({ studio }: { readonly studio: Studio }) {
  const session = useMemo(() => sessionOf(studio), [studio]);
  return (
    <I18nProvider locale={useLocale()}>
      <StudioContext value={studio}>
        <SessionContext value={session}>
          <Routes />
          <Dialogs />
          <Announcer />
        </SessionContext>
      </StudioContext>
    </I18nProvider>
  );
}

/** In a browser the editor stays behind the breakdown, so that it is as it was left; in Electron each has a window of its own. */
function Routes() {
  const route = useView((view) => view.route);
  const isEditor = route === 'editor';
  return (
    <>
      {(isEditor || desktop() === null) && (
        <div className="route" hidden={!isEditor}>
          <Editor />
        </div>
      )}
      {!isEditor && <BreakdownRoute />}
    </>
  );
}

/** Both of two equal sentences must be read, so they change places. */
function Announcer() {
  const words = useWords();
  const { sentence, turn } = useView((view) => view.said);
  return (
    <section className="unseen" aria-label={words('said.region')}>
      <p role="status">{turn % 2 === 0 ? sentence : ''}</p>
      <p role="status">{turn % 2 === 1 ? sentence : ''}</p>
    </section>
  );
}

function sessionOf(studio: Studio): Session {
  const { view, connection } = studio;
  return {
    connection,
    announce: view.announce,
    openDocument(path, line) {
      if (desktop() !== null && view.store.getState().route === 'breakdown') return openElsewhere(studio, path, line);
      view.go('editor');
      void openAt(studio, path, line);
    },
    openBreakdown() {
      const bridge = desktop();
      if (bridge !== null) bridge.shellCommand('window.coherence-breakdown');
      else view.go('breakdown');
    },
  };
}

/** Keeps the address in step with the route, and the route with the address; for the browser only. */
export function followRoute({ view }: Studio): void {
  if (desktop() !== null) return;
  view.store.subscribe(({ route }, before) => {
    if (route === before.route || routeOf(location) === route) return;
    history.pushState(null, '', addressOf(route === 'breakdown' ? '/breakdown' : '/'));
  });
  addEventListener('popstate', () => view.go(routeOf(location)));
}

/** The route that an address names. */
export const routeOf = ({ pathname, hash }: Location): 'editor' | 'breakdown' =>
  pathname === '/breakdown' || hash === '#/breakdown' ? 'breakdown' : 'editor';
