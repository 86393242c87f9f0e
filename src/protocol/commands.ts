import en from './commands/en.json' with { type: 'json' };
import es from './commands/es.json' with { type: 'json' };

/** The menus of the window, in their order. */
export const menus = ['file', 'edit', 'format', 'view', 'window', 'help'] as const;
/** A menu of the window. */
export type Menu = (typeof menus)[number];

/** What a command needs to be able to act: nothing, a document in front, one that is a file, or a tab that was closed. */
export type Need = 'nothing' | 'document' | 'file' | 'closed-tab';

/**
 * One thing that a person can ask of the window. `keys` are the same everywhere unless `mac` says otherwise: `Mod` is Command on macOS and
 * Control elsewhere, the first one is shown, the others are for where a browser keeps it. None is Ctrl+Alt+letter, which types on many
 * layouts. `group` parts a menu by lines; null: not in a menu.
 */
export interface Command {
  readonly id: CommandId;
  readonly keys: readonly string[];
  readonly mac?: readonly string[];
  readonly menu: Menu | null;
  readonly group: number;
  readonly needs: Need;
}

/** The stable name of a command. */
export type CommandId = keyof typeof en.commands;

const command = (id: CommandId, menu: Menu | null, group: number, needs: Need, keys: string[], mac?: string[]): Command =>
  mac === undefined ? { id, keys, menu, group, needs } : { id, keys, mac, menu, group, needs };

