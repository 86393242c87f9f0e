import './tokens.css';
import './base.css';
import './window.css';
import { createRoot } from 'react-dom/client';
import { hearRevisions } from '#renderer/breakdown/navigation.ts';
import { desktop, openConnection } from '#renderer/connection.ts';
import { transact } from '#renderer/editor/buffer.ts';
import { reword } from '#renderer/editor/setup.ts';
import { hearKeys } from '#renderer/palette/keyboard.ts';
import { followPreferences, recallTheme } from '#renderer/settings/effect.ts';
import { App, followRoute, routeOf } from '#renderer/ui/app.tsx';
import { rememberBeginning } from '#renderer/ui/beginning.ts';
import { hearDrops } from '#renderer/ui/dropped.ts';
import { hearElsewhere } from '#renderer/ui/elsewhere.ts';
import { followNeighbours } from '#renderer/ui/neighbourhood.ts';
import { recoverLeft } from '#renderer/ui/recovery.ts';
import { followShell, followSystem, followTitle, keepUnsaved } from '#renderer/ui/shell.ts';
import { createStudio } from '#renderer/ui/studio.ts';
import { openAddressed } from '#renderer/ui/target.ts';
import { chooseLocale, locale, say } from '#renderer/words.ts';

/** Starts the window: connection, settings, then what is seen. */
async function start(): Promise<void> {
  recallTheme();
  chooseLocale('system');
  const studio = createStudio(await openConnection(), routeOf(location));
  const bridge = desktop();
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
  if (bridge !== null) followShell(studio, bridge);
  hearDrops(studio);
  createRoot(document.getElementById('root')!).render(<App studio={studio} />);
  if (studio.journal !== null) await recoverLeft(studio, studio.journal);
  // What was left is listed by now: for whoever drives the window from outside.
  document.documentElement.dataset.started = '';
  openAddressed(studio);
  if (bridge !== null && studio.journal !== null) followSystem(studio, bridge);
  void studio.connection.call('folders/opened', {}).catch(() => null);
}

void start();
