import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startWriting } from '../../helpers/child';
import {
  countKinds,
  createFolder,
  createPlace,
  createTrackingPlace,
  entriesOf,
  environment,
  type Place,
  savingOf,
} from '../../helpers/workspace';

/** App data of its own in which provenance is on. */
function createHome(): string {
  const home = createFolder('home');
  createPlace(createFolder(), home).setting(true);
  return home;
}

function expectWholeLines(place: Place) {
  for (const bytes of place.segments().values()) expect(bytes.at(-1)).toBe(0x0a);
  for (const line of place.lines()) expect(() => JSON.parse(line)).not.toThrow();
}

describe('two programs that save at the same time', () => {
  it.each(['one installation', 'two installations'])('lose nothing and tear nothing: %s', async (which) => {
    const place = createTrackingPlace();
    const homes = which === 'one installation' ? [place.home, place.home] : [place.home, createHome()];
    const count = 200;
    const writing = homes.map((home, at) => startWriting({ folder: place.folder, name: `p${at}`, act: 'save', count }, environment(home)));
    const said = (await Promise.all(writing.map(({ done }) => done))).flat().filter(({ path }) => path !== undefined);
    expect(said).toHaveLength(2 * count);
    expectWholeLines(place);
    const ids = place.lines().map((line) => (JSON.parse(line) as { id: string }).id);
    for (const { entry } of said) expect(ids).toContain(entry);
    // Until there is a ledger to be locked, each installation has a lock of its own, and one may finish what the other has staged.
    expect(ids.length - new Set(ids).size).toBeLessThanOrEqual(which === 'one installation' ? 0 : 2);
    expect(countKinds(place)).toEqual({ 'object-registered': 2 * count, transformation: 2 * count });
    expect(place.segments().size).toBe(new Set(homes).size);
    expect(readdirSync(join(place.folder, '.vmark', 'snapshots', 'tmp'))).toEqual([]);
    const core = await place.open();
    expect(await core.scan()).toMatchObject({ documents: 2 * count, unchanged: 2 * count, external: 0, adopted: 0 });
    expect(await core.verify({ restoreLines: false })).toMatchObject({ ok: true });
  });
});

describe('an edit by another program', () => {
  const names = Array.from({ length: 12 }, (_, at) => `d${at}.md`);
  const prepare = async () => {
    const place = createTrackingPlace();
    const core = await place.open();
    for (const name of names) await core.save(savingOf(place, name, `${name} one\n`));
    for (const name of names) place.write(name, place.text(name).replace('one', 'two'));
    return place;
  };

  it('that two programs see at once is one entry', async () => {
    const place = await prepare();
    const seeing = [place.home, createHome()].map((home, at) =>
      startWriting({ folder: place.folder, name: `p${at}`, act: 'scan', count: 3 }, environment(home)),
    );
    await Promise.all(seeing.map(({ done }) => done));
    expectWholeLines(place);
    expect(entriesOf(place, 'transformation')).toHaveLength(2 * names.length);
    expect(place.lines()).toHaveLength(3 * names.length);
  });

  it('that two clones see apart is one entry when their ledgers come together', async () => {
    const place = await prepare();
    const clone = createTrackingPlace();
    cpSync(place.folder, clone.folder, { recursive: true });
    await (await place.open()).scan();
    await (await clone.open()).scan();
    const known = new Set(place.segments().keys());
    for (const [name, bytes] of clone.segments()) if (!known.has(name)) writeFileSync(join(place.folder, '.vmark', 'ledger', name), bytes);
    expect(place.lines().length).toBe(4 * names.length);
    expect(entriesOf(place, 'transformation')).toHaveLength(2 * names.length);
    const core = await place.open();
    expect(await core.scan()).toMatchObject({ unchanged: names.length, external: 0 });
    for (const name of names) expect((await core.logFile(name)).heads).toHaveLength(1);
  });
});

describe('an installation', () => {
  it('has one writer, however many of its programs begin at once', async () => {
    for (const home of [createHome(), createHome()]) {
      const places = Array.from({ length: 3 }, () => createPlace(createFolder(), home));
      for (const place of places) mkdirSync(place.folder, { recursive: true });
      const writing = places.map((place, at) =>
        startWriting({ folder: place.folder, name: `p${at}`, act: 'save', count: 2 }, environment(home)),
      );
      await Promise.all(writing.map(({ done }) => done));
      expect(new Set(places.flatMap((place) => place.entries().map(({ writer }) => writer))).size).toBe(1);
      expect(readdirSync(home).filter((name) => name.startsWith('writer-id'))).toEqual(['writer-id']);
    }
  });
});
