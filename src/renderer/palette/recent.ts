import { type CommandId, isCommandId } from '#protocol/commands';

const key = 'stemma.recent-commands';
const most = 8;

/** The commands that were chosen last in the palette, newest first; for this browser or program. */
export function recentCommands(storage: Pick<Storage, 'getItem'> = localStorage): readonly CommandId[] {
  return (storage.getItem(key) ?? '').split(' ').filter(isCommandId);
}

/** Keeps a command as the one that was chosen last. */
export function remember(id: CommandId, storage: Pick<Storage, 'getItem' | 'setItem'> = localStorage): void {
  const others = recentCommands(storage).filter((other) => other !== id);
  storage.setItem(key, [id, ...others].slice(0, most).join(' '));
}
