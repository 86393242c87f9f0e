import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Core } from '#core';
import { realDisk } from '#core/storage/disk';
import type { Outputs } from '#protocol';
import { codeOf } from '../../helpers/fault.ts';
import { createFaultyDisk } from '../../helpers/faulty-disk.ts';
import { createRepository } from '../../helpers/repository.ts';
import {
  createFolder,
  createPlace,
  createTrackingPlace,
  entriesOf,
  type Place,
  recording,
  type Surroundings,
} from '../../helpers/workspace.ts';

const by = { type: 'external', id: 'a test' } as const;
const reader = (extra = '') => `export function readRows(text: string): string[] {
  const lines = text.split("\\n");
${extra}  return lines.map((line) => line.trim()).filter(Boolean);
}
`;
const changed = reader('  if (lines.length > 99) throw new Error(text);\n');

interface Anchoring {
  readonly file?: string;
  readonly name?: string;
  readonly lines?: [number, number];
  readonly repository?: string;
}

async function anchor(core: Core, { file = 'src/rows.ts', name = 'readRows', lines, repository }: Anchoring = {}): Promise<string> {
  const target =
    lines === undefined
      ? { kind: 'declaration' as const, name, declared: null }
      : { kind: 'lines' as const, lines: { start: lines[0], end: lines[1] } };
  return (await core.anchors.add({ document: 'a.md', section: [], repository: repository ?? null, file, target, by })).id;
}

function createCode(files: Readonly<Record<string, string>> = { 'src/rows.ts': reader() }): Place {
  const place = createTrackingPlace();
  place.write('a.md', '# A\n');
  for (const [path, text] of Object.entries(files)) place.write(path, text);
  return place;
}

/** Nothing here is about power cuts, and a flush takes longer than a check. */
const open = (place: Place, other: Surroundings = {}) =>
  place.open({ disk: { ...realDisk, fsyncSync() {}, fdatasyncSync() {}, flush: async () => {} }, ...other });

const check = (core: Core) => core.anchors.check({ document: null, observe: true });
type Check = Outputs['anchors-check'];
const summary = ({ anchors, complete, budget, unchecked_anchor_ids }: Check) => ({
  complete,
  limit: budget.limit,
  unchecked: unchecked_anchor_ids.length,
  anchors: anchors.map(({ state, detail }) => `${state} ${detail.reason}`),
});
/** As if the files had been written an hour ago. */
function settle(place: Place): void {
  const then = new Date(Date.now() - 3_600_000);
  for (const path of place.tree().keys()) if (!path.endsWith('/')) utimesSync(join(place.folder, path), then, then);
}
/** Settings of the app beside the one that turns provenance on. */
function budget(place: Place, app: Readonly<Record<string, number>>): void {
  writeFileSync(join(place.home, 'settings.json'), JSON.stringify({ insertIdentity: true, app }));
}

describe('a confirmation', () => {
  it('of two at once is recorded once', async () => {
    const place = createCode();
    const [one, other] = [await open(place), await open(place)];
    const id = await anchor(one);
    place.write('src/rows.ts', changed);
    const hashSeen = (await check(one)).anchors[0]!.detail.actual_hash!;
    const both = await Promise.all([one, other].map((core) => core.anchors.confirm({ id, hashSeen, note: '', by })));
    expect(both.filter((answer) => answer.changed)).toHaveLength(1);
    expect(both.map(({ state }) => state)).toEqual(['fresh', 'fresh']);
    expect(entriesOf(place, 'code-anchor-confirmation')).toHaveLength(1);
    expect(summary(await check(other)).anchors).toEqual(['fresh identity_matched']);
  });

  it('is refused when the code is not what was seen, when nobody looked, and when it is gone', async () => {
    const place = createCode();
    const core = await open(place);
    const id = await anchor(core);
    const confirm = (hashSeen: string | null) => core.anchors.confirm({ id, hashSeen, note: '', by });
    place.write('src/rows.ts', changed);
    expect(await codeOf(confirm(null))).toBe('anchor-unseen');
    const seen = (await check(core)).anchors[0]!.detail.actual_hash!;
    place.write('src/rows.ts', reader('  void lines;\n'));
    expect(await codeOf(confirm(seen))).toBe('anchor-moved');
    expect(await codeOf(confirm(null))).toBe('anchor-moved');
    place.write('src/rows.ts', 'export {};\n');
    expect(await codeOf(confirm(seen))).toBe('anchor-lost');
    place.write('src/rows.ts', changed);
    expect(await confirm(seen)).toMatchObject({ changed: true, state: 'fresh' });
    expect(await confirm(null)).toMatchObject({ changed: false });
    expect(await codeOf(core.anchors.confirm({ id: 'nothing', hashSeen: null, note: '', by }))).toBe('anchor-unknown');
  });

  it('after a move makes the new place and name the baseline', async () => {
    const place = createCode();
    const core = await open(place);
    const id = await anchor(core);
    place.remove('src/rows.ts');
    place.write('lib/[slug]/(rows)/read.ts', reader().replace('readRows', 'parseRows'));
    expect((await check(core)).anchors[0]).toMatchObject({
      state: 'moved-renamed',
      detail: { reason: 'moved_and_renamed', moved_to: 'lib/[slug]/(rows)/read.ts', renamed_to: 'parseRows', body_changed: false },
    });
    await core.anchors.confirm({ id, hashSeen: null, note: '', by });
    expect((await check(core)).anchors[0]).toMatchObject({
      state: 'fresh',
      file_hint: 'lib/[slug]/(rows)/read.ts',
      qualified_name: 'parseRows',
    });
  });
});

