import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Core } from '#core';
import type { RevisionId } from '#kernel/revision';
import type { Uuid } from '#kernel/uuid';
import { createFaultyDisk } from '../../helpers/faulty-disk.ts';
import { namedUuid } from '../../helpers/history.ts';
import { createPlace, createTrackingPlace, entriesOf, inputOf, type Place, savingFrom, savingOf } from '../../helpers/workspace.ts';

const nil = '00000000-0000-0000-0000-000000000000';

/** `a.md` rests on `source.md`, which has three versions since; the artifact was made from the first. */
async function createStory() {
  const place = createTrackingPlace();
  const core = await place.open();
  await core.save(savingOf(place, 'source.md', 'one\n'));
  await core.save(savingFrom(place, 'a.md', 'made\n', [await inputOf(core, 'source.md')]));
  for (const [from, to] of [
    ['one', 'two'],
    ['two', 'three'],
  ] as const) {
    await core.save(savingOf(place, 'source.md', place.text('source.md').replace(from, to)));
  }
  const { object, revisions } = await core.logFile('source.md');
  return { place, core, source: object as Uuid, versions: revisions.map(({ revision }) => revision as RevisionId) };
}

const manifestAt = (place: Place, file: string) =>
  JSON.parse(readFileSync(join(place.folder, '.vmark/contexts', file), 'utf8')) as Record<string, unknown>;
const write = (place: Place, file: string, manifest: object) => place.write(`.vmark/contexts/${file}`, JSON.stringify(manifest));

async function rowsIn(core: Core, context?: string) {
  const { artifacts, context: seen } = await core.breakdown({ all: true, scan: true, ...(context === undefined ? {} : { context }) });
  return { rows: artifacts.flatMap(({ rows }) => rows), context: seen };
}

const stateIn = async (core: Core, context?: string) => (await rowsIn(core, context)).rows.map(({ state }) => state).join();

