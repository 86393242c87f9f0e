import type { CommandId } from '#protocol/commands';
import type { Studio } from '#renderer/ui/studio.ts';
import { isPressed } from './keys.ts';
import { runCommand } from './run.ts';

/** Hears the keys of the commands in the whole window, before the editor does; the answer stops hearing. */
export function hearKeys(studio: Studio, target: Window = window): () => void {
  const hear = (event: KeyboardEvent) => {
    if (event.isComposing || event.defaultPrevented) return;
    const { keymap } = studio.preferences.keys.getState();
    const id = [...keymap.keys()].find((known) => keymap.get(known)!.some((key) => isPressed(key, event, studio.isMac)));
    if (id === undefined) return;
    const turn = turnOf(studio, id, event);
    if (turn === 'left') return;
    event.preventDefault();
    event.stopPropagation();
    if (turn === 'done') runCommand(studio, id);
  };
  target.addEventListener('keydown', hear, { capture: true });
  return () => target.removeEventListener('keydown', hear, { capture: true });
}

/**
 * What becomes of a key: the command is done; it is kept from the browser, while something waits for an answer or another part is shown; or
 * it is left to whatever has the focus, as editing keys are in a field.
 */
function turnOf(studio: Studio, id: CommandId, { target }: KeyboardEvent): 'done' | 'kept' | 'left' {
  const { asking, route } = studio.view.store.getState();
  const isOver = asking !== null && asking.kind !== 'palette';
  const element = target as HTMLElement | null;
  if (id !== 'edit.spelling' && (id.startsWith('edit.') || id.startsWith('format.'))) {
    const isInText = element?.closest('.cm-content') != null;
    const isInField = element?.closest('input, textarea, select') != null && element.closest('.cm-find') === null;
    // A comparison has an editor of its own.
    if (asking !== null || route !== 'editor' || isInField || element?.closest('.compare, .reading') != null) return 'left';
    return isInText || /^(format|edit\.(find|replace))/.test(id) ? 'done' : 'left';
  }
  if (isOver) return 'kept';
  return route === 'editor' || id.startsWith('window.') || id === 'view.theme' ? 'done' : 'kept';
}
