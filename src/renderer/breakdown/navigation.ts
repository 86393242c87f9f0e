import type { BreakdownRow } from '#protocol/calls';
import { addressOf } from '#renderer/connection.ts';

/** What the editor is asked to open: a document and, when it is to be revised, the edge whose change stands beside it. */
export interface EditorTarget {
  readonly path: string;
  readonly edge: NonNullable<BreakdownRow['edge']> | null;
}

/** Opens a document in the editor of this workspace, beside the change behind `edge` when there is one. */
export function openInEditor(path: string, edge: BreakdownRow['edge']): void {
  location.assign(editorAddress({ path, edge }));
}

/** Opens the breakdown of this workspace. */
export function openBreakdown(): void {
  location.assign(addressOf('/breakdown'));
}

/** The address at which the editor opens a document; the page's own folder is kept. */
export function editorAddress({ path, edge }: EditorTarget, home: string = addressOf('/')): string {
  const [route, query = ''] = home.split('?');
  const parameters = new URLSearchParams(query);
  parameters.set('open', path);
  if (edge !== null) parameters.set('revise', `${edge.txf}:${edge.input}`);
  return `${route}?${parameters}`;
}

/** What an address asks the editor to open; null when it asks for nothing. A `revise` that is no edge is let go. */
export function editorTarget(search: string): EditorTarget | null {
  const parameters = new URLSearchParams(search);
  const path = parameters.get('open');
  const edge = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}):(\d{1,9})$/.exec(parameters.get('revise') ?? '');
  if (path === null || path === '') return null;
  return { path, edge: edge === null ? null : { txf: edge[1]!, input: Number(edge[2]) } };
}