describe('a warning', () => {
  it('stays when the code is again as it was, and is written down once', async () => {
    const place = createCode();
    const core = await open(place);
    await anchor(core);
    place.write('src/rows.ts', changed);
    await check(core);
    await check(await open(place));
    expect(entriesOf(place, 'code-anchor-observation')).toHaveLength(1);
    place.write('src/rows.ts', reader());
    for (const _ of [1, 2]) expect(summary(await check(core)).anchors).toEqual(['stale reverted']);
    expect(entriesOf(place, 'code-anchor-observation')).toHaveLength(2);
    place.remove('src/rows.ts');
    expect(summary(await check(core)).anchors).toEqual(['lost file_missing']);
    place.write('src/rows.ts', reader());
    expect(summary(await check(core)).anchors).toEqual(['lost reverted']);
  });

  it('is not written down by those who only ask', async () => {
    const place = createCode();
    const core = await open(place);
    await anchor(core);
    place.write('src/rows.ts', changed);
    const before = place.lines().length;
    expect((await core.check({ failOn: ['stale'] })).failing).toEqual({ stale: 1 });
    expect((await core.breakdown({ all: false, scan: true })).counts.stale).toBe(1);
    expect((await core.anchors.check({ document: 'a.md', observe: false })).anchors[0]?.state).toBe('stale');
    expect(place.lines()).toHaveLength(before);
    await core.breakdown({ all: false, scan: true, observe: true });
    expect(entriesOf(place, 'code-anchor-observation')).toHaveLength(1);
    expect((await core.breakdown({ all: false, scan: false })).codeAnchors[0]?.state).toBe('stale');
    expect((await core.status()).counts.stale).toBe(1);
  });

  it('is said also where the ledger cannot be written', async () => {
    const place = createCode();
    await anchor(await open(place));
    place.write('src/rows.ts', changed);
    const faulty = createFaultyDisk();
    const core = await open(place, { disk: faulty.disk, git: false });
    faulty.plan({ at: 0, failure: 'EROFS', kind: 'writeSync', path: /ledger/u, lasting: true });
    expect(summary(await check(core)).anchors).toEqual(['stale body_changed']);
    expect(entriesOf(place, 'code-anchor-observation')).toHaveLength(0);
    faulty.plan(null);
    await check(core);
    expect(entriesOf(place, 'code-anchor-observation')).toHaveLength(1);
  });

  it('of a document that is gone stands in no breakdown', async () => {
    const place = createCode();
    const core = await open(place);
    await anchor(core);
    place.write('src/rows.ts', changed);
    place.remove('a.md');
    expect(await core.breakdown({ all: false, scan: true })).toMatchObject({ codeAnchors: [], counts: { stale: 0 } });
  });
});