describe('a context', () => {
  it('is made in a file of its name, greenhouse, and shows what the default one shows', async () => {
    const { place, core } = await createStory();
    const made = await core.makeContext({ name: 'draft-2', parent: 'default', branch: 'draft/2' });
    expect(made).toMatchObject({ kind: 'made' });
    expect(manifestAt(place, 'draft-2.json')).toMatchObject({
      format: 0,
      id: (made as { context: string }).context,
      name: 'draft-2',
      parent: nil,
      selections: {},
      enforcement: 'greenhouse',
      git_branch: 'draft/2',
    });
    expect(await rowsIn(core, 'draft-2')).toMatchObject({ rows: [{ state: 'version-stale' }], context: { name: 'draft-2' } });
    expect(existsSync(join(place.folder, '.vmark/contexts/default.json'))).toBe(false);
  });

  it('is not made without a ledger, with a bad or a taken name, or under a parent that is not there', async () => {
    const bare = createPlace();
    expect(await (await bare.open()).makeContext({ name: 'a', parent: null, branch: null })).toEqual({ kind: 'no-ledger' });
    expect([...bare.tree().keys()]).toEqual([]);
    const { place, core } = await createStory();
    const make = (name: string, parent: string | null = null) => core.makeContext({ name, parent, branch: null });
    for (const name of ['', 'a b', '../a', 'nul']) expect(await make(name)).toEqual({ kind: 'name-invalid' });
    await make('Draft');
    for (const name of ['draft', 'Draft', 'default', 'DEFAULT']) expect(await make(name)).toEqual({ kind: 'name-taken' });
    await expect(make('other', 'nowhere')).rejects.toMatchObject({ code: 'context-unknown', detail: { candidates: 'default, Draft' } });
    write(place, 'torn.json', {});
    expect(await make('torn')).toEqual({ kind: 'name-taken' });
  });

  it('pins what is current: rows, decisions and what changed behind a row go by it', async () => {
    const { core, source, versions } = await createStory();
    await core.makeContext({ name: 'past', parent: null, branch: null });
    const pin = (chosen: 'live' | RevisionId | null) => core.changeContext({ context: 'past', pins: new Map([[source, chosen]]) });
    expect(await pin(versions[0]!)).toEqual({ kind: 'changed' });
    expect(await stateIn(core, 'past')).toBe('fresh');
    await pin(versions[1]!);
    const [row] = (await rowsIn(core, 'past')).rows;
    expect(row).toMatchObject({ state: 'version-stale', current: { label: 'v2' } });
    const edge = row!.edge as { txf: Uuid; input: number };
    expect((await core.edgeChange(edge, 'past')).now).toMatchObject({ label: 'v2', text: 'two\n' });
    const accept = { edge, decision: { kind: 'accept' } } as const;
    expect(await core.resolve({ ...accept, against: versions[1]! })).toMatchObject({ kind: 'moved', current: versions[2] });
    expect(await core.resolve({ ...accept, against: versions[1]!, context: 'past' })).toMatchObject({ kind: 'resolved' });
    expect(await stateIn(core, 'past')).toBe('fresh');
    expect(await stateIn(core)).toBe('version-stale');
    expect((await core.coherence('a.md', 'past')).restsOn).toMatchObject([{ state: 'fresh', resolutions: 1 }]);
    expect(await core.rowNow(edge, 'past')).toBeNull();
    await pin(null);
    expect(await stateIn(core, 'past')).toBe('version-stale');
  });

  it('that pins an artifact to an earlier version lists the edges of that one', async () => {
    const { place, core } = await createStory();
    const { object, revisions } = await core.logFile('a.md');
    await core.save(savingOf(place, 'a.md', place.text('a.md').replace('made', 'by hand')));
    expect(await stateIn(core)).toBe('');
    await core.makeContext({ name: 'past', parent: null, branch: null });
    await core.changeContext({ context: 'past', pins: new Map([[object as Uuid, revisions[0]!.revision as RevisionId]]) });
    expect(await stateIn(core, 'past')).toBe('version-stale');
    const seen = await core.breakdown({ all: false, scan: true, context: 'past' });
    expect(seen.provenanceUnknown).toEqual([]);
    expect((await core.breakdown({ all: false, scan: true })).provenanceUnknown).toMatchObject([{ path: 'a.md' }]);
  });

  it('takes the pins and claims of its parents, an explicit live aside', async () => {
    const { core, source, versions } = await createStory();
    await core.makeContext({ name: 'base', parent: null, branch: null });
    await core.makeContext({ name: 'top', parent: 'base', branch: null });
    await core.changeContext({ context: 'base', pins: new Map([[source, versions[0]!]]) });
    expect(await stateIn(core, 'top')).toBe('fresh');
    await core.changeContext({ context: 'top', pins: new Map([[source, 'live']]) });
    expect(await stateIn(core, 'top')).toBe('version-stale');
  });

  it('is refused a pin on what the document never was, and a parent that leads round', async () => {
    const { core, source, versions } = await createStory();
    await core.makeContext({ name: 'a', parent: null, branch: null });
    await core.makeContext({ name: 'b', parent: 'a', branch: null });
    const foreign = `rev1:${'0'.repeat(64)}` as RevisionId;
    expect(await core.changeContext({ context: 'a', pins: new Map([[source, foreign]]) })).toEqual({ kind: 'revision-unknown' });
    expect(await core.changeContext({ context: 'a', pins: new Map([[namedUuid('nobody'), versions[0]!]]) })).toEqual({
      kind: 'revision-unknown',
    });
    for (const parent of ['a', 'b']) expect(await core.changeContext({ context: 'a', parent })).toEqual({ kind: 'parent-unusable' });
    expect(await core.changeContext({ context: 'b', parent: null })).toEqual({ kind: 'changed' });
    expect(await core.changeContext({ context: 'a', parent: 'b' })).toEqual({ kind: 'changed' });
  });

  it('enforces where a person says so, and the default one never', async () => {
    const { core } = await createStory();
    await core.makeContext({ name: 'canon', parent: null, branch: null });
    expect(await core.changeContext({ context: 'canon', enforcement: 'enforcing' })).toEqual({ kind: 'changed' });
    expect((await rowsIn(core, 'canon')).context).toMatchObject({ name: 'canon', enforcement: 'enforcing' });
    expect(await core.changeContext({ context: 'default', enforcement: 'enforcing' })).toEqual({ kind: 'default-enforced' });
    expect((await core.contexts()).contexts.map(({ name, enforcement }) => [name, enforcement])).toEqual([
      ['default', 'greenhouse'],
      ['canon', 'enforcing'],
    ]);
  });

  it('has its file from its first change on, where it is the default one, and is everybody’s default then', async () => {
    const { place, core, source, versions } = await createStory();
    await core.changeContext({ context: 'default', pins: new Map([[source, versions[0]!]]) });
    expect(manifestAt(place, 'default.json')).toMatchObject({ id: nil, name: 'default', selections: { [source]: versions[0] } });
    expect(await stateIn(core)).toBe('fresh');
    expect(await core.removeContext('default')).toEqual({ kind: 'default-kept' });
  });

  it('is removed by its file, unless another takes from it', async () => {
    const { place, core } = await createStory();
    await core.makeContext({ name: 'a', parent: null, branch: null });
    await core.makeContext({ name: 'b', parent: 'a', branch: null });
    expect(await core.removeContext('a')).toEqual({ kind: 'is-parent' });
    expect(await core.removeContext('b')).toEqual({ kind: 'removed' });
    expect(await core.removeContext('a')).toEqual({ kind: 'removed' });
    expect([...place.tree().keys()].filter((path) => path.includes('contexts/'))).toEqual(['.vmark/contexts/']);
  });
});

