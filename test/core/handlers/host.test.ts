import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createHost } from '#core/handlers/host';
import { openFace } from '../../helpers/face.ts';
import { createPlace, createTrackingPlace, type Place, savingOf } from '../../helpers/workspace.ts';

const settingsOf = (home: string) => JSON.parse(readFileSync(join(home, 'settings.json'), 'utf8')) as Record<string, unknown>;

describe('settings', () => {
  it('are kept beside what this program does not know, and read back', async () => {
    const place = createPlace();
    writeFileSync(
      join(place.home, 'settings.json'),
      JSON.stringify({ insertIdentity: true, later: [1], app: { theme: 'dark', nested: { a: 1 } } }),
    );
    const { call } = await openFace(place);
    expect(await call('settings/read', {})).toEqual({ theme: 'dark' });
    expect(await call('settings/write', { key: 'measure', value: 66 })).toEqual({ theme: 'dark', measure: 66 });
    await call('settings/write', { key: '__proto__', value: 'x' });
    expect(settingsOf(place.home)).toEqual({
      insertIdentity: true,
      later: [1],
      app: { theme: 'dark', nested: { a: 1 }, measure: 66, ['__proto__']: 'x' },
    });
  });

  it('written at once by many are all kept', async () => {
    const place = createPlace();
    const { call } = await openFace(place);
    const keys = Array.from({ length: 50 }, (_, index) => `key-${index}`);
    await Promise.all(keys.map((key) => call('settings/write', { key, value: true })));
    expect(Object.keys(await call('settings/read', {})).sort()).toEqual(keys.toSorted());
  });

  it('that cannot be understood are left as they are', async () => {
    const place = createPlace();
    writeFileSync(join(place.home, 'settings.json'), '{ "app": ');
    const { call } = await openFace(place);
    await expect(call('settings/read', {})).rejects.toMatchObject({ code: 'settings-unreadable' });
    await expect(call('settings/write', { key: 'a', value: 1 })).rejects.toMatchObject({ code: 'settings-unreadable' });
    expect(readFileSync(join(place.home, 'settings.json'), 'utf8')).toBe('{ "app": ');
  });

  it('are told to every window, also when another program wrote them', async () => {
    const place = createPlace();
    const [one, other] = [await openFace(place), await openFace(place)];
    const told = [one, other].map(({ on }) => new Promise((resolve) => on('settings-changed', resolve)));
    await one.call('settings/write', { key: 'theme', value: 'light' });
    expect(await Promise.all(told)).toEqual([{ settings: { theme: 'light' } }, { settings: { theme: 'light' } }]);
  });
});

describe('a host', () => {
  it('answers 1,000 calls in flight, saves among them, each with its own', async () => {
    const place = createTrackingPlace();
    const { call } = await openFace(place);
    const paths = Array.from({ length: 20 }, (_, index) => `${index}.md`);
    for (const path of paths) place.write(path, `of ${path}\n`);
    const reads = Array.from({ length: 980 }, async (_, index) => {
      const path = paths[index % paths.length]!;
      expect(await call('document/open', { path })).toMatchObject({ kind: 'text', text: expect.stringContaining(`of ${path}`) });
    });
    const saves = paths.map(async (path) => {
      const { base } = (await call('document/open', { path })) as { base: string };
      return call('document/save', { path, text: `of ${path}, saved\n`, base, idem: crypto.randomUUID() });
    });
    await Promise.all(reads);
    for (const answer of await Promise.all(saves)) expect(answer).toMatchObject({ kind: 'saved', recorded: { kind: 'recorded' } });
  });
});

describe('a ledger that cannot be locked', () => {
  const block = ({ folder }: Place) => {
    rmSync(join(folder, '.vmark/index.db-lock'), { force: true });
    mkdirSync(join(folder, '.vmark/index.db-lock'));
  };

  it('is called shared before anything is saved there, and no more when it can be locked again', async () => {
    const place = createTrackingPlace();
    await (await place.open({ git: false })).save(savingOf(place, 'a.md', 'one\n'));
    block(place);
    const { call, on } = await openFace(place);
    const told = () => new Promise<boolean>((resolve) => on('workspace-shared', ({ shared }) => resolve(shared)));
    const first = told();
    if (!(await call('workspace/info', {})).shared) expect(await first).toBe(true);
    expect(await call('workspace/info', {})).toMatchObject({ shared: true });
    rmSync(join(place.folder, '.vmark/index.db-lock'), { recursive: true });
    const again = told();
    await call('breakdown/refresh', {});
    expect(await again).toBe(false);
    expect(await call('workspace/info', {})).toMatchObject({ shared: false });
  });

  it('is said with the first save that meets it, and the save is recorded', async () => {
    const place = createTrackingPlace();
    await (await place.open({ git: false })).save(savingOf(place, 'a.md', 'one\n'));
    const { call, on } = await openFace(place);
    expect(await call('workspace/info', {})).toMatchObject({ shared: false });
    block(place);
    const told = new Promise((resolve) => on('workspace-shared', resolve));
    const { base, text } = (await call('document/open', { path: 'a.md' })) as { base: string; text: string };
    const saved = await call('document/save', { path: 'a.md', text: `${text}two\n`, base, idem: crypto.randomUUID() });
    expect(saved).toMatchObject({ kind: 'saved', recorded: { kind: 'recorded' } });
    expect(await told).toEqual({ shared: true });
  });

  it('is nothing to a folder without a ledger, in which looking makes no file', async () => {
    const place = createPlace();
    place.write('a.md', 'one\n');
    const before = place.tree();
    const { call } = await openFace(place);
    expect(await call('workspace/info', {})).toMatchObject({ shared: false });
    expect(place.tree()).toEqual(before);
  });
});

describe('a host that is closed', () => {
  it('finishes the saves that were under way', async () => {
    const place = createTrackingPlace();
    const host = createHost(await place.open());
    const paths = Array.from({ length: 10 }, (_, index) => `${index}.md`);
    const saves = paths.map((path) => host.handlers['document/create']({ path, text: `${path}\n` }));
    await host.close();
    expect(place.entries().filter(({ kind }) => kind === 'transformation')).toHaveLength(10);
    expect(await Promise.all(saves)).toHaveLength(10);
  });
});