describe('a budget', () => {
  const many = Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [`src/${name}.ts`, reader().replace('readRows', `read${name}`)]));

  it('of files leaves the rest as they were last seen', async () => {
    const place = createCode(many);
    const core = await open(place);
    for (const name of ['a', 'b', 'c']) await anchor(core, { file: `src/${name}.ts`, name: `read${name}` });
    place.write('src/a.ts', changed.replace('readRows', 'reada'));
    place.write('src/c.ts', changed.replace('readRows', 'readc'));
    await check(core);
    budget(place, { 'anchors.files': 2 });
    expect(summary(await check(core))).toEqual({
      complete: false,
      limit: 'files',
      unchecked: 1,
      anchors: ['stale body_changed', 'fresh identity_matched', 'stale budget'],
    });
    expect(await core.check({ failOn: [] })).toMatchObject({ ok: false, complete: false, reason: 'code-unchecked' });
  });

  it.each([
    ['repository_files', { 'anchors.repositoryFiles': 3 }],
    ['bytes', { 'anchors.megabytes': 0.0005 }],
  ])('of %s gives no answer but those of the own file', async (limit, app) => {
    const place = createCode(many);
    const core = await open(place);
    for (const name of ['a', 'b']) await anchor(core, { file: `src/${name}.ts`, name: `read${name}` });
    place.write('src/a.ts', 'export {};\n');
    place.write('lib/z.ts', many['src/a.ts']!);
    budget(place, app);
    expect(summary(await check(core))).toEqual({
      complete: false,
      limit,
      unchecked: 1,
      anchors: ['fresh budget', 'fresh identity_matched'],
    });
    budget(place, {});
    expect(summary(await check(core)).anchors).toEqual(['moved-renamed moved', 'fresh identity_matched']);
  });

  it('that was spent when an anchor was made lets nothing elsewhere be its successor', async () => {
    const place = createCode(many);
    budget(place, { 'anchors.repositoryFiles': 1 });
    const core = await open(place, { git: false });
    await anchor(core, { file: 'src/a.ts', name: 'reada' });
    budget(place, {});
    place.write('src/a.ts', 'export {};\n');
    place.write('lib/z.ts', many['src/a.ts']!);
    expect(summary(await check(core)).anchors).toEqual(['lost ambiguous']);
  });
});

describe('a second check', () => {
  it('of files that did not change reads nothing, also in another process', async () => {
    const place = createCode();
    const core = await open(place);
    await anchor(core);
    await anchor(core, { lines: [1, 2] });
    settle(place);
    expect((await check(core)).budget.files_read).toBeGreaterThan(0);
    for (const again of [core, await open(place)]) {
      const { budget: spent, anchors } = await check(again);
      expect([spent.files_read, spent.bytes_read, anchors.map(({ state }) => state)]).toEqual([0, 0, ['fresh', 'fresh']]);
    }
  });

  it('goes on without its cache, and with one that is damaged', async () => {
    const place = createCode();
    await anchor(await open(place));
    for (const damage of ['not a database', '']) {
      writeFileSync(join(place.home, 'code', 'declarations.db'), damage);
      expect(summary(await check(await open(place))).anchors).toEqual(['fresh identity_matched']);
    }
  });
});

describe('an upgraded recipe', () => {
  /** Rewrites the ledger as an older program would have written it. */
  function age(place: Place): void {
    for (const [name, bytes] of place.segments()) {
      const old = bytes
        .toString('utf8')
        .replaceAll(/"(token|body|signature|shape)":"[0-9a-f]{64}"/gu, '"$1":"of another recipe"')
        .replaceAll(/"recipe":"[^"]*"/gu, '"recipe":"0:of yesterday"');
      writeFileSync(join(place.folder, '.vmark', 'ledger', name), old);
    }
  }

  it('flags nothing that did not change, and still what did', async () => {
    const place = createCode({
      'src/rows.ts': reader(),
      'src/bed.kt': 'class Bed {\n    fun water(rows: Int): Int {\n        return rows * 3 + rows\n    }\n}\n',
    });
    const core = await open(place);
    await anchor(core);
    await anchor(core, { file: 'src/bed.kt', name: 'Bed.water(rows)' });
    age(place);
    expect(summary(await check(await open(place))).anchors).toEqual(['fresh identity_matched', 'fresh identity_matched']);
    place.write('src/rows.ts', changed);
    expect(summary(await check(await open(place))).anchors).toEqual(['fresh identity_matched', 'stale body_changed']);
  });
});

