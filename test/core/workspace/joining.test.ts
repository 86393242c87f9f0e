import { describe, expect, it } from 'vitest';
import type { Core } from '#core';
import { readDocument } from '#core/document';
import type { JoinRequest } from '#core/workspace/joining';
import type { Uuid } from '#kernel/uuid';
import { namedUuid } from '../../helpers/history';
import { createTrackingPlace, entriesOf, inputOf, type Place, recording, savingFrom, savingOf, stamped } from '../../helpers/workspace';

const id = namedUuid('a');
const base = 'one\n\ntwo\n\nthree\n';
const newIdem = () => crypto.randomUUID() as Uuid;

/** Takes the lines that another clone of the ledger has. */
function pull(from: Place, to: Place): void {
  for (const [name, bytes] of from.segments()) to.write(`.vmark/ledger/${name}`, bytes);
  for (const [path, { bytes }] of from.tree())
    if (path.startsWith('.vmark/snapshots/sha256/') && !path.endsWith('/')) to.write(path, Buffer.from(bytes, 'latin1'));
}

/** A document that clones have changed, each in its own way, after their ledgers came together; its file is that of the first. */
async function diverge(...texts: readonly string[]) {
  const place = createTrackingPlace();
  const core = await place.open();
  await core.save(savingOf(place, 'a.md', stamped(id, base)));
  const clones = texts.map(() => createTrackingPlace());
  for (const [at, clone] of clones.entries()) {
    pull(place, clone);
    clone.write('a.md', place.text('a.md'));
    const there = await clone.open();
    await there.save(savingOf(clone, 'a.md', stamped(id, texts[at]!)));
  }
  for (const clone of clones) pull(clone, place);
  place.write('a.md', stamped(id, texts[0]!));
  expect((await core.logFile('a.md')).heads).toHaveLength(texts.length);
  return { place, core, clones };
}

async function requestOf(core: Core, text: string | null, copy: string | null = null): Promise<JoinRequest> {
  const proposal = await core.proposeJoin({ path: 'a.md', copy });
  const merged = proposal.parts?.map((part) => (part.kind === 'same' ? part.text : part.sides[0])).join('') ?? '';
  const content = proposal.sides.find((side) => side.copy !== null)?.content ?? null;
  return { path: 'a.md', copy, heads: proposal.heads, base: proposal.base, content, result: { text: text ?? merged }, idem: newIdem() };
}

