import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Core } from '#core';
import { realChance } from '#core/core';
import { formatInstant } from '#kernel/instant';
import type { Uuid } from '#kernel/uuid';
import { createFaultyDisk } from '../../helpers/faulty-disk';
import { namedUuid } from '../../helpers/history';
import { createRepository } from '../../helpers/repository';
import {
  countKinds,
  createTrackingPlace,
  entriesOf,
  inputOf,
  type Place,
  recording,
  savingFrom,
  savingOf,
  stamped,
} from '../../helpers/workspace';

const ledgerOf = (place: Place) => join(place.folder, '.vmark/ledger');
const addLine = (place: Place, line: string) => appendFileSync(join(ledgerOf(place), 'from-elsewhere.jsonl'), `${line}\n`);
const edit = (place: Place, core: Core, path: string, from: string, to: string) =>
  core.save(savingOf(place, path, place.text(path).replace(from, to)));

describe('a clock that goes back', () => {
  it('never puts an entry before what it follows', async () => {
    const place = createTrackingPlace();
    let now = Date.now() + 3_600_000;
    const core = await place.open({ chance: { ...realChance, now: () => now } });
    await core.save(savingOf(place, 'a.md', 'one\n'));
    now -= 7_200_000;
    for (const [from, to] of [
      ['one', 'two'],
      ['two', 'three'],
    ] as const)
      await edit(place, core, 'a.md', from, to);
    place.write('a.md', place.text('a.md').replace('three', 'four'));
    await core.scan();
    const made = entriesOf(place, 'transformation');
    expect(made.map(({ body }) => body.agent.type)).toEqual(['human', 'human', 'human', 'external']);
    for (const [at, entry] of made.entries()) {
      expect(entry.instant).toBeGreaterThan(made[at - 1]?.instant ?? 0);
      expect(entry.body.outputs[0]!.parents).toEqual(at === 0 ? [] : [made[at - 1]!.body.outputs[0]!.revision]);
    }
    expect((await core.logFile('a.md')).revisions.map(({ label }) => label)).toEqual(['v1', 'v2', 'v3', 'v4']);
  });

  it('never keeps a document from the path that another one had', async () => {
    const place = createTrackingPlace();
    let now = Date.now() + 3_600_000;
    const core = await place.open({ chance: { ...realChance, now: () => now } });
    await core.save(savingOf(place, 'a.md', stamped(namedUuid('first'), 'one\n')));
    place.write('b.md', place.text('a.md'));
    place.remove('a.md');
    await core.scan();
    now -= 7_200_000;
    // It cannot carry an id, so nothing but its path says what it is.
    const first = await core.save(savingOf(place, 'a.md', '\uFEFFone\n'));
    const second = await core.save(savingOf(place, 'a.md', '\uFEFFtwo\n'));
    expect(second).toMatchObject({
      recorded: { object: first.kind === 'saved' && first.recorded.kind === 'recorded' && first.recorded.object },
    });
    expect((await core.logFile('a.md')).revisions).toHaveLength(2);
    expect((await core.logFile('b.md')).object).toBe(namedUuid('first'));
  });
});

