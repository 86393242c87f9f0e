import type { EditorView } from '@codemirror/view';
import type { CommandId } from '#protocol/commands';
import { editTable, type TableAct, tableAt } from './table-command.ts';

/** What commands of lines do while the cursor is in a table. */
const instead: Partial<Record<CommandId, TableAct>> = {
  'edit.move-line-up': 'row-up',
  'edit.move-line-down': 'row-down',
  'edit.delete-line': 'row-delete',
  'format.toggle-task': 'row-below',
};

/** What would break a table: it makes other blocks of its lines, or puts some between them. */
const breaking =
  /^(?:edit\.(?:duplicate-line|join-lines|cursor-)|format\.(?:heading|paragraph|bullet|ordered|task-list|quote|code-block|table))/u;

/** Does a command where the cursor is in a table and the command means something else there, or nothing; false: it is as anywhere. */
export function runInTable(view: EditorView, id: CommandId): boolean {
  const act = id.startsWith('table.') ? (id.slice('table.'.length) as TableAct) : instead[id];
  if (act === undefined && !breaking.test(id)) return false;
  if (tableAt(view.state, view.state.selection.main.head) === null) return id.startsWith('table.');
  if (act !== undefined) editTable(view, act);
  view.focus();
  return true;
}