describe('versions that are joined', () => {
  it('are merged over what they both come from; the file and all heads follow', async () => {
    const { place, core } = await diverge(base.replace('one', '1'), base.replace('three', '3'));
    const proposal = await core.proposeJoin({ path: 'a.md', copy: null });
    expect(proposal).toMatchObject({ object: id, ancestor: { label: 'v1' }, parts: [{ kind: 'same', text: '1\n\ntwo\n\n3\n' }] });
    expect(proposal.sides.map(({ label, text }) => [label, text]).sort()).toEqual(
      [
        ['v2', base.replace('one', '1')],
        ['v2', base.replace('three', '3')],
      ].sort(),
    );
    const joined = await core.join(await requestOf(core, null));
    expect(joined.kind).toBe('joined');
    expect(place.text('a.md')).toBe(stamped(id, '1\n\ntwo\n\n3\n'));
    const { body } = entriesOf(place, 'transformation').at(-1)!;
    expect(body).toMatchObject({ agent: { type: 'human' }, confidence: 'exact', inputs: [], intent: { kind: 'join' } });
    expect([...body.outputs[0]!.parents].sort()).toEqual([...proposal.heads].sort());
    expect((await core.logFile('a.md')).heads).toHaveLength(1);
    expect(await core.scan()).toMatchObject({ external: 0, unchanged: 1 });
    await expect(core.proposeJoin({ path: 'a.md', copy: null })).rejects.toMatchObject({ code: 'nothing-to-join' });
  });

  it('say their conflicts as data, three and more of them too; no mark comes into the file', async () => {
    const { place, core } = await diverge(base.replace('two', 'dos'), base.replace('two', 'zwei'), base.replace('one', '1'));
    const before = place.text('a.md');
    const { parts, sides } = await core.proposeJoin({ path: 'a.md', copy: null });
    expect(parts?.map(({ kind }) => kind)).toEqual(['same', 'conflict', 'same']);
    const conflict = parts!.find((part) => part.kind === 'conflict')!;
    expect(conflict).toMatchObject({ base: 'two\n', sides: sides.map(({ text }) => /dos\n|zwei\n|two\n/u.exec(text!)![0]) });
    expect(place.text('a.md')).toBe(before);
    await core.join(await requestOf(core, '1\n\nboth\n\nthree\n'));
    expect(place.text('a.md')).toBe(stamped(id, '1\n\nboth\n\nthree\n'));
    expect(entriesOf(place, 'transformation').at(-1)!.body.outputs[0]!.parents).toHaveLength(3);
  });

  it('still rest on what any of them rested on, each source once, until that is answered', async () => {
    const place = createTrackingPlace();
    const core = await place.open();
    for (const name of ['x', 'y', 'z']) await core.save(savingOf(place, `${name}.md`, stamped(namedUuid(name), `${name}\n`)));
    await core.save(savingFrom(place, 'a.md', stamped(id, base), [await inputOf(core, 'x.md')]));
    const read = {
      one: [
        ['x.md', 'direct'],
        ['y.md', 'contextual'],
      ],
      two: [
        ['y.md', 'direct'],
        ['z.md', 'direct'],
      ],
    } as const;
    const clones = Object.entries(read).map(([line, inputs]) => ({ line, inputs, clone: createTrackingPlace() }));
    for (const { line, inputs, clone } of clones) {
      pull(place, clone);
      for (const name of ['a.md', 'x.md', 'y.md', 'z.md']) clone.write(name, place.text(name));
      const there = await clone.open();
      const pinned = await Promise.all(inputs.map(([path, role]) => inputOf(there, path, role)));
      await there.save(savingFrom(clone, 'a.md', stamped(id, base.replace(line, line.toUpperCase())), pinned));
      await there.save(savingOf(clone, 'a.md', clone.text('a.md').replace('three', 'three, by hand')));
    }
    for (const { clone } of clones) pull(clone, place);
    const inputsOf = async () => {
      const { head, inputs } = await core.earlierInputs('a.md');
      return [head !== null, inputs.map(({ path, role }) => `${path} ${role}`).sort()];
    };
    const all = ['x.md direct', 'y.md direct', 'z.md direct'];
    place.write('a.md', clones[0]!.clone.text('a.md'));
    await core.scan();
    expect(await inputsOf()).toEqual([false, all]);
    await core.join(await requestOf(core, null));
    expect(await inputsOf()).toEqual([true, all]);
    expect((await core.breakdown({ all: true, scan: true })).provenanceUnknown.map(({ path }) => path)).toEqual(['a.md']);
    await core.save(savingOf(place, 'a.md', `${place.text('a.md')}more\n`));
    expect(await inputsOf()).toEqual([true, all]);
    await core.save(savingFrom(place, 'a.md', `${place.text('a.md')}again\n`, [await inputOf(core, 'z.md')]));
    await core.save(savingOf(place, 'a.md', `${place.text('a.md')}by hand\n`));
    expect(await inputsOf()).toEqual([true, ['z.md direct']]);
  });

  it('are refused if a head moved, the file was written, or anything else happened since they were proposed', async () => {
    const { place, core } = await diverge(base.replace('one', '1'), base.replace('three', '3'));
    const request = await requestOf(core, null);
    place.write('a.md', place.text('a.md').replace('two', 'outside'));
    expect(await core.join(request)).toEqual({ kind: 'moved' });
    expect(place.text('a.md')).toContain('outside');
    const again = await requestOf(core, null);
    expect(await core.join({ ...again, heads: again.heads.slice(1) })).toEqual({ kind: 'moved' });
    expect(await core.join({ ...again, base: null })).toEqual({ kind: 'moved' });
    expect(entriesOf(place, 'transformation').filter(({ body }) => body.intent.kind === 'join')).toEqual([]);
    expect((await core.join(again)).kind).toBe('joined');
  });

  it('are one entry, however often that is asked for', async () => {
    const { place, core } = await diverge(base.replace('one', '1'), base.replace('three', '3'));
    const request = await requestOf(core, null);
    expect(await core.join(request)).toEqual(await core.join(request));
    expect(entriesOf(place, 'transformation').filter(({ body }) => body.intent.kind === 'join')).toHaveLength(1);
  });

  it('keep how the file is written', async () => {
    const { place, core } = await diverge(base.replace('one', '1'), base.replace('three', '3'));
    place.write('a.md', place.text('a.md').replaceAll('\n', '\r\n'));
    await core.join(await requestOf(core, null));
    expect(place.text('a.md')).toBe(stamped(id, '1\n\ntwo\n\n3\n').replaceAll('\n', '\r\n'));
  });

  it('are told with what is not there: a snapshot that is missing, and one that the merge can do without', async () => {
    const { place, core } = await diverge(base.replace('one', '1'), base.replace('three', '3'));
    const first = readDocument(Buffer.from(base), 'a.md').contentHash.slice(7);
    place.remove(`.vmark/snapshots/sha256/${first.slice(0, 2)}/${first.slice(2)}`);
    expect((await core.proposeJoin({ path: 'a.md', copy: null })).parts?.length).toBeGreaterThan(1);
    const head = readDocument(Buffer.from(base.replace('three', '3')), 'a.md').contentHash.slice(7);
    place.remove(`.vmark/snapshots/sha256/${head.slice(0, 2)}/${head.slice(2)}`);
    await expect(core.proposeJoin({ path: 'a.md', copy: null })).rejects.toMatchObject({ code: 'content-unavailable' });
  });

  it('make a source one that rows can be decided about again, and an artifact whose row asks nothing more', async () => {
    const { place, core, clones } = await diverge(base.replace('one', '1'), base.replace('three', '3'));
    await clones[0]!.open();
    place.write('b.md', stamped(namedUuid('b'), 'b\n'));
    await core.join(await requestOf(core, null));
    await core.record(recording('b.md', 'a.md'));
    await core.save(savingOf(place, 'a.md', place.text('a.md').replace('two', '2')));
    expect((await core.breakdown({ all: false, scan: true })).artifacts[0]!.rows[0]!.state).toBe('version-stale');
    expect(await core.save(savingFrom(place, 'b.md', stamped(namedUuid('b'), 'c\n'), [await inputOf(core, 'a.md')]))).toMatchObject({
      kind: 'saved',
    });
  });

  it('that are no text are joined by taking one of them', async () => {
    const place = createTrackingPlace();
    const core = await place.open();
    const bytes = [0xff, 0xfe, 0xfd].map((byte) => Buffer.from([0x61, byte, 0x0a]));
    place.write('a.md', bytes[0]!);
    await core.track({ paths: ['a.md'], dryRun: false });
    for (const at of [1, 2]) {
      const clone = createTrackingPlace();
      pull(place, clone);
      clone.write('a.md', bytes[0]!);
      await (await clone.open()).save(savingOf(clone, 'a.md', bytes[at]!));
      pull(clone, place);
    }
    place.write('a.md', bytes[1]!);
    const proposal = await core.proposeJoin({ path: 'a.md', copy: null });
    expect([proposal.parts, proposal.sides.map(({ text }) => text)]).toEqual([null, [null, null]]);
    const taken = proposal.sides[1]!.content;
    const { heads, base: now } = proposal;
    expect(
      await core.join({ path: 'a.md', copy: null, heads, base: now, content: null, result: { take: taken }, idem: newIdem() }),
    ).toMatchObject({
      kind: 'joined',
    });
    expect(readDocument(place.read('a.md'), 'a.md').contentHash).toBe(taken);
    expect((await core.logFile('a.md')).heads).toHaveLength(1);
  });
});

