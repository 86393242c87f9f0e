import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Core } from '#core';
import { readDocument } from '#core/document';
import { bytesHash } from '#core/workspace/save';
import { namedUuid } from '../../helpers/history';
import { createTrackingPlace, entriesOf, type Place, savingOf, stamped } from '../../helpers/workspace';

const id = namedUuid('a');
const restoring = (place: Place, path: string, revision: string) => ({ path, revision, base: bytesHash(place.read(path)) });

async function begin(first = stamped(id, 'one\n'), second = stamped(id, 'two\n')) {
  const place = createTrackingPlace();
  const core = await place.open();
  await core.save(savingOf(place, 'a.md', first));
  await core.save(savingOf(place, 'a.md', second));
  return { place, core };
}

const story = async (core: Core, path = 'a.md') =>
  (await core.logFile(path)).revisions.map(({ label, agent, intent }) => `${label} ${agent.type} ${intent.kind}`);

describe('an earlier version', () => {
  it('is put back as a version of the writer’s, which names it', async () => {
    const { place, core } = await begin();
    const { revisions } = await core.logFile('a.md');
    const restored = await core.restore(restoring(place, 'a.md', revisions[0]!.revision));
    expect(restored).toMatchObject({ kind: 'saved', bytes: place.read('a.md'), recorded: { kind: 'recorded', object: id } });
    expect(place.text('a.md')).toBe(stamped(id, 'one\n'));
    const { body } = entriesOf(place, 'transformation').at(-1)!;
    expect(body).toMatchObject({ agent: { type: 'human' }, confidence: 'exact', inputs: [], intent: { kind: 'restore' } });
    expect(body.intent.summary).toContain(revisions[0]!.revision);
    expect(body.outputs[0]!.parents).toEqual([revisions[1]!.revision]);
    expect(await core.scan()).toMatchObject({ external: 0, unchanged: 1 });
  });

  it('takes on how the file is written: its block, line endings and composition', async () => {
    const own = `---\r\ntitle: x\r\nvmark:\r\n    id: ${id}\r\n    schema: place\r\n---\r\nzwei e\u0301\r\n`;
    const { place, core } = await begin(stamped(id, '---\n\nfirst é\nsecond\n'), own);
    await core.restore(restoring(place, 'a.md', 'v1'));
    expect(place.text('a.md')).toBe(`---\r\nvmark:\r\n    id: ${id}\r\n    schema: place\r\n---\r\n---\r\n\r\nfirst e\u0301\r\nsecond\r\n`);
    expect((await core.show('a.md', 'v3')).content_hash).toBe((await core.show('a.md', 'v1')).content_hash);
    await core.restore(restoring(place, 'a.md', 'v2'));
    expect(place.text('a.md')).toBe(own);
  });

  it('keeps a byte order mark, and a document tracked by its path', async () => {
    const { place, core } = await begin('\uFEFFone\r\n', '\uFEFFtwo\r\n');
    await core.restore(restoring(place, 'a.md', 'v1'));
    expect(place.text('a.md')).toBe('\uFEFFone\r\n');
    expect(await story(core)).toHaveLength(3);
  });

  it.each(['picture.png', 'latin.md'])('of what is no text comes back byte for byte: %s', async (path) => {
    const place = createTrackingPlace();
    const core = await place.open();
    const bytes = Buffer.from([0xe9, 0x0d, 0x0a, 0x00, 0xff]);
    place.write(path, bytes);
    await core.track({ paths: [path], dryRun: false });
    expect(await core.save(savingOf(place, path, Buffer.from([0xff, 0xfe, 0x01])))).toMatchObject({ recorded: { kind: 'recorded' } });
    expect(await core.restore(restoring(place, path, 'v1'))).toMatchObject({ kind: 'saved' });
    expect(place.read(path)).toEqual(bytes);
    expect(await core.scan()).toMatchObject({ external: 0, unchanged: 1 });
  });

  it('that is there already records nothing', async () => {
    const { place, core } = await begin();
    expect(await core.restore(restoring(place, 'a.md', 'v2'))).toMatchObject({ recorded: { kind: 'recorded', entry: null } });
    expect(await story(core)).toHaveLength(2);
  });

  it('of a file that is gone makes it again, with its id', async () => {
    const { place, core } = await begin();
    place.remove('a.md');
    await core.restore({ path: 'a.md', revision: 'v1', base: null });
    expect(place.text('a.md')).toBe(stamped(id, 'one\n'));
  });

  it('is refused where the file moved, its text is missing or damaged, it is not known, or a link stands there', async () => {
    const { place, core } = await begin();
    const late = restoring(place, 'a.md', 'v1');
    const hash = readDocument(Buffer.from('one\n'), 'a.md').contentHash.slice(7);
    const snapshot = `.vmark/snapshots/sha256/${hash.slice(0, 2)}/${hash.slice(2)}`;
    place.write('a.md', stamped(id, 'theirs\n'));
    expect(await core.restore(late)).toMatchObject({ kind: 'conflict', bytes: Buffer.from(stamped(id, 'theirs\n')) });
    place.write(snapshot, 'damaged');
    const tree = place.tree();
    await expect(core.restore(restoring(place, 'a.md', 'v1'))).rejects.toMatchObject({ code: 'content-damaged' });
    place.remove(snapshot);
    await expect(core.restore(restoring(place, 'a.md', 'v1'))).rejects.toMatchObject({ code: 'content-unavailable' });
    await expect(core.restore(restoring(place, 'a.md', 'v9'))).rejects.toMatchObject({ code: 'revision-unknown' });
    expect(place.text('a.md')).toBe(tree.get('a.md')!.bytes);
    symlinkSync('a.md', join(place.folder, 'link.md'));
    await expect(core.restore({ path: 'link.md', revision: 'v1', base: null })).rejects.toMatchObject({ code: 'is-a-link' });
  });

  it('comes after what autosave left due, which is a version of its own', async () => {
    const { place, core } = await begin();
    await core.save(savingOf(place, 'a.md', stamped(id, 'three\n'), { auto: true }));
    await core.restore(restoring(place, 'a.md', 'v1'));
    expect(await story(core)).toEqual(['v1 human editor-save', 'v2 human editor-save', 'v3 human editor-save', 'v4 human restore']);
  });

  it('is put back while the setting is off, block and all', async () => {
    const { place, core } = await begin();
    place.setting(false);
    await core.restore(restoring(place, 'a.md', 'v1'));
    expect(place.text('a.md')).toBe(stamped(id, 'one\n'));
  });
});
