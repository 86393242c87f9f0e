import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Fault } from '#protocol';
import type { Settings } from '#protocol/calls';
import { connect } from '#protocol/link';
import type { Port } from '#protocol/port';
import { createAnnouncer, type Serving, serve } from '#protocol/server';
import { handlersWith } from './handlers.ts';

/** The two ends of a carrier: the page's, and the one that is served. */
export interface Ends {
  readonly page: Port;
  readonly served: Port;
}

const uuid = '018f3c7a-9f2e-7cc1-b302-5e9d4a6b21c7';

const fault = (code: string) => expect.objectContaining({ name: 'Fault', code });

/** Echoes settings, later or sooner by their value; saves never end. */
function servingOf(events = createAnnouncer()): Serving {
  const written: Record<string, string | number | boolean> = {};
  const handlers = handlersWith({
    'settings/read': async () => written,
    'settings/write': async ({ key, value }) => {
      for (let turn = 0; turn < (Number(value) % 7) * 3; turn++) await Promise.resolve();
      return value === null ? {} : { [key]: value };
    },
    'document/open': async ({ path }) => {
      if (path === 'gone.md') throw new Fault('file-missing', { path });
      if (path === 'broken.md') throw new TypeError('x is not a function\n    at somewhere');
      return {
        kind: 'text',
        text: `\uFEFFof ${path}\r\n\u2028`,
        base: '0'.repeat(64),
        content: null,
        tracking: { by: null, reason: null },
      };
    },
    'document/create': async () => ({ kind: 'text', text: () => 'a function' }) as never,
    'document/save': () => new Promise(() => {}),
  });
  return { handlers, events };
}

/** The acceptance suite of a carrier. `setup` makes two ends of one, which go when the test ends. */
export function describeLink(name: string, setup: () => Promise<Ends>): void {
  const linked = async (serving = servingOf()) => {
    const { page, served } = await setup();
    serve(served, serving);
    return connect(page);
  };
  const raw = async () => {
    const { page, served } = await setup();
    serve(served, servingOf());
    const heard: unknown[] = [];
    const waiting: (() => void)[] = [];
    page.onMessage((message) => {
      heard.push(message);
      waiting.shift()?.();
    });
    const ask = (message: unknown) =>
      new Promise<unknown>((resolve) => {
        waiting.push(() => resolve(heard.at(-1)));
        page.post(message);
      });
    return { ask, heard };
  };

  describe(`a link over ${name}`, () => {
    it('answers whatever is not a call with a fault, once, and the next call as ever', async () => {
      const { ask, heard } = await raw();
      const open = { id: 7, call: 'document/open', input: { path: 'a.md' } };
      const message = fc.oneof(
        fc.jsonValue(),
        fc.record({ id: fc.jsonValue(), call: fc.string(), input: fc.jsonValue() }),
        fc.record({ id: fc.nat(), call: fc.constantFrom('document/open', 'document/save', 'edge/resolve'), input: fc.jsonValue() }),
      );
      await fc.assert(
        fc.asyncProperty(message, async (sent) => {
          const before = heard.length;
          expect(await ask(sent)).toMatchObject({ reply: { ok: false, code: 'call-invalid' } });
          expect(await ask(open)).toMatchObject({ id: 7, reply: { ok: true } });
          expect(heard.length).toBe(before + 2);
        }),
        { numRuns: 100 },
      );
    });

    it('gives each of 1,000 calls in flight its own answer', async () => {
      const { call } = await linked();
      const keys = Array.from({ length: 1000 }, (_, index) => index);
      const answers = await Promise.all(keys.map((key) => call('settings/write', { key: `k${key}`, value: key })));
      expect(answers).toEqual(keys.map((key): Settings => ({ [`k${key}`]: key })));
    });

    it('carries text as it is: BOM, line breaks, separators', async () => {
      const { call } = await linked();
      expect(await call('document/open', { path: 'ä.md' })).toMatchObject({ text: '\uFEFFof ä.md\r\n\u2028' });
    });

    it('throws the fault that core threw, and a mistake as `bug` without its stack', async () => {
      const { call } = await linked();
      await expect(call('document/open', { path: 'gone.md' })).rejects.toMatchObject({ code: 'file-missing', detail: { path: 'gone.md' } });
      await expect(call('document/open', { path: 'broken.md' })).rejects.toMatchObject({
        code: 'bug',
        detail: { problem: 'x is not a function' },
      });
    });

    it.each([
      ['a path that is none', 'document/open', { path: '' }],
      ['a field too many', 'document/open', { path: 'a.md', also: true }],
      ['an idem that is none', 'document/save', { path: 'a.md', text: '', base: null, idem: 'x' }],
      ['a base that is none', 'document/save', { path: 'a.md', text: '', base: 'ff', idem: uuid }],
      ['a page too long', 'breakdown/page', { offset: 0, limit: 201, state: 'all', search: '' }],
      ['a call to a shell that is not there', 'shell/folders', { path: null }],
      ['a name of an object of the language', 'constructor', {}],
    ])('refuses %s before a handler sees it', async (_, call, input) => {
      const link = await linked();
      await expect(link.call(call as never, input as never)).rejects.toEqual(fault('call-invalid'));
    });

    it('never says what was sent back to whom it came from', async () => {
      const { call } = await linked();
      const secret = { path: 'a.md', secretKey: 1 } as never;
      await expect(call('document/open', secret)).rejects.toMatchObject({
        detail: { call: 'document/open', problem: 'unrecognized_keys' },
      });
    });

    it('tells every listener of an event, until it stops listening', async () => {
      const events = createAnnouncer();
      const { call, on } = await linked(servingOf(events));
      const heard: unknown[] = [];
      const stop = on('files-changed', (data) => heard.push(data));
      on('files-changed', ({ paths }) => heard.push(paths.length));
      await call('settings/read', {});
      events.announce('files-changed', { paths: ['a.md'] });
      events.announce('watch-troubled', { reason: 'ENOSPC' });
      await call('settings/read', {});
      stop();
      events.announce('files-changed', { paths: [] });
      await call('settings/read', {});
      expect(heard).toEqual([{ paths: ['a.md'] }, 1, 0]);
    });

    it.each(['page', 'served'] as const)(
      'fails calls that wait with `core-restarted` when the %s end closes, and later ones too',
      async (end) => {
        const ends = await setup();
        const events = createAnnouncer();
        serve(ends.served, servingOf(events));
        const link = connect(ends.page);
        await link.call('settings/read', {});
        const saving = link.call('document/save', { path: 'a.md', text: 'kept', base: null, idem: uuid });
        const closed = new Promise<void>((resolve) => link.onClose(resolve));
        ends[end].close();
        await expect(saving).rejects.toEqual(fault('core-restarted'));
        await closed;
        await expect(link.call('settings/read', {})).rejects.toEqual(fault('core-restarted'));
        events.announce('files-changed', { paths: [] });
      },
    );
  });
}