const copyNames = [
  'a (conflicted copy 2024-01-02).md',
  'a (Ana’s conflicted copy 2024-01-02).md',
  "a (Ana's conflicted copy 2024-01-02 (1)).md".replace(' (1)', ''),
  'a (Conflicted copy).md',
  'a (copia en conflicto de Ana 2024-01-02).md',
  'a.sync-conflict-20240102-030405-ABCDEFG.md',
  'a (conflicted copy 2024-01-02 030405).md',
];

describe('a conflicted copy of a sync client', () => {
  const begin = async (name = copyNames[0]!) => {
    const place = createTrackingPlace();
    const core = await place.open();
    await core.save(savingOf(place, 'a.md', stamped(id, base)));
    await core.save(savingOf(place, 'a.md', stamped(id, base.replace('one', '1'))));
    place.write(name, stamped(id, base.replace('three', '3')));
    return { place, core, name };
  };

  it.each(copyNames)('is recognised by its name and holds nothing: %s', async (name) => {
    const { place, core } = await begin(name);
    const before = place.segments();
    const report = await core.scan();
    expect(report).toMatchObject({ held: [], external: 0, moved: 0, diagnostics: [{ code: 'conflicted-copy', path: name }] });
    expect(report.diagnostics[0]!.message).toContain('a.md');
    expect(place.segments()).toEqual(before);
    expect(await core.copies()).toEqual({ held: [], copies: [{ object: id, path: name, of: 'a.md' }] });
    expect(await core.save(savingOf(place, 'a.md', place.text('a.md').replace('two', '2')))).toMatchObject({
      recorded: { kind: 'recorded' },
    });
    expect(await core.save(savingOf(place, name, place.text(name)))).toMatchObject({
      recorded: { kind: 'failed', code: 'conflicted-copy' },
    });
    await expect(core.record(recording(name, 'a.md'))).rejects.toMatchObject({ code: 'conflicted-copy' });
  });

  it('is joined with the document over what it was most likely made from, and its text is kept as a version', async () => {
    const { place, core, name } = await begin();
    const proposal = await core.proposeJoin({ path: 'a.md', copy: name });
    expect(proposal).toMatchObject({ ancestor: { label: 'v1' }, parts: [{ kind: 'same', text: '1\n\ntwo\n\n3\n' }] });
    expect(proposal.sides.map(({ copy, revision }) => [copy, revision === null])).toEqual([
      [null, false],
      [name, true],
    ]);
    const request = await requestOf(core, null, name);
    place.write(name, `${place.text(name)}more\n`);
    expect(await core.join(request)).toEqual({ kind: 'moved' });
    place.write(name, stamped(id, base.replace('three', '3')));
    expect(await core.join(request)).toMatchObject({ kind: 'joined' });
    expect(place.text('a.md')).toBe(stamped(id, '1\n\ntwo\n\n3\n'));
    expect(entriesOf(place, 'transformation').at(-1)!.body.outputs[0]!.parents).toHaveLength(2);
    expect((await core.logFile('a.md')).heads).toHaveLength(1);
    place.remove(name);
    expect(await core.scan()).toMatchObject({ external: 0, held: [], diagnostics: [] });
  });

  it('that is an earlier version has nothing to add', async () => {
    const { place, core, name } = await begin();
    place.write(name, stamped(id, base));
    expect(await core.proposeJoin({ path: 'a.md', copy: name })).toMatchObject({
      parts: [{ kind: 'same', text: base.replace('one', '1') }],
    });
  });

  it('is the document itself where the other is gone', async () => {
    const { place, core, name } = await begin();
    place.remove('a.md');
    expect(await core.scan()).toMatchObject({ held: [], moved: 1, external: 1, diagnostics: [] });
    expect((await core.logFile(name)).object).toBe(id);
  });

  it('with a number in its name is one only where its text is a version of the document', async () => {
    const { place, core } = await begin('a (1).md');
    expect(await core.scan()).toMatchObject({ held: ['a (1).md', 'a.md'] });
    place.write('a (1).md', stamped(id, base));
    expect(await core.scan()).toMatchObject({ held: [], diagnostics: [{ code: 'conflicted-copy', path: 'a (1).md' }] });
  });

  it('beside two files that share an id holds them as ever', async () => {
    const { place, core } = await begin();
    place.write('other.md', place.text('a.md'));
    expect(await core.scan()).toMatchObject({ held: ['a.md', 'other.md'] });
  });

  it('or another file is no copy to be joined where its id is another', async () => {
    const { place, core } = await begin();
    await core.save(savingOf(place, 'b.md', 'b\n'));
    await expect(core.proposeJoin({ path: 'a.md', copy: 'b.md' })).rejects.toMatchObject({ code: 'not-a-copy' });
  });
});

