import { describe, expect, it } from 'vitest';
import type { Core } from '#core';
import { bytesHash } from '#core/workspace/save';
import type { Uuid } from '#kernel/uuid';
import { dieAtEveryCall, expectPrefix, heal, killed } from '../../helpers/death';
import { namedUuid } from '../../helpers/history';
import { createTrackingPlace, entriesOf, type Place, savingOf, stamped } from '../../helpers/workspace';

const id = namedUuid('a');
const textOf = (body: string) => stamped(id, `${body}\n`);
/** What a restored or joined text is, wherever the process died: one of these, whole. */
const bodyOf = (place: Place, path = 'a.md') =>
  place
    .text(path)
    .replace(/^---\n.*?---\n/su, '')
    .trim();
const authors = (place: Place) => entriesOf(place, 'transformation').map(({ body }) => body.agent.type);
const headCount = async (core: Core, path = 'a.md') => (await core.logFile(path)).heads.length;

async function begin() {
  const place = createTrackingPlace();
  const core = await place.open({ git: false });
  await core.save(savingOf(place, 'a.md', textOf('one')));
  await core.save(savingOf(place, 'a.md', textOf('two')));
  return { place, core };
}

/** Nobody but the writer has written, and the newest version is what the file has. */
async function expectWritersOwn(place: Place, core: Core, where: string) {
  expect(new Set(authors(place)), where).toEqual(new Set(['human']));
  const { revisions, heads } = await core.logFile('a.md');
  expect(heads, where).toHaveLength(1);
  expect((await core.show('a.md', revisions.at(-1)!.revision)).text?.trim(), where).toBe(bodyOf(place));
}

describe('a process that dies at any call of the disk', () => {
  it('in an autosave over an autosave leaves one of the texts, which is the writer’s', async () => {
    const { place, core } = await begin();
    await core.save(savingOf(place, 'a.md', textOf('three'), { auto: true }));
    const before = place.segments();
    const died = await dieAtEveryCall(
      place,
      (other) => other.save(savingOf(place, 'a.md', textOf('four'), { auto: true })),
      async (answer, where) => {
        expect(place.segments(), where).toEqual(before);
        expect(answer === null ? ['three', 'four'] : ['four'], where).toContain(bodyOf(place));
        await expectWritersOwn(place, await heal(place, where), where);
        expect(authors(place), where).toHaveLength(3);
      },
    );
    expect(died).toBeGreaterThan(8);
  });

  it('in the recording of what autosave left due leaves it recorded once', async () => {
    const { place, core } = await begin();
    await core.save(savingOf(place, 'a.md', textOf('three'), { auto: true }));
    const before = place.segments();
    const died = await dieAtEveryCall(
      place,
      (other) => other.settle(null),
      async (_, where) => {
        expectPrefix(place, before, where);
        await expectWritersOwn(place, await heal(place, where), where);
        expect(authors(place), where).toHaveLength(3);
      },
    );
    expect(died).toBeGreaterThan(5);
  });

  it('in an explicit save over an autosave leaves one text, which is the writer’s and follows the version before both', async () => {
    const { place, core } = await begin();
    await core.save(savingOf(place, 'a.md', textOf('three'), { auto: true }));
    const before = place.segments();
    const died = await dieAtEveryCall(
      place,
      (other) => other.save(savingOf(place, 'a.md', textOf('four'))),
      async (answer, where) => {
        expectPrefix(place, before, where);
        expect(answer === null ? ['three', 'four'] : ['four'], where).toContain(bodyOf(place));
        await expectWritersOwn(place, await heal(place, where), where);
        expect(authors(place), where).toHaveLength(3);
      },
      [killed],
    );
    expect(died).toBeGreaterThan(20);
  });

  it('in a restore leaves the text that was there or the earlier one, recorded as such', async () => {
    const { place } = await begin();
    const before = place.segments();
    const died = await dieAtEveryCall(
      place,
      (core) => core.restore({ path: 'a.md', revision: 'v1', base: bytesHash(place.read('a.md')) }),
      async (answer, where) => {
        expectPrefix(place, before, where);
        expect(answer === null ? ['one', 'two'] : ['one'], where).toContain(bodyOf(place));
        await expectWritersOwn(place, await heal(place, where), where);
        const kinds = entriesOf(place, 'transformation').map(({ body }) => body.intent.kind);
        expect(kinds.slice(2), where).toEqual(bodyOf(place) === 'one' ? ['restore'] : []);
      },
      [killed],
    );
    expect(died).toBeGreaterThan(10);
  });

  it('in a join leaves several versions or the joined one', async () => {
    const { place } = await begin();
    const clone = createTrackingPlace();
    for (const [path, { bytes }] of place.tree()) if (!path.endsWith('/')) clone.write(path, Buffer.from(bytes, 'latin1'));
    for (const [at, text] of [
      [place, 'two\n\nmine'],
      [clone, 'theirs\n\ntwo'],
    ] as const) {
      const core = await at.open({ git: false });
      await core.save(savingOf(at, 'a.md', textOf(text)));
      await core.close();
    }
    const known = place.segments();
    for (const [name, bytes] of clone.segments()) if (!known.has(name)) place.write(`.vmark/ledger/${name}`, bytes);
    for (const [path, { bytes }] of clone.tree()) if (/sha256\/..\/./u.test(path)) place.write(path, Buffer.from(bytes, 'latin1'));
    const before = place.segments();
    const died = await dieAtEveryCall(
      place,
      async (core) => {
        const { heads, base } = await core.proposeJoin({ path: 'a.md', copy: null });
        return core.join({
          path: 'a.md',
          copy: null,
          heads,
          base,
          content: null,
          result: { text: 'joined\n' },
          idem: crypto.randomUUID() as Uuid,
        });
      },
      async (answer, where) => {
        expectPrefix(place, before, where);
        expect(answer === null ? ['two\n\nmine', 'joined'] : ['joined'], where).toContain(bodyOf(place));
        const core = await heal(place, where);
        expect(await headCount(core), where).toBe(bodyOf(place) === 'joined' ? 1 : 2);
        expect(new Set(authors(place)), where).toEqual(new Set(['human']));
      },
      [killed],
    );
    expect(died).toBeGreaterThan(10);
  });

  it('in making a copy a new document leaves it held, or a document of its own', async () => {
    const { place } = await begin();
    place.write('copy.md', place.text('a.md'));
    const before = place.segments();
    const died = await dieAtEveryCall(
      place,
      (core) => core.makeNewDocument({ path: 'copy.md', base: bytesHash(place.read('copy.md')) }),
      async (answer, where) => {
        expectPrefix(place, before, where);
        expect(bodyOf(place, 'copy.md'), where).toBe('two');
        const isNew = !place.text('copy.md').includes(id);
        if (answer !== null) expect(isNew, where).toBe(true);
        const core = await heal(place, where, isNew ? [] : ['a.md', 'copy.md']);
        if (isNew) {
          const registered = entriesOf(place, 'object-registered').at(-1)!.body;
          expect(registered, where).toMatchObject({ path: 'copy.md', derived_from: [id] });
          expect((await core.logFile('copy.md')).object, where).toBe(registered.object);
        }
        expect((await core.logFile('a.md')).object, where).toBe(id);
        expect(entriesOf(place, 'object-registered'), where).toHaveLength(isNew ? 2 : 1);
      },
      [killed],
    );
    expect(died).toBeGreaterThan(8);
  });
});
