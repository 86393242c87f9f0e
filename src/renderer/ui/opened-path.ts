import type { Studio } from './studio.ts';

/**
 * Where a file stands in a folder, both by their absolute paths, as the window writes paths; null: elsewhere. Windows tells neither letter
 * case nor its two signs between names apart.
 */
export function pathWithin(root: string, path: string): string | null {
  const isWindows = /^(?:[a-z]:|\\\\)/iu.test(root);
  const plain = (name: string) => (isWindows ? name.replaceAll('\\', '/') : name);
  const folder = plain(root).replace(/\/+$/u, '');
  const begin = plain(path).slice(0, folder.length + 1);
  const isInside = isWindows ? begin.toLowerCase() === `${folder}/`.toLowerCase() : begin === `${folder}/`;
  return isInside ? plain(path).slice(folder.length + 1) : null;
}

/** The workspace of the window, asked for where it is not known yet. */
export async function rootOf({ workspace, connection }: Studio): Promise<string> {
  return workspace.store.getState().info?.root ?? (await connection.call('workspace/info', {})).root;
}