describe('a ledger that holds an entry of a newer format', () => {
  const createFuture = async () => {
    const place = createTrackingPlace();
    const core = await place.open();
    await core.save(savingOf(place, 'source.md', 'one\n'));
    await core.save(savingFrom(place, 'a.md', 'one\n', [await inputOf(core, 'source.md')]));
    await edit(place, core, 'source.md', 'one', 'two');
    const [row] = (await core.breakdown({ all: false, scan: true })).artifacts[0]!.rows;
    const [entry] = place.entries();
    addLine(
      place,
      JSON.stringify({ ...entry, format: 1, id: namedUuid('future'), idem: namedUuid('future'), raw: undefined, instant: undefined }),
    );
    return { place, core, row: row! };
  };

  it('gets nothing from us, with a sentence, while every file is saved', async () => {
    const { place, core, row } = await createFuture();
    const before = place.segments();
    const stored = () => [...place.tree().keys()].filter((path) => path.startsWith('.vmark/snapshots/'));
    const texts = stored();
    const failure = {
      kind: 'saved',
      recorded: { kind: 'failed', code: 'ledger-from-the-future', message: expect.stringMatching(/newer format.*\.$/u) },
    };
    expect(await edit(place, core, 'a.md', 'one', 'two')).toMatchObject(failure);
    expect(place.text('a.md')).toMatch(/two\n$/u);
    expect(await core.save(savingOf(place, 'new.md', 'new\n'))).toMatchObject(failure);
    expect(place.text('new.md')).toMatch(/new\n$/u);
    const against = row.current!.revision as never;
    const edge = { txf: row.edge!.txf as Uuid, input: row.edge!.input };
    const refused = { code: 'ledger-from-the-future' };
    await expect(core.resolve({ edge, against, decision: { kind: 'accept' } })).rejects.toMatchObject(refused);
    await expect(core.record(recording('a.md', 'source.md'))).rejects.toMatchObject(refused);
    await expect(core.track({ paths: ['new.md'], dryRun: false })).rejects.toMatchObject(refused);
    place.write('source.md', `${place.text('source.md')}by another program\n`);
    await expect(core.scan()).rejects.toMatchObject(refused);
    expect(place.segments()).toEqual(before);
    expect(stored()).toEqual(texts);
  });

  it('is read as far as it can be, and that is said', async () => {
    const { core } = await createFuture();
    expect((await core.breakdown({ all: false, scan: false })).counts['version-stale']).toBe(1);
    expect(await core.verify({ restoreLines: false })).toMatchObject({ ok: false, future: 1, problems: [{ code: 'future-format' }] });
  });

  it('does not get what a crash left staged either, and the stage waits until it is gone', async () => {
    const { place } = await createFuture();
    const future = readFileSync(join(ledgerOf(place), 'from-elsewhere.jsonl'));
    rmSync(join(ledgerOf(place), 'from-elsewhere.jsonl'));
    const faulty = createFaultyDisk();
    const core = await place.open({ disk: faulty.disk });
    const input = await inputOf(core, 'source.md');
    faulty.plan({ at: 0, failure: 'killed', kind: 'writeSync', path: /ledger/u });
    await core.save(savingFrom(place, 'a.md', place.text('a.md').replace('one', 'two'), [input])).catch(() => null);
    await core.close();
    writeFileSync(join(ledgerOf(place), 'from-elsewhere.jsonl'), future);
    const before = place.segments();
    const other = await place.open();
    await expect(other.scan()).rejects.toMatchObject({ code: 'ledger-from-the-future' });
    expect(place.segments()).toEqual(before);
    rmSync(join(ledgerOf(place), 'from-elsewhere.jsonl'));
    expect(await other.scan()).toMatchObject({ external: 0 });
    expect((await other.logFile('a.md')).revisions.at(-1)).toMatchObject({ agent: { type: 'model' }, inputs: [{ path: 'source.md' }] });
  });
});

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\/]/gu, '\\$&');

