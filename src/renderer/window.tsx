import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { hearRevisions } from '#renderer/breakdown/navigation.ts';
import { type Connection, desktop } from '#renderer/connection.ts';
import { transact } from '#renderer/editor/buffer.ts';
import { reword } from '#renderer/editor/setup.ts';
import { hearKeys } from '#renderer/palette/keyboard.ts';
import { followPreferences, recallTheme } from '#renderer/settings/effect.ts';
import { App, followRoute, routeOf } from '#renderer/ui/app.tsx';
import { rememberBeginning } from '#renderer/ui/beginning.ts';
import { hearDrops } from '#renderer/ui/dropped.ts';
import { hearElsewhere } from '#renderer/ui/elsewhere.ts';
import { followNeighbours } from '#renderer/ui/neighbourhood.ts';
import { forgetTaken, leftSessions, takeUpLeft } from '#renderer/ui/recovery.ts';
import { followShell, followSystem, followTitle, keepUnsaved } from '#renderer/ui/shell.ts';
import { started } from '#renderer/ui/start.ts';
import { createStudio, type Studio } from '#renderer/ui/studio.ts';
import { openAddressed } from '#renderer/ui/target.ts';
import { chooseLocale, locale, say } from '#renderer/words.ts';

/** How long what the window begins with is waited for before the window is shown without it, in ms. */
const patience = 120;
/** How long the rest of the window waits for it, in ms: core may be slow, and the files are of use without it. */
const longPatience = 600;
const after = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/** Starts the window over a connection: settings, then what is seen. */
export async function start(connection: Connection): Promise<void> {
  recallTheme();
  chooseLocale('system');
  const studio = createStudio(connection, routeOf(location));
  const bridge = desktop();
  // Asked first: what was left decides what is shown.
  const left = studio.journal === null ? Promise.resolve([]) : leftSessions(studio);
  await studio.preferences.read();
  followPreferences(studio.preferences);
  locale.subscribe(() => {
    for (const buffer of studio.documents.buffers()) transact(buffer, { effects: reword(say) });
  });
  followNeighbours(studio);
  void studio.workspace.list();
  hearKeys(studio);
  hearElsewhere(studio);
  hearRevisions(studio.connection);
  followRoute(studio);
  followTitle(studio);
  rememberBeginning(studio);
  keepUnsaved(studio, bridge);
  if (studio.journal !== null) document.addEventListener('scroll', studio.journal.changed, { capture: true, passive: true });
  if (bridge !== null) followShell(studio, bridge);
  hearDrops(studio);
  const taken = begin(studio, left);
  await Promise.race([taken, after(patience)]);
  // At once, so that there is a place for the focus when it is given.
  flushSync(() => createRoot(document.getElementById('root')!).render(<App studio={studio} />));
  void Promise.race([taken, after(longPatience)]).finally(started);
  if (studio.journal !== null) await forgetTaken(studio, studio.journal, await taken);
  // What was left is listed by now: for whoever drives the window from outside.
  document.documentElement.dataset.started = '';
  if (bridge !== null && studio.journal !== null) followSystem(studio, bridge);
  void studio.connection.call('folders/opened', {}).catch(() => null);
}

/** Opens what the window begins with: what was left, and the document that its address asks for. */
async function begin(studio: Studio, left: ReturnType<typeof leftSessions>): ReturnType<typeof takeUpLeft> {
  const taken = await takeUpLeft(studio, await left);
  await openAddressed(studio);
  return taken;
}
