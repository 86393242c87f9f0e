import { onTestFinished } from 'vitest';
import type { Core } from '#core';
import { createHost } from '#core/handlers/host';
import type { Client } from '#protocol/calls';
import type { SavedDocument } from '#protocol/document-calls';
import { connect, type Link } from '#protocol/link';
import { createMemoryPorts } from '#protocol/port';
import { serve } from '#protocol/server';
import type { Place } from './workspace.ts';

/** A face of a workspace, over a link that clones as another process would; its core, or what `around` makes of it, goes when the test ends. */
export async function openFace(place: Place, around: (core: Core) => Core = (core) => core): Promise<Link> {
  const host = createHost(around(await place.open()));
  const [page, served] = createMemoryPorts();
  serve(served, host);
  onTestFinished(() => host.close());
  return connect(page);
}

/** Opens a document that must be text. */
export async function opened(call: Client, path: string) {
  const document = await call('document/open', { path });
  if (document.kind !== 'text') throw new Error(`${path} is not text`);
  return document;
}

/** Saves a text over what is on disk now; a conflict fails the test. */
export async function saved(call: Client, path: string, text: string): Promise<Extract<SavedDocument, { kind: 'saved' }>> {
  const { base } = await opened(call, path);
  const answer = await call('document/save', { path, text, base, idem: crypto.randomUUID() });
  if (answer.kind !== 'saved') throw new Error(`${path} is ${answer.kind}`);
  return answer;
}