describe('a manifest that another program wrote', () => {
  it('keeps its unknown fields to the digit, and its file', async () => {
    const { place, core, source, versions } = await createStory();
    const id = namedUuid('theirs');
    place.write(
      '.vmark/contexts/of theirs.json',
      `{"format":0,"big":12345678901234567890,"id":"${id.toUpperCase()}","name":"theirs","later":{"a":[1.0,-0]}}`,
    );
    await core.changeContext({ context: 'theirs', pins: new Map([[source, versions[0]!]]), branch: 'side' });
    const text = place.text('.vmark/contexts/of theirs.json');
    expect(text).toContain('"big": 12345678901234567890');
    expect(text.replace(/\s/gu, '')).toContain('"later":{"a":[1.0,-0]}');
    expect(JSON.parse(text)).toMatchObject({ id: id.toUpperCase(), git_branch: 'side', selections: { [source]: versions[0] } });
    expect(await stateIn(core, 'theirs')).toBe('fresh');
    expect(await stateIn(core, id)).toBe('fresh');
  });

  it('with an enforcement that is not known is a greenhouse, and the answer says so', async () => {
    const { place, core } = await createStory();
    write(place, 'strict.json', { id: namedUuid('strict'), name: 'strict', enforcement: 'strict' });
    expect((await rowsIn(core, 'strict')).context).toMatchObject({
      enforcement: 'greenhouse',
      problems: [{ code: 'context-enforcement-unknown', path: '.vmark/contexts/strict.json', message: expect.stringContaining('strict') }],
    });
  });

  it('in a circle shows everything live, and the answer says so', async () => {
    const { place, core, source, versions } = await createStory();
    write(place, 'a.json', { id: namedUuid('a'), name: 'a', parent: namedUuid('b'), selections: { [source]: versions[0] } });
    write(place, 'b.json', { id: namedUuid('b'), name: 'b', parent: namedUuid('a') });
    const { rows, context } = await rowsIn(core, 'a');
    expect(rows).toMatchObject([{ state: 'version-stale', current: { label: 'v3' } }]);
    expect(context.problems).toMatchObject([{ code: 'context-cycle' }]);
  });

  it('with the id or the name of another gives way to the first file, and that is said', async () => {
    const { place, core, source, versions } = await createStory();
    write(place, '1.json', { id: namedUuid('one'), name: 'one' });
    write(place, '2.json', { id: namedUuid('one'), name: 'two', selections: { [source]: versions[0] } });
    write(place, '3.json', { id: namedUuid('three'), name: 'one', selections: { [source]: versions[0] } });
    const { rows, context } = await rowsIn(core, 'one');
    expect(rows).toMatchObject([{ state: 'version-stale' }]);
    expect(context.problems?.map(({ code }) => code)).toEqual(['context-duplicate-id', 'context-duplicate-name']);
    await expect(core.breakdown({ all: true, scan: true, context: 'two' })).rejects.toMatchObject({ code: 'context-unknown' });
    expect(await stateIn(core, namedUuid('three'))).toBe('fresh');
  });

  it.each(['', '{', 'null', '[]', '{"id":"x","name":"torn"}', '{"format":3,"id":"018f3c7a-a001-7def-8a3c-1b2c3d4e5f60","name":"torn"}'])(
    'that makes no sense is said, left alone, and disturbs no other: %s',
    async (text) => {
      const { place, core } = await createStory();
      place.write('.vmark/contexts/torn.json', text);
      place.write('.vmark/contexts/default.json', text);
      expect(await stateIn(core)).toBe('version-stale');
      expect((await rowsIn(core)).context.problems).toMatchObject([{ code: 'context-unreadable', path: '.vmark/contexts/default.json' }]);
      await expect(core.breakdown({ all: true, scan: false, context: 'torn' })).rejects.toMatchObject({ code: 'context-unreadable' });
      await expect(core.changeContext({ context: 'default', claims: [] })).rejects.toMatchObject({ code: 'context-unreadable' });
      expect((await core.contexts()).unreadable.map(({ path }) => path)).toEqual([
        '.vmark/contexts/default.json',
        '.vmark/contexts/torn.json',
      ]);
      expect(place.text('.vmark/contexts/default.json')).toBe(text);
    },
  );

  it('behind a link is not read, and nothing is written through one', async () => {
    const { place, core } = await createStory();
    place.write('elsewhere/a.json', JSON.stringify({ id: namedUuid('a'), name: 'a' }));
    write(place, 'real.json', { id: namedUuid('real'), name: 'real' });
    symlinkSync(join(place.folder, 'elsewhere/a.json'), join(place.folder, '.vmark/contexts/a.json'));
    expect((await core.contexts()).contexts.map(({ name }) => name)).toEqual(['default', 'real']);
    symlinkSync(join(place.folder, 'elsewhere/b.json'), join(place.folder, '.vmark/contexts/b.json'));
    await expect(core.makeContext({ name: 'b', parent: null, branch: null })).rejects.toMatchObject({ code: 'not-a-folder' });
    expect(existsSync(join(place.folder, 'elsewhere/b.json'))).toBe(false);
  });

  it('with a byte order mark is read', async () => {
    const { place, core } = await createStory();
    writeFileSync(join(place.folder, 'bom.json'), '');
    place.write('.vmark/contexts/bom.json', `\ufeff${JSON.stringify({ id: namedUuid('bom'), name: 'bom' })}`);
    expect(await stateIn(core, 'bom')).toBe('version-stale');
  });
});