describe('a path', () => {
  it.each([
    'app/[slug]/page.tsx',
    'app/(group)/a b,c~#$.ts',
    '.github/scripts/run.mts',
    '日本語/コード.ts',
    "it's/«ñandú».ts",
    '-rf/--all.ts',
  ])('%s is as good as any', async (file) => {
    const place = createCode({ [file]: reader() });
    const core = await open(place);
    await anchor(core, { file });
    place.write(file, changed);
    expect((await check(core)).anchors[0]).toMatchObject({ file_hint: file, state: 'stale', detail: { file } });
  });

  it('is found in either spelling of its letters', async () => {
    const [composed, decomposed] = ['src/añadir.ts'.normalize('NFC'), 'src/añadir.ts'.normalize('NFD')];
    const place = createCode({ [decomposed]: reader() });
    const core = await open(place);
    const id = await anchor(core, { file: composed });
    expect(summary(await check(core)).anchors).toEqual(['fresh identity_matched']);
    place.remove(decomposed);
    place.write(composed, changed);
    expect(summary(await check(core)).anchors).toEqual(['stale body_changed']);
    expect(await core.anchors.confirm({ id, hashSeen: null, note: '', by })).toMatchObject({ state: 'fresh' });
  });
});

describe('a hostile folder', () => {
  it('is walked past links, pipes, huge files and what is no text', async () => {
    const place = createCode();
    const outside = createFolder('outside');
    writeFileSync(join(outside, 'secret.ts'), reader());
    mkdirSync(join(place.folder, 'deep'));
    symlinkSync('..', join(place.folder, 'deep', 'loop'));
    symlinkSync(outside, join(place.folder, 'out'));
    symlinkSync(join(outside, 'secret.ts'), join(place.folder, 'link.ts'));
    execFileSync('mkfifo', [join(place.folder, 'pipe.ts')]);
    place.write('huge.ts', `${reader()}${'// padding\n'.repeat(100_000)}`);
    place.write('latin.ts', Buffer.from(`${reader()}// \xe9\n`, 'latin1'));
    const core = await open(place);
    await anchor(core);
    const refused = (file: string) => codeOf(anchor(core, { file }));
    expect(await refused('link.ts')).toBe('file-unreadable');
    expect(await refused('pipe.ts')).toBe('file-unreadable');
    expect(await refused('latin.ts')).toBe('file-unreadable');
    expect(await refused('huge.ts')).toBe('file-too-large');
    expect(await refused('out/secret.ts')).toBe('outside-workspace');
    expect(await refused('.vmark/x.ts')).toBe('path-invalid');
    place.remove('src/rows.ts');
    expect(summary(await check(core)).anchors).toEqual(['lost file_missing']);
  });

  it('keeps what became unreadable, too large or a link in its state', async () => {
    const place = createCode();
    const core = await open(place);
    await anchor(core);
    place.write('src/rows.ts', changed);
    await check(core);
    const becomes = async (content: Buffer | string) => {
      place.write('src/rows.ts', content);
      return summary(await check(core));
    };
    const kept = (reason: string) => ({ complete: false, limit: null, unchecked: 1, anchors: [`stale ${reason}`] });
    expect(await becomes(Buffer.from([0xff, 0xfe, 0x00]))).toEqual(kept('unreadable'));
    expect(await becomes('/'.repeat(1_000_001))).toEqual(kept('too_large'));
    expect(await becomes('export function readRows(text: string) {\n  return text.split(;\n')).toEqual(kept('parse_error'));
    place.remove('src/rows.ts');
    symlinkSync('/etc/passwd', join(place.folder, 'src', 'rows.ts'));
    expect(summary(await check(core))).toEqual(kept('unreadable'));
    place.remove('src');
    symlinkSync(createFolder('elsewhere'), join(place.folder, 'src'));
    expect(summary(await check(core))).toEqual(kept('unreadable'));
    expect(entriesOf(place, 'code-anchor-observation')).toHaveLength(1);
  });

  it('that the disk does not let be read loses no anchor', async () => {
    const place = createCode();
    const faulty = createFaultyDisk();
    const core = await place.open({ disk: faulty.disk, git: false });
    await anchor(core);
    for (const kind of ['openSync', 'readSync', 'lstatSync'] as const) {
      faulty.plan({ at: 0, failure: 'EACCES', kind, path: /rows\.ts$/u, lasting: true });
      expect(summary(await check(core)), kind).toMatchObject({ unchecked: 1, anchors: ['fresh unreadable'] });
    }
    faulty.plan(null);
    expect(summary(await check(core)).anchors).toEqual(['fresh identity_matched']);
  });
});