describe('a copy that is a new document', () => {
  const begin = async () => {
    const place = createTrackingPlace();
    const core = await place.open();
    await core.save(savingOf(place, 'a.md', stamped(id, base)));
    place.write('copy.md', place.text('a.md').replaceAll('\n', '\r\n').replace(`  id: ${id}`, `    schema: place\r\n    id: ${id} `));
    await core.scan();
    const { kind, ...opened } = (await core.openDocument('copy.md')) as { kind: 'text'; base: string };
    expect(kind).toBe('text');
    return { place, core, copyBase: opened.base };
  };

  it('gets an id of its own, derived from the other, with a first version; the hold ends', async () => {
    const { place, core, copyBase } = await begin();
    const text = place.text('copy.md');
    const made = await core.makeNewDocument({ path: 'copy.md', base: copyBase });
    expect([made.derivedFrom, place.text('copy.md')]).toEqual([id, text.replace(id, made.object)]);
    expect(entriesOf(place, 'object-registered').at(-1)!.body).toEqual({
      object: made.object,
      path: 'copy.md',
      schema: 'place',
      derived_from: [id],
    });
    const { body } = entriesOf(place, 'transformation').at(-1)!;
    expect(body).toMatchObject({
      agent: { type: 'external' },
      confidence: 'unknown',
      inputs: [],
      outputs: [{ object: made.object, parents: [] }],
    });
    expect(await core.scan()).toMatchObject({ held: [], external: 0, adopted: 0, unchanged: 2 });
    expect(await core.save(savingOf(place, 'copy.md', place.text('copy.md').replace('one', '1')))).toMatchObject({
      recorded: { kind: 'recorded', object: made.object },
    });
    expect((await core.logFile('a.md')).revisions).toHaveLength(1);
  });

  it('may be the one at the registered path: the other one is the document then', async () => {
    const { place, core } = await begin();
    const { base: now } = (await core.openDocument('a.md')) as { base: string };
    await core.makeNewDocument({ path: 'a.md', base: now });
    expect(await core.scan()).toMatchObject({ held: [], moved: 1, external: 0 });
    expect((await core.logFile('copy.md')).object).toBe(id);
    expect(place.text('copy.md')).toContain(id);
  });

  it('is refused where the file moved, or is no copy', async () => {
    const { place, core, copyBase } = await begin();
    const before = place.segments();
    place.write('copy.md', `${place.text('copy.md')}more\n`);
    await expect(core.makeNewDocument({ path: 'copy.md', base: copyBase })).rejects.toMatchObject({ code: 'conflict-on-disk' });
    expect(place.segments()).toEqual(before);
    await core.save(savingOf(place, 'b.md', 'b\n'));
    const { base: other } = (await core.openDocument('b.md')) as { base: string };
    await expect(core.makeNewDocument({ path: 'b.md', base: other })).rejects.toMatchObject({ code: 'not-a-copy' });
  });

  it('may be a conflicted copy, too', async () => {
    const { place, core } = await begin();
    const name = copyNames[0]!;
    place.remove('copy.md');
    place.write(name, place.text('a.md'));
    const { base: now } = (await core.openDocument(name)) as { base: string };
    const { object } = await core.makeNewDocument({ path: name, base: now });
    expect((await core.logFile(name)).object).toBe(object);
    expect(await core.scan()).toMatchObject({ held: [], diagnostics: [], unchanged: 2 });
  });
});