/** Every command, in the order of its menu. */
export const commands: readonly Command[] = [
  command('file.new', 'file', 0, 'nothing', ['Mod+N', 'Alt+Shift+N'], ['Mod+N', 'Ctrl+Shift+N']),
  command('file.new-named', 'file', 0, 'nothing', ['Alt+Shift+U'], ['Ctrl+Shift+U']),
  command('file.open-folder', 'file', 0, 'nothing', ['Mod+Shift+O']),
  command('file.open-recent', 'file', 0, 'nothing', ['Alt+Shift+D'], ['Ctrl+Shift+D']),
  command('go.quick-open', 'file', 0, 'nothing', ['Mod+P']),
  command('file.save', 'file', 1, 'document', ['Mod+S']),
  command('file.save-copy', 'file', 1, 'document', ['Mod+Shift+S']),
  command('file.format', 'file', 1, 'document', []),
  command('file.breaks-lf', null, 0, 'document', []),
  command('file.breaks-crlf', null, 0, 'document', []),
  command('file.byte-order-mark', null, 0, 'document', []),
  command('file.final-newline', null, 0, 'document', []),
  command('file.export', 'file', 1, 'nothing', ['Alt+Shift+X'], ['Ctrl+Shift+X']),
  command('file.print', 'file', 1, 'document', ['Alt+Shift+P'], ['Mod+Alt+P']),
  command('file.close-tab', 'file', 2, 'document', ['Mod+W', 'Alt+Shift+W'], ['Mod+W', 'Ctrl+Shift+W']),
  command('file.close-others', 'file', 2, 'document', ['Alt+Shift+Q'], ['Ctrl+Shift+Q']),
  command('file.close-right', 'file', 2, 'document', ['Alt+Shift+R'], ['Ctrl+Shift+R']),
  command('file.pin-tab', 'file', 2, 'document', ['Alt+Shift+K'], ['Ctrl+Shift+K']),
  command('file.reopen-closed', 'file', 2, 'closed-tab', ['Mod+Shift+T', 'Alt+Shift+T'], ['Mod+Shift+T', 'Ctrl+Shift+T']),
  command('file.history', 'file', 2, 'file', ['Alt+Shift+V'], ['Ctrl+Shift+V']),
  command('file.recovered', 'file', 2, 'nothing', []),
  command('file.stop-tracking', null, 0, 'nothing', []),
  command('app.settings', 'file', 3, 'nothing', ['Mod+,']),
  command('app.repositories', 'file', 3, 'nothing', []),
  command('edit.undo', 'edit', 0, 'document', ['Mod+Z']),
  command('edit.redo', 'edit', 0, 'document', ['Mod+Y', 'Mod+Shift+Z'], ['Mod+Shift+Z']),
  command('edit.copy-html', 'edit', 0, 'document', ['Alt+Shift+H'], ['Ctrl+Shift+H']),
  command('edit.find', 'edit', 1, 'document', ['Mod+F']),
  command('edit.replace', 'edit', 1, 'document', ['Mod+H'], ['Mod+Alt+F']),
  command('go.search', 'edit', 1, 'nothing', ['Mod+Shift+F']),
  command('edit.find-next', 'edit', 1, 'document', ['F3', 'Mod+G']),
  command('edit.find-previous', 'edit', 1, 'document', ['Shift+F3', 'Mod+Shift+G']),
  command('edit.select-next', 'edit', 2, 'document', ['Mod+D']),
  command('edit.select-all-matches', 'edit', 2, 'document', []),
  command('edit.cursor-above', 'edit', 2, 'document', ['Mod+Shift+ArrowUp'], ['Mod+Alt+ArrowUp']),
  command('edit.cursor-below', 'edit', 2, 'document', ['Mod+Shift+ArrowDown'], ['Mod+Alt+ArrowDown']),
  command('edit.move-line-up', 'edit', 3, 'document', ['Alt+ArrowUp']),
  command('edit.move-line-down', 'edit', 3, 'document', ['Alt+ArrowDown']),
  command('edit.duplicate-line-up', 'edit', 3, 'document', ['Alt+Shift+ArrowUp']),
  command('edit.duplicate-line-down', 'edit', 3, 'document', ['Alt+Shift+ArrowDown']),
  command('edit.join-lines', 'edit', 3, 'document', ['Alt+J'], ['Ctrl+J']),
  command('edit.delete-line', 'edit', 3, 'document', ['Mod+Shift+K']),
  command('edit.upper-case', 'edit', 4, 'document', []),
  command('edit.lower-case', 'edit', 4, 'document', []),
  command('edit.title-case', 'edit', 4, 'document', []),
  command('edit.spelling', 'edit', 4, 'nothing', []),
  command('edit.symbol', 'edit', 4, 'document', ['Alt+Shift+S'], ['Ctrl+Shift+S']),
  command('go.line', 'edit', 5, 'document', ['Alt+G'], ['Ctrl+G']),
  command('go.heading', 'edit', 5, 'document', ['Alt+Shift+G'], ['Ctrl+Shift+G']),
  command('document.anchor', 'edit', 6, 'document', []),
  command('document.pair', 'edit', 6, 'document', []),
  command('ai.ask', 'edit', 6, 'document', ['Mod+J', 'Alt+Shift+A'], ['Mod+J', 'Ctrl+Shift+A']),
  command('ai.next', 'edit', 6, 'document', ['Alt+.'], ['Ctrl+.']),
  command('ai.previous', 'edit', 6, 'document', ['Alt+,'], ['Ctrl+,']),
  command('ai.accept', 'edit', 6, 'document', ['Alt+Enter'], ['Ctrl+Enter']),
  command('ai.reject', 'edit', 6, 'document', ['Alt+Backspace'], ['Ctrl+Backspace']),
  command('ai.accept-all', 'edit', 6, 'document', ['Alt+Shift+Enter'], ['Ctrl+Shift+Enter']),
  command('ai.reject-all', 'edit', 6, 'document', ['Alt+Shift+Backspace'], ['Ctrl+Shift+Backspace']),
  command('ai.cancel', 'edit', 6, 'nothing', []),
  command('format.bold', 'format', 0, 'document', ['Mod+B']),
  command('format.italic', 'format', 0, 'document', ['Mod+I']),
  command('format.strike', 'format', 0, 'document', ['Mod+Shift+X']),
  command('format.highlight', 'format', 0, 'document', ['Mod+Shift+H']),
  command('format.code', 'format', 0, 'document', ['Mod+Shift+`', 'Alt+Shift+C'], ['Mod+Shift+`', 'Ctrl+Shift+C']),
  command('format.link', 'format', 0, 'document', ['Mod+K']),
  command('format.heading-1', 'format', 1, 'document', ['Mod+1']),
  command('format.heading-2', 'format', 1, 'document', ['Mod+2']),
  command('format.heading-3', 'format', 1, 'document', ['Mod+3']),
  command('format.heading-4', 'format', 1, 'document', ['Mod+4']),
  command('format.heading-5', 'format', 1, 'document', ['Mod+5']),
  command('format.heading-6', 'format', 1, 'document', ['Mod+6']),
  command('format.paragraph', 'format', 1, 'document', ['Mod+Shift+0']),
  command('format.bullet-list', 'format', 2, 'document', ['Mod+Shift+8']),
  command('format.ordered-list', 'format', 2, 'document', ['Mod+Shift+7']),
  command('format.task-list', 'format', 2, 'document', ['Mod+Shift+9']),
  command('format.toggle-task', 'format', 2, 'document', ['Mod+Enter', 'Mod+L']),
  command('format.quote', 'format', 3, 'document', ['Mod+Shift+.']),
  command('format.code-block', 'format', 3, 'document', ['Mod+Shift+J']),
  command('format.table', 'format', 3, 'document', []),
  command('table.row-above', null, 0, 'document', []),
  command('table.row-below', null, 0, 'document', []),
  command('table.row-up', null, 0, 'document', []),
  command('table.row-down', null, 0, 'document', []),
  command('table.row-delete', null, 0, 'document', []),
  command('table.column-before', null, 0, 'document', []),
  command('table.column-behind', null, 0, 'document', []),
  command('table.column-left', null, 0, 'document', []),
  command('table.column-right', null, 0, 'document', []),
  command('table.column-delete', null, 0, 'document', []),
  command('table.align-left', null, 0, 'document', []),
  command('table.align-center', null, 0, 'document', []),
  command('table.align-right', null, 0, 'document', []),
  command('table.align-none', null, 0, 'document', []),
  command('go.command-palette', 'view', 0, 'nothing', ['Mod+Shift+P', 'F1']),
  command('view.source', 'view', 1, 'document', ['Mod+/', 'Alt+Shift+M'], ['Mod+/', 'Ctrl+Shift+M']),
  command('view.reading', 'view', 1, 'document', ['Mod+E']),
  command('view.split', 'view', 1, 'document', ['Mod+Shift+M']),
  command('view.beside', 'view', 1, 'document', ['Alt+Shift+E'], ['Ctrl+Shift+E']),
  command('view.fold', 'view', 1, 'document', ['Mod+Shift+[', 'Alt+Shift+Z'], ['Mod+Alt+[', 'Ctrl+Shift+Z']),
  command('view.fold-all', null, 0, 'document', []),
  command('view.unfold-all', null, 0, 'document', []),
  command('view.goal', 'view', 2, 'document', ['Alt+Shift+B'], ['Ctrl+Shift+B']),
  command('view.focus', 'view', 2, 'nothing', ['F8', 'Alt+Shift+F'], ['F8', 'Ctrl+Shift+F']),
  command('view.typewriter', 'view', 2, 'nothing', ['F9', 'Alt+Shift+Y'], ['F9', 'Ctrl+Shift+Y']),
  command('view.text-larger', 'view', 3, 'nothing', []),
  command('view.text-smaller', 'view', 3, 'nothing', []),
  command('view.text-usual', 'view', 3, 'nothing', []),
  command('view.toggle-sidebar', 'view', 3, 'nothing', ['Mod+\\', 'Mod+Shift+L']),
  command('view.outline', 'view', 3, 'document', ['Alt+Shift+O'], ['Ctrl+Shift+O']),
  command('view.toggle-coherence', 'view', 3, 'nothing', ['Mod+Shift+\\', 'Mod+Shift+E']),
  command('view.theme', 'view', 3, 'nothing', []),
  command('view.next-region', 'view', 4, 'nothing', ['F6']),
  command('view.previous-region', 'view', 4, 'nothing', ['Shift+F6']),
  command('view.next-tab', 'window', 0, 'document', ['Ctrl+Tab', 'Mod+PageDown', 'Alt+PageDown']),
  command('view.previous-tab', 'window', 0, 'document', ['Ctrl+Shift+Tab', 'Mod+PageUp', 'Alt+PageUp']),
  command('window.coherence-breakdown', 'window', 1, 'nothing', ['Mod+Shift+B']),
  command('file.open-sample', 'help', 0, 'nothing', []),
  command('help.about', 'help', 1, 'nothing', []),
];

/** The keys of a command on a system, the one to be shown first. */
export function keysOf(command: Command, system: 'mac' | 'other'): readonly string[] {
  return system === 'mac' ? (command.mac ?? command.keys) : command.keys;
}

/** What a command is called in a language; anything but Spanish reads English. An ellipsis: it asks something first. */
export function commandTitle(id: CommandId, locale: string): string {
  return wordsOf(locale).commands[id];
}

/** What a menu is called in a language; anything but Spanish reads English. */
export function menuTitle(menu: Menu, locale: string): string {
  return wordsOf(locale).menus[menu];
}

/** Whether a name that came from outside (a menu, another process) is a command. */
export function isCommandId(id: string): id is CommandId {
  return Object.hasOwn(en.commands, id);
}

function wordsOf(locale: string): typeof en {
  return /^es(?![a-z])/i.test(locale) ? es : en;
}