describe('a range of lines', () => {
  const config = 'worker:\n  queue: parcels\n  retries: 4\n  backoff: 15\n';

  it('follows edits above it, and its file to another name', async () => {
    const place = createCode({ 'w.yml': config, 'copy/w.yml': `${config}other: 1\n` });
    const core = await open(place);
    const id = await anchor(core, { file: 'w.yml', lines: [2, 4] });
    place.write('w.yml', `version: 2\n\n${config}`);
    expect((await check(core)).anchors[0]).toMatchObject({
      state: 'fresh',
      detail: { reason: 'range_relocated', line_start: 4, line_end: 6 },
    });
    place.write('w.yml', config.replace('4', '6'));
    expect((await check(core)).anchors[0]).toMatchObject({
      state: 'stale',
      detail: { reason: 'range_changed', line_start: 2, line_end: 4 },
    });
    await core.anchors.confirm({ id, hashSeen: null, note: '', by });
    place.remove('w.yml');
    place.write('deploy/worker.yaml', `a: 1\n${config.replace('4', '6')}`);
    expect((await check(core)).anchors[0]).toMatchObject({
      state: 'moved-renamed',
      detail: { reason: 'moved', moved_to: 'deploy/worker.yaml', line_start: 3 },
    });
  });

  it('is not taken for a copy that stood there all along, in its file or in another', async () => {
    const place = createCode({ 'w.yml': `${config}---\n${config}`, 'copy/w.yml': config });
    const core = await open(place);
    await anchor(core, { file: 'w.yml', lines: [1, 4] });
    place.write('w.yml', `${config.replace('4', '6')}---\n${config}`);
    expect(summary(await check(core)).anchors).toEqual(['stale range_changed']);
    place.remove('w.yml');
    expect(summary(await check(core)).anchors).toEqual(['lost file_missing']);
    place.write('w2.yml', config);
    place.write('w3.yml', config);
    expect(summary(await check(core)).anchors).toEqual(['lost ambiguous']);
    place.write('w.yml', 'a: 1\n');
    expect(summary(await check(core)).anchors).toEqual(['stale range_changed']);
  });
});

describe('an anchor', () => {
  it('tracks a document that is not tracked yet, where that may be', async () => {
    const place = createCode();
    const core = await open(place);
    await anchor(core);
    expect(place.text('a.md')).toContain('vmark:');
    const off = createPlace();
    off.write('a.md', '# A\n');
    off.write('src/rows.ts', reader());
    const closed = await open(off);
    expect(await codeOf(anchor(closed))).toBe('no-workspace-record');
    off.setting(true);
    off.write('b.md', '# B\n');
    await closed.record(recording('b.md'));
    off.setting(false);
    expect(await codeOf(anchor(closed))).toBe('no-workspace-record');
    expect(off.text('a.md')).toBe('# A\n');
  });

  it('that describes removed code asks nothing, until it is reopened or bound anew', async () => {
    const place = createCode();
    const core = await open(place);
    const id = await anchor(core);
    place.remove('src/rows.ts');
    await check(core);
    await core.anchors.retire(id, 'gone with version 2');
    expect(await check(core)).toMatchObject({ complete: true, anchors: [], retired: [{ id, retired: { reason: 'gone with version 2' } }] });
    expect((await core.check({ failOn: ['lost'] })).ok).toBe(true);
    await core.anchors.retire(id, null);
    expect(summary(await check(core)).anchors).toEqual(['lost file_missing']);
    await core.anchors.retire(id, 'gone');
    place.write('src/rows.ts', reader());
    const target = { kind: 'declaration' as const, name: 'readRows', declared: 'function' };
    await core.anchors.rebind({ id, repository: null, file: 'src/rows.ts', target, by });
    expect(summary(await check(core)).anchors).toEqual(['fresh identity_matched']);
    await core.anchors.remove(id, by);
    expect((await check(core)).anchors).toEqual([]);
    expect(await codeOf(core.anchors.retire(id, 'gone'))).toBe('anchor-unknown');
  });

  it('shows its code as it was and as it is', async () => {
    const place = createCode();
    const core = await open(place);
    const id = await anchor(core);
    place.write('src/rows.ts', `// above\n${changed}`);
    expect(await core.anchors.look(id)).toMatchObject({
      before: { text: reader().trimEnd() },
      now: { text: changed.trimEnd() },
      text: '# A\n',
    });
    place.remove('src/rows.ts');
    expect(await core.anchors.look(id)).toMatchObject({ now: null, hash: null });
  });

  it('says the same from an index as from the ledger', async () => {
    const place = createCode();
    const core = await open(place);
    await anchor(core);
    place.write('src/rows.ts', changed);
    const before = (await check(core)).anchors;
    await core.rebuild();
    expect((await check(await open(place))).anchors).toEqual(before);
  });
});

