import { desktop } from '#renderer/connection.ts';
import { type Target, targetOf, wikiTarget } from '#renderer/editor/link-target.ts';
import { slugOf } from '#renderer/editor/slug.ts';
import { say } from '#renderer/words.ts';
import { goTo } from './mode.ts';
import type { Studio } from './studio.ts';

/** Follows a link that the writer clicked: a document into a tab, at its heading; an address outside; anything else is said and left alone. */
export async function followAddress(studio: Studio, address: string): Promise<void> {
  const from = studio.documents.tabs.getState().active;
  if (from === null) return;
  const paths = studio.workspace.store.getState().files.map(({ path }) => path);
  const wiki = wikiTarget(address, from, paths);
  const target: Target = wiki === null ? targetOf(address, from) : { kind: 'document', path: wiki.path, heading: wiki.heading };
  if (target.kind === 'refused') return studio.view.notify(say('link.refused', { address }));
  if (target.kind === 'outside') return openOutside(target.url);
  if (target.path === from && target.heading !== null) return goToHeading(studio, from, target.heading);
  const path = fileOf(target.path, paths) ?? fileOf(`${target.path}.md`, paths);
  if (path === undefined) return studio.view.notify(say('link.missing', { path: target.path }));
  await studio.documents.open(path);
  if (target.heading !== null) goToHeading(studio, path, target.heading);
}

/** The file that has a name, in whichever form its accents are kept. */
function fileOf(name: string, paths: readonly string[]): string | undefined {
  const composed = name.normalize('NFC');
  return paths.includes(name) ? name : paths.find((path) => path.normalize('NFC') === composed);
}

function openOutside(url: string): void {
  const bridge = desktop();
  if (bridge !== null) void bridge.openLink(url);
  else window.open(url, '_blank', 'noopener,noreferrer');
}

function goToHeading(studio: Studio, path: string, wanted: string): void {
  const doc = studio.documents.bufferOf(path)?.state.doc;
  if (doc === undefined) return;
  let number = 0;
  for (const line of doc.iterLines()) {
    number++;
    const heading = /^ {0,3}#{1,6}[ \t]+(.*?)[ \t#]*$/.exec(line)?.[1];
    if (heading === undefined || (slugOf(heading) !== slugOf(wanted) && heading !== wanted)) continue;
    // The document comes to the front with the next frame.
    requestAnimationFrame(() => goTo(studio, number, 1));
    return;
  }
}