describe('a broken line', () => {
  const broken = ['{"format":0,', 'no JSON', '{"format":0,"id":"x"}', '   ', '{"a":\u0000}', '['.repeat(200)];

  it('in the middle is counted, said and kept aside, and nothing else is lost', async () => {
    const place = createTrackingPlace();
    const core = await place.open();
    await core.save(savingOf(place, 'a.md', 'one\n'));
    const [name] = readdirSync(ledgerOf(place)).filter((one) => one.endsWith('.jsonl'));
    const file = join(ledgerOf(place), name!);
    const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
    writeFileSync(file, `${[lines[0], ...broken, ...lines.slice(1)].join('\n')}\n`);
    const scanned = await core.scan();
    expect(scanned.diagnostics.filter(({ code }) => code === 'quarantined-entry')).toHaveLength(broken.length);
    expect((await core.status()).quarantined).toBe(broken.length);
    expect(await edit(place, core, 'a.md', 'one', 'two')).toMatchObject({ recorded: { kind: 'recorded' } });
    expect(readFileSync(file, 'utf8').startsWith(`${[lines[0], ...broken].join('\n')}\n`)).toBe(true);
    const fresh = await place.open();
    expect((await fresh.logFile('a.md')).revisions.map(({ label }) => label)).toEqual(['v1', 'v2']);
    const { ok, quarantined, entries } = await fresh.verify({ restoreLines: false });
    expect([ok, quarantined.map(({ line }) => line), entries]).toEqual([false, broken.map((_, at) => at + 2), place.entries().length]);
    const bad = readFileSync(join(ledgerOf(place), 'quarantine', `${name}.bad`), 'utf8');
    for (const [at, line] of broken.entries()) expect(bad).toMatch(new RegExp(`^# line ${at + 2}, .+\n${escaped(line)}$`, 'mu'));
  });

  it('is kept aside once, and said once in the ledger', async () => {
    const place = createTrackingPlace();
    const core = await place.open();
    await core.save(savingOf(place, 'a.md', 'one\n'));
    addLine(place, 'no JSON');
    for (const [from, to] of [
      ['one', 'two'],
      ['two', 'three'],
    ] as const) {
      place.write('a.md', place.text('a.md').replace(from, to));
      await core.scan();
      await (await place.open()).scan();
    }
    expect(countKinds(place)).toMatchObject({ diagnostic: 1 });
    expect(readFileSync(join(ledgerOf(place), 'quarantine/from-elsewhere.jsonl.bad'), 'utf8').match(/no JSON$/gmu)).toHaveLength(1);
  });

  it('is the same one wherever a merge has put it, again and again, and is kept to the byte', async () => {
    const place = createTrackingPlace();
    const core = await place.open();
    await core.save(savingOf(place, 'a.md', 'one\n'));
    const file = join(ledgerOf(place), 'from-elsewhere.jsonl');
    const line = Buffer.from([0x7b, 0xff, 0x7d, 0x0a]);
    writeFileSync(file, line);
    for (const [from, to] of [
      ['one', 'two'],
      ['two', 'three'],
    ] as const) {
      place.write('a.md', place.text('a.md').replace(from, to));
      expect((await core.scan()).diagnostics).toMatchObject([{ code: 'quarantined-entry', path: 'from-elsewhere.jsonl:1' }]);
      appendFileSync(file, Buffer.concat([line, line]));
    }
    expect(countKinds(place)).toMatchObject({ diagnostic: 1 });
    const bad = readFileSync(join(ledgerOf(place), 'quarantine/from-elsewhere.jsonl.bad'));
    expect(bad.toString('latin1')).toMatch(/^# line 1, [^\n]+\n\{\xff\}\n$/u);
  });

  it('that a merge has moved to another segment is said once in the ledger, and shown where it is now', async () => {
    const place = createTrackingPlace();
    const core = await place.open();
    await core.save(savingOf(place, 'a.md', 'one\n'));
    addLine(place, 'no JSON');
    const paths = async (from: string, to: string) => {
      place.write('a.md', place.text('a.md').replace(from, to));
      return (await core.scan()).diagnostics.map(({ path }) => path);
    };
    expect(await paths('one', 'two')).toEqual(['from-elsewhere.jsonl:1']);
    const [before, after] = ['from-elsewhere.jsonl', 'another.jsonl'].map((name) => join(ledgerOf(place), name)) as [string, string];
    writeFileSync(after, '\nno JSON\n');
    expect(await paths('two', 'three')).toEqual(['from-elsewhere.jsonl:1']);
    rmSync(before);
    expect(await paths('three', 'four')).toEqual(['another.jsonl:2']);
    addLine(place, 'no JSON either');
    expect(await paths('four', 'five')).toEqual(['another.jsonl:2', 'from-elsewhere.jsonl:1']);
    // Of one place the ledger tells once: code and path make the idem (`spec/format.md` §5).
    expect(countKinds(place)).toMatchObject({ diagnostic: 1 });
  });

  it('among thousands costs one look over its segment', async () => {
    const place = createTrackingPlace();
    const core = await place.open();
    await core.save(savingOf(place, 'a.md', 'one\n'));
    const lines = Array.from({ length: 20_000 }, (_, at) => `no JSON ${at}${' '.repeat(100)}`);
    writeFileSync(join(ledgerOf(place), 'from-elsewhere.jsonl'), lines.map((line) => `${line}\n`).join(''));
    const { diagnostics } = await core.scan();
    expect(diagnostics.map(({ path }) => path)).toEqual(lines.map((_, at) => `from-elsewhere.jsonl:${at + 1}`));
    const bad = readFileSync(join(ledgerOf(place), 'quarantine/from-elsewhere.jsonl.bad'), 'utf8').split('\n');
    expect(bad.filter((_, at) => at % 2 === 1)).toEqual(lines);
  });

  it('costs nothing else where it cannot be kept aside', async () => {
    const place = createTrackingPlace();
    await (await place.open()).save(savingOf(place, 'a.md', 'one\n'));
    addLine(place, 'no JSON');
    const faulty = createFaultyDisk();
    const core = await place.open({ disk: faulty.disk });
    faulty.plan({ at: 0, failure: 'EACCES', path: /quarantine/u, lasting: true });
    expect(await core.scan()).toMatchObject({ complete: true, unchanged: 1, diagnostics: [{ code: 'quarantined-entry' }] });
    expect(existsSync(join(ledgerOf(place), 'quarantine'))).toBe(false);
  });
});

describe('a stage that is not of our making', () => {
  it.each([
    ['no JSON', () => 'no JSON'],
    ['null', () => 'null'],
    ['lines that are no entries', (place: Place) => stageOf(place, 'a.md', 'x\ny\n')],
    ['a line without its end', (place: Place) => stageOf(place, 'a.md', place.lines()[0]!)],
    ['a path out of the workspace', (place: Place) => stageOf(place, '../a.md', `${place.lines()[0]!}\n`)],
  ] as const)('adds nothing to the ledger, and goes: %s', async (_, make) => {
    const place = createTrackingPlace();
    const core = await place.open();
    await core.save(savingOf(place, 'a.md', 'one\n'));
    const before = place.segments();
    place.write('.vmark/snapshots/tmp/x.json', make(place));
    expect(await core.scan()).toMatchObject({ complete: true, external: 0 });
    expect(place.segments()).toEqual(before);
    expect(readdirSync(join(place.folder, '.vmark/snapshots/tmp'))).toEqual([]);
  });
});

describe('a stage', () => {
  const begin = async () => {
    const place = createTrackingPlace();
    const core = await place.open();
    await core.save(savingOf(place, 'a.md', 'one\n'));
    const file = join(place.folder, '.vmark/snapshots/tmp/x.json');
    return { place, core, file, put: (path = 'gone.md') => writeFileSync(file, stageOf(place, path, `${place.lines()[0]!}\n`)) };
  };

  it('whose file was never written is dropped at once under the lock, and without one after an hour', async () => {
    const { place, core, file, put } = await begin();
    put();
    const faulty = createFaultyDisk();
    faulty.plan({ at: 0, failure: 'EROFS', kind: 'mkdirSync', path: /locks/u, lasting: true });
    const unlocked = await place.open({ disk: faulty.disk });
    await unlocked.scan();
    expect([existsSync(file), faulty.hasFailed]).toEqual([true, true]);
    const then = new Date(Date.now() - 3_601_000);
    utimesSync(file, then, then);
    place.write('a.md', place.text('a.md').replace('one', 'two'));
    await unlocked.scan();
    expect(existsSync(file)).toBe(false);
    put();
    await core.scan();
    expect(existsSync(file)).toBe(false);
  });

  it('whose file is a folder by now is dropped, and one whose file cannot be read waits; nobody is kept from saving', async () => {
    const { place, core, file, put } = await begin();
    mkdirSync(join(place.folder, 'folder.md'));
    put('folder.md');
    expect(await core.scan()).toMatchObject({ complete: true });
    expect(existsSync(file)).toBe(false);
    put('b.md');
    place.write('b.md', 'text\n');
    const faulty = createFaultyDisk();
    const other = await place.open({ disk: faulty.disk });
    faulty.plan({ at: 0, failure: 'EACCES', kind: 'readFileSync', path: /b\.md$/u, lasting: true });
    expect(await edit(place, other, 'a.md', 'one', 'two')).toMatchObject({ recorded: { kind: 'recorded' } });
    expect([existsSync(file), faulty.hasFailed]).toEqual([true, true]);
  });
});

function stageOf(place: Place, path: string, line: string): string {
  const { content_hash } = entriesOf(place, 'transformation')[0]!.body.outputs[0]!;
  return JSON.stringify({ path, content_hash, entries: [{ id: namedUuid('id'), idem: namedUuid('idem'), line }] });
}

describe('lines that git ate', () => {
  it('at the moment at which they were written cost the save nothing, and come back', async () => {
    const place = createTrackingPlace();
    const faulty = createFaultyDisk();
    const core = await place.open({ disk: faulty.disk });
    faulty.before(
      ({ name, path }) => name === 'closeSync' && path.startsWith(ledgerOf(place)) && path.endsWith('.jsonl') && existsSync(path),
      () => rmSync(ledgerOf(place), { recursive: true }),
    );
    expect(await core.save(savingOf(place, 'a.md', 'one\n'))).toMatchObject({ kind: 'saved', recorded: { kind: 'recorded' } });
    expect(place.lines()).toEqual([]);
    faulty.before(
      () => false,
      () => {},
    );
    expect(await edit(place, core, 'a.md', 'one', 'two')).toMatchObject({ kind: 'saved', recorded: { kind: 'recorded' } });
    await core.verify({ restoreLines: true });
    expect((await core.logFile('a.md')).revisions).toHaveLength(2);
  });

  it.each([
    ['the next save', (place: Place, core: Core) => edit(place, core, 'a.md', 'two', 'three')],
    [
      'the next scan, which sees another edit',
      (place: Place, core: Core) => {
        place.write('a.md', place.text('a.md').replace('two', 'three'));
        return core.scan();
      },
    ],
  ] as const)('a moment ago are there before the parents of %s are asked for', async (_, act) => {
    const { folder, git, commit } = createRepository();
    const place = createTrackingPlace(folder);
    const core = await place.open();
    await core.save(savingOf(place, 'b.md', 'another\n'));
    commit('b');
    await core.save(savingOf(place, 'a.md', 'one\n'));
    await edit(place, core, 'a.md', 'one', 'two');
    const before = place.entries();
    git('clean', '--quiet', '--force', '-d', '--', '.vmark/ledger');
    expect(place.entries()).toHaveLength(2);
    await act(place, core);
    expect(place.entries().slice(0, before.length)).toEqual(before);
    const { heads, revisions } = await core.logFile('a.md');
    expect([heads.length, revisions.map(({ label }) => label)]).toEqual([1, ['v1', 'v2', 'v3']]);
    expect((await core.logFile('b.md')).revisions).toHaveLength(1);
  });

  it('come back from the app data, ids and idems unchanged', async () => {
    const place = createTrackingPlace();
    const core = await place.open();
    await core.save(savingOf(place, 'a.md', 'one\n'));
    await core.save(savingOf(place, 'b.md', 'one\n'));
    const before = place.entries();
    for (const name of readdirSync(ledgerOf(place)))
      if (name.endsWith('.jsonl')) writeFileSync(join(ledgerOf(place), name), `${place.lines()[0]}\n`);
    expect((await core.verify({ restoreLines: false })).ok).toBe(false);
    expect((await core.verify({ restoreLines: true })).restored).toBe(3);
    expect(place.entries()).toEqual(before);
    expect(await core.verify({ restoreLines: true })).toMatchObject({ ok: true, restored: 0 });
    expect(formatInstant(before[0]!.instant)).toBe(before[0]!.time);
  });
});
