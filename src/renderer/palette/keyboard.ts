import { commands, keysOf } from '#protocol/commands';
import type { Studio } from '#renderer/ui/studio.ts';
import { isPressed } from './keys.ts';
import { canRun, runCommand } from './run.ts';

/** Hears the keys of the commands in the whole window, before the editor does; the answer stops hearing. */
export function hearKeys(studio: Studio, target: Window = window): () => void {
  const system = studio.isMac ? 'mac' : 'other';
  const hear = (event: KeyboardEvent) => {
    if (event.isComposing || event.defaultPrevented) return;
    const command = commands.find((known) => keysOf(known, system).some((key) => isPressed(key, event, studio.isMac)));
    if (command === undefined || !isFor(studio, command.id, event)) return;
    event.preventDefault();
    event.stopPropagation();
    if (canRun(studio, command.id)) runCommand(studio, command.id);
  };
  target.addEventListener('keydown', hear, { capture: true });
  return () => target.removeEventListener('keydown', hear, { capture: true });
}

/** While something waits for an answer, or in a field, editing keys are that one's own; in the breakdown only the window's commands act. */
function isFor(studio: Studio, id: string, { target }: KeyboardEvent): boolean {
  const { asking, route } = studio.view.store.getState();
  const isEditing = id.startsWith('edit.') || id.startsWith('format.');
  if (asking !== null && asking.kind !== 'palette') return false;
  if (!isEditing) return route === 'editor' || id.startsWith('window.') || id === 'view.theme';
  const element = target as HTMLElement | null;
  const isField = element?.closest('input, textarea, select') !== null && element?.closest('.cm-find') === null;
  if (id === 'edit.undo' || id === 'edit.redo') return element?.closest('.cm-content') !== null;
  return asking === null && route === 'editor' && !isField;
}
