import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHandlers } from '#core/handlers/host';
import { createAnnouncer } from '#protocol/server';
import { createModelDesk, type ModelNews } from '#renderer/ai/model-desk.ts';
import type { Connection } from '#renderer/connection.ts';
import { transact } from '#renderer/editor/buffer.ts';
import { reviewOf } from '#renderer/editor/suggestion/review.ts';
import { type ProviderServer, startProviderServer } from '../../helpers/provider-server.ts';
import { createTrackingPlace, type Place, savingOf } from '../../helpers/workspace.ts';
import { openDesk } from '../editor/suggestion/desk.ts';

let server: ProviderServer;
beforeAll(async () => {
  server = await startProviderServer();
});
afterAll(() => server.close());

const text = 'One grey morning.\n\nTwo boats went out.\n';

/** A writer before a document; `meanwhile` happens after the request is sent and before that is answered. */
async function begin(meanwhile: (desk: Awaited<ReturnType<typeof openDesk>>, place: Place) => Promise<void> | void) {
  const place = createTrackingPlace();
  const core = await place.open();
  await core.save(savingOf(place, 'one.md', 'One.\n'));
  place.write('a.md', text);
  core.writeSetting('ai.provider', 'anthropic');
  core.writeSetting('ai.anthropic.address', `${server.origin}/v1`);
  await core.ai.keepKey({ provider: 'anthropic', key: 'sk-some' });
  const desk = await openDesk(core, 'a.md');
  const handlers = createHandlers(core, createAnnouncer());
  const call = async (name: keyof typeof handlers, input: never) => {
    const answer = await handlers[name](input);
    if (name === 'ai/ask') await meanwhile(desk, place);
    return answer;
  };
  const news: ModelNews[] = [];
  const connection = { call } as unknown as Pick<Connection, 'call'>;
  const bufferOf = (path: string) => (desk.buffer().path === path ? desk.buffer() : undefined);
  const models = createModelDesk({ connection, bufferOf, told: (one) => news.push(one) });
  const ask = async (scope: 'block' | 'document' = 'block') => {
    transact(desk.buffer(), { selection: { anchor: desk.text().indexOf('Two boats') } });
    await models.send(await models.prepare('a.md', { genie: null, ask: 'Mend it.', scope, reads: [], passages: [] }), true);
  };
  return { place, core, desk, models, news, ask };
}

describe('what happens to a document while a request is on its way out', () => {
  it('moves the suggestions with their text, and is typed before them', async () => {
    server.behave({ kind: 'answer', parts: ['Two ships went out.'] });
    const { desk, news, ask } = await begin(({ type }) => type(0, 'Typed at once. '));
    await ask();
    await expect.poll(() => news).toMatchObject([{ kind: 'suggested', count: 1 }]);
    expect(reviewOf(desk.buffer().state).runs).toMatchObject([{ clean: false }]);
    expect(desk.accept()).toBe(true);
    expect(desk.text()).toContain('Typed at once. One grey morning.\n\nTwo ships went out.\n');
  });

  it('moves them past what another program put into the file', async () => {
    server.behave({ kind: 'answer', parts: ['Two ships went out.'] });
    const { desk, news, ask } = await begin(async ({ documents, text: now }, place) => {
      place.write('a.md', `# Heading\n\n${text}`);
      documents.lookAgain();
      await expect.poll(now).toContain('# Heading');
    });
    await ask();
    await expect.poll(() => news).toMatchObject([{ kind: 'suggested', count: 1 }]);
    expect(desk.accept()).toBe(true);
    expect(desk.text()).toBe('# Heading\n\nOne grey morning.\n\nTwo ships went out.\n');
  });
});

it('is cancelled also after its document was moved', async () => {
  server.behave({ kind: 'endless' });
  const { desk, models, news, ask } = await begin(() => {});
  await ask();
  const { activities } = models.store.getState();
  desk.buffer().path = 'b.md';
  await models.cancel(activities[0]!.run);
  await expect.poll(() => news).toMatchObject([{ kind: 'cancelled' }]);
  expect(reviewOf(desk.buffer().state).runs).toEqual([]);
});
