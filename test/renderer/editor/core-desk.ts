import { onTestFinished } from 'vitest';
import { createHost, type Host } from '#core/handlers/host';
import { connect } from '#protocol/link';
import { createMemoryPorts } from '#protocol/port';
import { serve } from '#protocol/server';
import { transact } from '#renderer/editor/buffer.ts';
import { createDocuments } from '#renderer/editor/documents.ts';
import type { Place, Surroundings } from '../../helpers/workspace.ts';

/** A core on a folder, whose watcher is the test's hand. */
export async function hostOf(place: Place, around: Surroundings = {}): Promise<Host> {
  const host = createHost(await place.open(around), { follows: false });
  onTestFinished(() => host.close());
  return host;
}

/** A window: the documents of the page over a link of its own to the one core. */
export function openWindow(host: Host) {
  const [page, served] = createMemoryPorts();
  serve(served, host);
  const { call, on } = connect(page);
  const heard: string[] = [];
  let time = 0;
  const documents = createDocuments({
    wire: { call, on, onState: () => () => {} },
    newId: () => crypto.randomUUID(),
    now: () => ++time,
    say: (key) => key,
    follow: () => {},
    announce: (what, path) => heard.push(`${what} ${path}`),
  });
  return { call, documents, heard };
}

/** One such window. */
export type Desk = ReturnType<typeof openWindow>;

/** Types as the writer does; `at` is cut to the text. */
export function typeInto({ documents }: Desk, path: string, at: number, insert: string): void {
  const buffer = documents.bufferOf(path)!;
  transact(buffer, { changes: { from: Math.min(at, buffer.state.doc.length), insert }, userEvent: 'input' });
  documents.edited(buffer, true);
}

/** Lets windows hear that files changed, and what they ask then come to rest. */
export async function tell(host: Host, ...paths: string[]): Promise<void> {
  host.events.announce('files-changed', { paths });
  await new Promise((resolve) => setTimeout(resolve, 12));
}
