import { useStore } from 'zustand';
import { topOfBuffer } from '#renderer/editor/mode.ts';
import { say } from '#renderer/words.ts';
import { drawnTo, type Mode, modeAtFirst, modeOf } from './mode.ts';
import { focusPage, type Studio, usePreference, useStudio } from './studio.ts';

/** Shows the document in front in a mode, at the same place. One that is shown so already goes back to what it was edited as. */
export function showAs(studio: Studio, mode: Mode): void {
  const path = studio.documents.tabs.getState().active;
  const buffer = path === null ? undefined : studio.documents.bufferOf(path);
  if (path === null || buffer === undefined) return;
  const now = modeOf(studio, path);
  const before = studio.modes.store.getState().chosen[path]?.before ?? 'live';
  const next = now === mode ? (before === mode ? 'live' : before) : mode;
  if (next !== 'source' && buffer.state.doc.length > drawnTo) {
    studio.view.notify(say('mode.too-long'));
    return;
  }
  const place = now === 'reading' ? (studio.reader?.top() ?? 0) : topOfBuffer(buffer);
  studio.modes.choose(path, { mode: next, before: now === 'live' || now === 'source' ? now : before }, place);
  studio.view.announce(say(`mode.${next}`));
  focusPage(studio);
}

/** How a document of a length is shown; follows the writer's choice and the setting. */
export function useMode(path: string | null, length: number): Mode {
  const studio = useStudio();
  const preferred = usePreference('editor.mode');
  const chosen = useStore(studio.modes.store, ({ chosen }) => (path === null ? undefined : chosen[path]?.mode));
  return chosen ?? modeAtFirst(preferred, length);
}