describe('a change of a context', () => {
  it('that dies at any call of the disk leaves the old file or the new one, whole', async () => {
    const { place, core } = await createStory();
    await core.makeContext({ name: 'a', parent: null, branch: 'before' });
    await core.close();
    const old = place.text('.vmark/contexts/a.json');
    const restore = place.keep();
    const outcomes = new Set<string>();
    for (let at = 0; ; at++) {
      const faulty = createFaultyDisk();
      const other = await place.open({ disk: faulty.disk, git: false });
      faulty.plan({ at, failure: at % 2 === 0 ? 'killed' : 'ENOSPC', onlyChanges: true });
      const [settled] = await Promise.allSettled([other.changeContext({ context: 'a', branch: 'after' })]);
      const { hasFailed } = faulty;
      faulty.plan(null);
      const text = place.text('.vmark/contexts/a.json');
      expect([old, old.replace('before', 'after')]).toContain(text);
      if (settled?.status === 'fulfilled') expect(text).not.toBe(old);
      outcomes.add(text === old ? 'old' : 'new');
      if (!hasFailed) break;
      restore();
    }
    expect([...outcomes].sort()).toEqual(['new', 'old']);
  });

  it('over a file that somebody else changed meanwhile is refused, and theirs stays', async () => {
    const { place } = await createStory();
    const faulty = createFaultyDisk();
    const core = await place.open({ disk: faulty.disk });
    await core.makeContext({ name: 'a', parent: null, branch: 'before' });
    const theirs = place.text('.vmark/contexts/a.json').replace('before', 'theirs');
    faulty.plan(null);
    faulty.before(
      ({ name, path }) => name === 'openSync' && path.includes('stemma-tmp'),
      () => place.write('.vmark/contexts/a.json', theirs),
    );
    await expect(core.changeContext({ context: 'a', branch: 'after' })).rejects.toMatchObject({ code: 'conflict-on-disk' });
    expect(place.text('.vmark/contexts/a.json')).toBe(theirs);
  });
});

describe('a check', () => {
  it('is live only in the context that it was made in, with the claims that hold there', async () => {
    const { place, core, versions } = await createStory();
    const claim = namedUuid('claim');
    const [row] = (await rowsIn(core)).rows;
    const { edge, pinned } = row as unknown as { edge: { txf: Uuid; input: number }; pinned: { revision: string } };
    const envelope = { format: 0, writer: namedUuid('other'), time: '2026-07-18T12:00:00.000Z' };
    const line = (name: string, kind: string, body: object) =>
      `${JSON.stringify({ ...envelope, id: namedUuid(name), idem: namedUuid(name), kind, body })}\n`;
    const said = { pinned: pinned.revision, checked_against: versions[2], verdict: 'contradiction', confidence: 1, model: 'm' };
    const fingerprint = `sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855`;
    const check = { edge, ...said, evidence: [{ quote: 'q', loc: '' }], context: namedUuid('canon'), claims_fingerprint: fingerprint };
    const claims = { claim, statement: 'Green.', maturity: 'established', invalid_at: null };
    place.write('.vmark/ledger/other.jsonl', line('check', 'check-result', check) + line('claim', 'claim', claims));
    write(place, 'canon.json', { id: namedUuid('canon'), name: 'canon' });
    const verdictIn = async (context?: string) => (await rowsIn(core, context)).rows[0]?.check?.verdict ?? null;
    expect([await verdictIn(), await verdictIn('canon')]).toEqual([null, 'contradicted']);
    await core.changeContext({ context: 'canon', claims: [claim] });
    expect(await verdictIn('canon')).toBeNull();
    expect(await core.claims('canon')).toMatchObject([{ claim, statement: 'Green.', visible: true, fed: true }]);
    expect(await core.claims()).toMatchObject([{ claim, visible: false, fed: false, contested: false }]);
    expect(entriesOf(place, 'claim')).toHaveLength(1);
  });
});