describe('git', () => {
  const many = Object.fromEntries(['a', 'b', 'c'].map((name) => [`src/${name}.ts`, reader().replace('readRows', `read${name}`)]));

  it('proves that a target is new, where not all was seen when the anchor was made', async () => {
    const repository = createRepository();
    const place = createTrackingPlace(repository.folder);
    place.write('a.md', '# A\n');
    for (const [path, text] of Object.entries(many)) place.write(path, text);
    place.write('src/twin.ts', many['src/b.ts']!.replace('readb', 'readTwin'));
    repository.commit('all of it');
    budget(place, { 'anchors.repositoryFiles': 1 });
    const core = await open(place);
    for (const name of ['a', 'b']) await anchor(core, { file: `src/${name}.ts`, name: `read${name}` });
    budget(place, {});
    place.remove('src/b.ts');
    place.remove('src/a.ts');
    place.write('lib/[z]/é.ts', many['src/a.ts']!);
    expect(summary(await check(core)).anchors).toEqual(['moved-renamed moved', 'lost ambiguous']);
  });

  it('gives the code of a ref, whatever is on disk', async () => {
    const code = createRepository();
    code.write('src/[x]/rows.ts', reader());
    symlinkSync('rows.ts', join(code.folder, 'src/[x]/link.ts'));
    code.commit('one');
    code.git('branch', 'release');
    const place = createCode();
    place.write('.vmark/repositories.json', JSON.stringify({ repositories: [{ name: 'engine', path: code.folder, ref: 'release' }] }));
    const core = await open(place);
    await core.anchors.repositories.confirm('engine');
    const there = { file: 'src/[x]/rows.ts', repository: 'engine' };
    await anchor(core, there);
    expect(await codeOf(anchor(core, { ...there, file: 'src/[x]/link.ts' }))).toBe('file-missing');
    code.write('src/[x]/rows.ts', changed);
    code.commit('two');
    expect(summary(await check(core)).anchors).toEqual(['fresh identity_matched']);
    code.git('branch', '--force', 'release', 'main');
    expect(summary(await check(core)).anchors).toEqual(['stale body_changed']);
    code.git('mv', 'src/[x]/rows.ts', 'rows.ts');
    code.commit('three');
    code.git('branch', '--force', 'release', 'main');
    expect((await check(core)).anchors[0]).toMatchObject({ state: 'moved-renamed', detail: { moved_to: 'rows.ts', body_changed: true } });
    code.git('branch', '--delete', '--force', 'release');
    expect(summary(await check(core)).anchors).toEqual(['moved-renamed unreadable']);
    expect(await problemOf(core)).toBe('ref-missing');
  });
});

const problemOf = async (core: Core) => (await check(core)).anchors[0]?.detail.repository_problem;

describe('a linked repository', () => {
  const link = (place: Place, entry: Readonly<Record<string, unknown>>) =>
    place.write('.vmark/repositories.json', JSON.stringify([{ name: 'engine', ...entry }]));

  it('on this machine is read once a person has said that it may be', async () => {
    const place = createCode();
    const folder = createFolder('engine');
    writeFileSync(join(folder, 'rows.ts'), reader());
    link(place, { path: folder });
    const core = await open(place);
    const there = { file: 'rows.ts', repository: 'engine' };
    expect(await codeOf(anchor(core, there))).toBe('repository-unconfirmed');
    expect(await core.anchors.repositories.list()).toMatchObject([{ name: 'engine', asks: { place: folder, tokenEnv: null } }]);
    await core.anchors.repositories.confirm('engine');
    await anchor(core, there);
    writeFileSync(join(folder, 'rows.ts'), changed);
    expect(summary(await check(core)).anchors).toEqual(['stale body_changed']);
    link(place, { path: createFolder('other') });
    expect(summary(await check(core))).toMatchObject({ unchecked: 1, anchors: ['stale unreadable'] });
    expect(await problemOf(core)).toBe('unconfirmed');
    link(place, { path: join(folder, 'gone') });
    expect(await problemOf(core)).toBe('folder-missing');
    place.write('.vmark/repositories.json', '[]');
    expect(await problemOf(core)).toBe('unlinked');
    expect(await codeOf(anchor(core, { ...there, repository: 'nothing' }))).toBe('repository-unknown');
    link(place, { url: 'https://example.org/engine.git' });
    expect(await codeOf(anchor(core, there))).toBe('repository-unconfirmed-origin');
    link(place, { path: folder, ref: '--upload-pack=x' });
    expect(await codeOf(anchor(core, there))).toBe('repositories-unreadable');
  });
});
