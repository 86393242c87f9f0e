import { describe, expect, it } from 'vitest';
import type { Core } from '#core';
import { bytesHash } from '#core/workspace/save';
import { createFaultyDisk } from '../../helpers/faulty-disk';
import { createTrackingPlace, type Place } from '../../helpers/workspace';

const texts = { 'f/list.md': '---\n- a list\n---\n[a](../a.md)\n', 'b.md': '[list](f/list.md) [a](a.md)\n', 'a.md': 'A\n' };
const moves = [
  { from: 'f', to: 'g/h' },
  { from: 'a.md', to: 'z.md' },
];

async function prepare(): Promise<{ place: Place; objects: Map<string, string> }> {
  const place = createTrackingPlace();
  const core = await place.open({ git: false });
  for (const [path, text] of Object.entries(texts)) place.write(path, text);
  await core.track({ paths: Object.keys(texts), dryRun: false });
  const objects = new Map<string, string>();
  for (const path of Object.keys(texts)) objects.set(path, (await core.logFile(path)).object);
  await core.close();
  return { place, objects };
}

/** Acts once for each change of the disk that it makes, and dies at that one. */
async function dieAtEveryChange(
  place: Place,
  act: (core: Core) => Promise<unknown>,
  check: (where: string) => Promise<void>,
): Promise<number> {
  const restore = place.keep();
  for (let at = 0; ; at++) {
    const faulty = createFaultyDisk();
    const core = await place.open({ disk: faulty.disk, git: false });
    faulty.plan({ failure: 'killed', onlyChanges: true, at });
    await act(core).catch(() => null);
    await core.close();
    if (!faulty.hasFailed) return at;
    await check(`killed at ${at}: ${faulty.failed!.name} ${faulty.failed!.path}`);
    restore();
  }
}

const textsIn = (place: Place) =>
  [...place.tree()]
    .filter(([path]) => path.endsWith('.md') && !path.includes('stemma-tmp'))
    .map(([path, { bytes }]) => [path, bytes] as const);

describe('a move that is cut off at any point', () => {
  it('leaves every document whole, at one of its two paths, and the object that it was', async () => {
    const { place, objects } = await prepare();
    const where = { 'f/list.md': ['f/list.md', 'g/h/list.md'], 'a.md': ['a.md', 'z.md'], 'b.md': ['b.md'] };
    const act = async (core: Core) => core.acts.move(moves, [...(await core.acts.planMove(moves))], () => {});
    const died = await dieAtEveryChange(place, act, async (said) => {
      const core = await place.open({ git: false });
      await core.scan();
      const found = new Map(textsIn(place).filter(([, bytes]) => bytes !== ''));
      for (const [path, places] of Object.entries(where)) {
        const there = places.filter((one) => found.has(one));
        expect(there, said).toHaveLength(1);
        expect((await core.logFile(there[0]!)).object, `${said}: ${there[0]}`).toBe(objects.get(path));
      }
      await core.close();
    });
    expect(died).toBeGreaterThan(20);
  });
});

describe('a replacement that is cut off at any point', () => {
  it('leaves every document as it was or as it shall be', async () => {
    const { place } = await prepare();
    const before = new Map(textsIn(place));
    const files = [...before.keys()].map((path) => ({ path, base: bytesHash(place.read(path)), starts: null }));
    const query = { text: 'list', isExpression: false, matchesCase: true, wholeWords: false };
    const act = (core: Core) => core.acts.replace({ query, replacement: 'LIST', files });
    const died = await dieAtEveryChange(place, act, async (said) => {
      const core = await place.open({ git: false });
      await core.scan();
      for (const [path, bytes] of textsIn(place))
        expect([before.get(path), before.get(path)!.replaceAll('list', 'LIST')], said).toContain(bytes);
      expect(
        [...textsIn(place)].map(([path]) => path),
        said,
      ).toEqual([...before.keys()]);
      await core.close();
    });
    expect(died).toBeGreaterThan(10);
  });
});
