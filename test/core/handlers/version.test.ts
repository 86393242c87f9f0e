import { afterEach, describe, expect, it, vi } from 'vitest';
import { openCore } from '#core';
import { createHost } from '#core/handlers/host';
import { createResting, longestDue } from '#core/handlers/resting';
import type { SavedDocument } from '#protocol/document-calls';
import { opened, openFace } from '../../helpers/face.ts';
import { namedUuid } from '../../helpers/history.ts';
import { createTrackingPlace, entriesOf, environment, stamped } from '../../helpers/workspace.ts';

const id = namedUuid('a');
const newIdem = () => crypto.randomUUID();

describe('what autosave left due', () => {
  it('is said to be, and told to all pages when it is recorded', async () => {
    const place = createTrackingPlace();
    place.write('a.md', stamped(id, 'one\n'));
    const { call, on } = await openFace(place);
    const { base } = await opened(call, 'a.md');
    const told = new Promise((resolve) => on('document-settled', resolve));
    const saved = await call('document/save', { path: 'a.md', text: stamped(id, 'two\n'), base, idem: newIdem(), auto: true });
    expect(saved).toMatchObject({ kind: 'saved', recorded: { kind: 'due' }, content: expect.stringMatching(/^sha256:/u) });
    expect(await call('document/settle', { path: 'a.md' })).toEqual({ settled: [{ path: 'a.md', recorded: { kind: 'recorded' } }] });
    expect(await told).toEqual({ path: 'a.md', recorded: { kind: 'recorded' } });
    expect(await call('document/settle', { path: null })).toEqual({ settled: [] });
  });

  it('is recorded before the core closes', async () => {
    const place = createTrackingPlace();
    const host = createHost(await openCore({ folder: place.folder, env: environment(place.home) }));
    await host.handlers['document/save']({ path: 'a.md', text: 'one\n', base: null, idem: newIdem(), auto: true });
    await host.close();
    expect(entriesOf(place, 'transformation').map(({ body }) => body.agent.type)).toEqual(['human']);
  });

  describe('waits for a rest', () => {
    afterEach(() => void vi.useRealTimers());

    it('of a minute, from the last save on', () => {
      vi.useFakeTimers();
      const settled: (string | null)[] = [];
      const resting = createResting({ settle: async (path) => settled.push(path) as never });
      resting.begin('a.md');
      resting.begin('b.md');
      vi.advanceTimersByTime(longestDue - 1);
      resting.begin('a.md');
      vi.advanceTimersByTime(longestDue - 1);
      expect(settled).toEqual(['b.md']);
      vi.advanceTimersByTime(1);
      expect([settled, longestDue]).toEqual([['b.md', 'a.md'], 60_000]);
      resting.begin(null);
      resting.stop();
      vi.advanceTimersByTime(longestDue);
      expect(settled).toHaveLength(2);
    });
  });
});

describe('versions and copies over the wire', () => {
  it('are restored, joined and told apart', async () => {
    const place = createTrackingPlace();
    const { call } = await openFace(place);
    const texts = ['one\n', 'two\n'].map((text) => stamped(id, text));
    let base: string | null = null;
    for (const text of texts) {
      const answer: SavedDocument = await call('document/save', { path: 'a.md', text, base, idem: newIdem() });
      base = answer.base;
    }
    const restored = await call('document/restore', { path: 'a.md', revision: 'v1', base, idem: newIdem() });
    expect(restored).toMatchObject({ kind: 'saved', text: texts[0], recorded: { kind: 'recorded' } });
    expect(await call('document/restore', { path: 'a.md', revision: 'v2', base, idem: newIdem() })).toMatchObject({ kind: 'conflict' });
    place.write('a (conflicted copy 2024-01-02).md', stamped(id, 'theirs\n'));
    place.write('copy.md', texts[0]!);
    const copies = await call('document/copies', {});
    expect(copies.held).toEqual([{ object: id, paths: ['a.md', 'copy.md'] }]);
    const copy = await opened(call, 'copy.md');
    const made = await call('document/make-new', { path: 'copy.md', base: copy.base });
    expect(made).toMatchObject({ derivedFrom: id, text: stamped(made.object, 'one\n') });
    const { path } = (await call('document/copies', {})).copies[0]!;
    const { heads, base: now, sides, parts } = await call('document/propose-join', { path: 'a.md', copy: path });
    expect(parts).not.toBe(null);
    const content = sides.at(-1)!.content;
    const asked = { path: 'a.md', copy: path, heads: [...heads], base: now, content, idem: newIdem() };
    expect(await call('document/join', { ...asked, base: null, result: { text: 'x\n' } })).toEqual({ kind: 'moved' });
    expect(await call('document/join', { ...asked, result: { take: content } })).toMatchObject({
      kind: 'joined',
      text: stamped(id, 'theirs\n'),
    });
    expect(await call('document/pin', { path: null, inputs: [{ path: 'a.md', role: 'direct' }] })).toMatchObject({
      inputs: [{ object: id }],
    });
  });
});
