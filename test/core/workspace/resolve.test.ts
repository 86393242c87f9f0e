import { appendFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Core } from '#core';
import { realChance } from '#core/core';
import { digest } from '#core/digest';
import type { Resolving } from '#core/workspace/resolve';
import { type Draft, entryLine } from '#kernel/entry';
import { formatInstant } from '#kernel/instant';
import { contentHash, type RevisionId, revisionId } from '#kernel/revision';
import type { Uuid } from '#kernel/uuid';
import { namedUuid } from '../../helpers/history';
import {
  countKinds,
  createTrackingPlace,
  entriesOf,
  inputOf,
  type Place,
  type Surroundings,
  savingFrom,
  savingOf,
} from '../../helpers/workspace';

const edit = (place: Place, core: Core, path: string, from: string, to: string) =>
  core.save(savingOf(place, path, place.text(path).replace(from, to)));

/** Adds an entry of another writer to the ledger. */
function append(place: Place, draft: Pick<Draft, 'kind' | 'body'>, name: string, instant = Date.now()) {
  const line = entryLine({
    ...draft,
    id: namedUuid(name),
    idem: namedUuid(name),
    writer: namedUuid('other'),
    time: formatInstant(instant),
  } as Draft);
  appendFileSync(join(place.folder, '.vmark/ledger/from-elsewhere.jsonl'), line);
}

/** `a.md` rests on `source.md`, which has changed since: one row. */
async function createRow(surroundings: Surroundings = {}) {
  const place = createTrackingPlace();
  const core = await place.open(surroundings);
  await core.save(savingOf(place, 'source.md', '# One\n\ntext\n\n# Two\n\nother\n'));
  await core.save(savingFrom(place, 'a.md', 'one\n', [await inputOf(core, 'source.md')]));
  await edit(place, core, 'source.md', 'text', 'changed');
  const [row] = (await core.breakdown({ all: false, scan: true })).artifacts[0]!.rows;
  if (row === undefined || row.edge === null || row.current === null) throw new Error('There is no row.');
  const asking = { edge: { txf: row.edge.txf as Uuid, input: row.edge.input }, against: row.current.revision as RevisionId };
  return { place, core, asking, accept: { ...asking, decision: { kind: 'accept' } } as Resolving };
}

const waive = (asking: Omit<Resolving, 'decision'>, reason: string, expires: string | null = null): Resolving => ({
  ...asking,
  decision: { kind: 'waive', reason, expires },
});
const statesOf = async (core: Core) => {
  const { artifacts } = await core.breakdown({ all: true, scan: true });
  return artifacts.flatMap(({ rows }) => rows.map(({ state }) => state));
};

describe('a row that is resolved', () => {
  it('by accepting is fresh until its source changes again', async () => {
    const { place, core, accept } = await createRow();
    expect(await core.resolve(accept)).toEqual({ kind: 'resolved', entry: entriesOf(place, 'ratification')[0]!.id });
    expect(await statesOf(core)).toEqual(['fresh']);
    expect(await statesOf(await place.open())).toEqual(['fresh']);
    await edit(place, core, 'source.md', 'changed', 'changed again');
    expect(await statesOf(core)).toEqual(['version-stale']);
  });

  it('by waiving is waived, with its reason, until that expires', async () => {
    let now = Date.now();
    const { core, asking } = await createRow({ chance: { ...realChance, now: () => now } });
    const expires = formatInstant(now + 60_000);
    expect(await core.resolve(waive(asking, '  an earlier draft ', expires))).toMatchObject({ kind: 'resolved' });
    const [row] = (await core.breakdown({ all: true, scan: true })).artifacts[0]!.rows;
    expect(row).toMatchObject({ state: 'waived', waiver: { reason: 'an earlier draft', expires } });
    now += 61_000;
    expect(await statesOf(core)).toEqual(['version-stale']);
  });

  it.each(['', ' ', '\n\t', '\u0085', '\u00a0\u2003'])('is not waived without a reason: %j', async (reason) => {
    const { place, core, asking } = await createRow();
    expect(await core.resolve(waive(asking, reason))).toEqual({ kind: 'blank-reason' });
    expect(countKinds(place)).not.toHaveProperty('waiver');
  });

  it.each(['', 'next week', '2026-13-01T00:00:00Z', '2026-07-18'])('is not waived until what is no time: %j', async (end) => {
    const { place, core, asking } = await createRow();
    expect(await core.resolve(waive(asking, 'an earlier draft', end))).toEqual({ kind: 'no-end' });
    expect(countKinds(place)).not.toHaveProperty('waiver');
  });

  it('is not resolved against a version that is not the current one any more, and nothing is recorded', async () => {
    const { place, core, accept } = await createRow();
    await edit(place, core, 'source.md', 'changed', 'moved on');
    const before = place.segments();
    const { heads } = await core.logFile('source.md');
    expect(await core.resolve(accept)).toEqual({ kind: 'moved', current: heads[0] });
    expect(place.segments()).toEqual(before);
  });

  it('is not resolved against one of several versions, and nothing is recorded', async () => {
    const { place, core, accept } = await createRow();
    const { object, revisions } = await core.logFile('source.md');
    const parents = [revisions[0]!.revision as RevisionId];
    const content_hash = contentHash(digest, 'from another clone\n');
    const outputs = [{ object: object as Uuid, revision: revisionId(digest, content_hash, parents), content_hash, parents }];
    const intent = { kind: 'editor-save', summary: '', prompt_hash: null };
    append(
      place,
      { kind: 'transformation', body: { inputs: [], outputs, agent: { type: 'human', id: null }, intent, confidence: 'exact' } },
      'clone',
    );
    const before = place.segments();
    expect(await core.resolve(accept)).toEqual({ kind: 'undecidable' });
    expect(place.segments()).toEqual(before);
    expect(await statesOf(core)).toContain('diverged-multi-head');
  });

  it('is gone when the document that rests has a new version, and nothing is recorded', async () => {
    const { place, core, accept, asking } = await createRow();
    await edit(place, core, 'a.md', 'one', 'two');
    expect(await core.resolve(accept)).toEqual({ kind: 'gone' });
    expect(await core.resolve({ ...accept, edge: { ...asking.edge, input: 7 } })).toEqual({ kind: 'gone' });
    expect(countKinds(place)).not.toHaveProperty('ratification');
  });

  it('is resolved once, however often it is asked with one idem', async () => {
    const { place, core, accept } = await createRow();
    const idem = namedUuid('once');
    const first = await core.resolve({ ...accept, idem });
    expect(await core.resolve({ ...accept, idem })).toEqual(first);
    expect(entriesOf(place, 'ratification')).toHaveLength(1);
  });
});

describe('a row that is narrowed to a section', () => {
  const narrow = async (clock: { now: number }) => {
    const row = await createRow({ chance: { ...realChance, now: () => clock.now } });
    const { place, core, asking } = row;
    const pinned = (await core.show('source.md', 'v1')).text!;
    const section = pinned.slice(0, pinned.indexOf('# Two'));
    const body = { edge: asking.edge, headings: ['One'], anchored_hash: contentHash(digest, section) };
    append(place, { kind: 'edge-anchor', body }, 'anchor', clock.now + 3_600_000);
    const sectionOf = async () => {
      const { artifacts, silenced } = await core.breakdown({ all: true, scan: true });
      return [...artifacts.flatMap(({ rows }) => rows), ...silenced].map((one) => (one.edge === null ? null : one.section?.status));
    };
    return { ...row, sectionOf };
  };

  it('is anchored anew by accepting, also where the clock has gone back', async () => {
    const clock = { now: Date.now() };
    const { place, core, accept, sectionOf } = await narrow(clock);
    expect(await sectionOf()).toEqual(['changed']);
    expect(await core.resolve(accept)).toMatchObject({ kind: 'resolved' });
    expect(entriesOf(place, 'edge-anchor')).toHaveLength(2);
    await edit(place, core, 'source.md', 'other', 'another');
    expect(await sectionOf()).toEqual(['unchanged']);
    await edit(place, core, 'source.md', 'changed', 'changed again');
    expect(await sectionOf()).toEqual(['changed']);
  });

  it('keeps its anchor where the heading is gone, and says that it is lost', async () => {
    const { place, core, asking } = await narrow({ now: Date.now() });
    await edit(place, core, 'source.md', '# One', '# First');
    const against = (await core.logFile('source.md')).heads[0] as RevisionId;
    expect(await statesOf(core)).toEqual(['anchor-lost']);
    expect(await core.resolve({ ...asking, against, decision: { kind: 'accept' } })).toMatchObject({ kind: 'resolved' });
    expect(entriesOf(place, 'edge-anchor')).toHaveLength(1);
  });
});

describe('provenance that is confirmed', () => {
  const createUnknown = async () => {
    const { place, core } = await createRow();
    await edit(place, core, 'a.md', 'one', 'two');
    const source = await inputOf(core, 'source.md');
    const { object, heads } = await core.logFile('a.md');
    const confirming = {
      object: object as Uuid,
      head: heads[0] as RevisionId,
      inputs: [{ object: source.object, role: 'direct' as const }],
    };
    return { place, core, source, confirming };
  };

  it('names the same version again, with its inputs, inferred and by a person', async () => {
    const { place, core, source, confirming } = await createUnknown();
    expect((await core.breakdown({ all: false, scan: true })).provenanceUnknown.map(({ path }) => path)).toEqual(['a.md']);
    const made = entriesOf(place, 'transformation').at(-1)!;
    expect(await core.confirmProvenance(confirming)).toMatchObject({ kind: 'confirmed' });
    const { body } = entriesOf(place, 'transformation').at(-1)!;
    expect(body.outputs).toEqual(made.body.outputs);
    expect(body).toMatchObject({
      agent: { type: 'human', id: expect.stringMatching(/\S/u) },
      intent: { kind: 'provenance-confirmation' },
      confidence: 'inferred',
      inputs: [{ object: source.object, revision: source.revision, role: 'direct' }],
    });
    expect((await core.logFile('a.md')).heads).toHaveLength(1);
    expect((await core.breakdown({ all: false, scan: true })).provenanceUnknown).toEqual([]);
    await edit(place, core, 'source.md', 'changed', 'changed again');
    expect(await statesOf(core)).toEqual(['version-stale']);
  });

  it('is one event however often it is asked for, by whichever program: no source makes two rows', async () => {
    const { place, core, source, confirming } = await createUnknown();
    const twice = { ...confirming, inputs: [...confirming.inputs, ...confirming.inputs] };
    const first = await core.confirmProvenance(twice);
    expect(entriesOf(place, 'transformation').at(-1)!.body.inputs).toHaveLength(1);
    const before = place.segments();
    expect(await core.confirmProvenance(confirming)).toEqual(first);
    expect(await (await place.open()).confirmProvenance(twice)).toEqual(first);
    expect(place.segments()).toEqual(before);
    await core.save(savingOf(place, 'other.md', 'other\n'));
    const other = await inputOf(core, 'other.md');
    const more = [...confirming.inputs, { object: other.object, role: 'contextual' as const }];
    expect(await core.confirmProvenance({ ...confirming, inputs: more })).toMatchObject({ kind: 'confirmed' });
    expect(entriesOf(place, 'transformation').at(-1)!.body.inputs).toMatchObject([{ object: other.object, role: 'contextual' }]);
    await edit(place, core, 'source.md', 'changed', 'changed again');
    expect([await statesOf(core), source.object]).toEqual([['version-stale'], confirming.inputs[0]!.object]);
  });

  it('fails loudly where the head has moved, and records nothing', async () => {
    const { place, core, confirming } = await createUnknown();
    await edit(place, core, 'a.md', 'two', 'three');
    const before = place.segments();
    expect(await core.confirmProvenance(confirming)).toEqual({ kind: 'moved' });
    expect(place.segments()).toEqual(before);
  });

  it('is refused without inputs, with the document itself, and with one that is not known', async () => {
    const { place, core, confirming } = await createUnknown();
    const before = place.segments();
    const asked = (inputs: typeof confirming.inputs) => core.confirmProvenance({ ...confirming, inputs });
    expect(await asked([])).toEqual({ kind: 'no-inputs' });
    expect(await asked([{ object: confirming.object, role: 'direct' }])).toEqual({ kind: 'no-inputs' });
    expect(await asked([{ object: namedUuid('nobody'), role: 'direct' }])).toEqual({ kind: 'undecidable' });
    expect(await core.confirmProvenance({ ...confirming, object: namedUuid('nobody') })).toEqual({ kind: 'undecidable' });
    expect(place.segments()).toEqual(before);
  });
});

describe('a position file', () => {
  it.each([
    'null',
    '[]',
    '{"":1}',
    '{"":{"working":1}}',
    '{"":{"stamp":"","git":null,"working":{},"pending":[],"held":{"a":[1]}}}',
    '{"":{"stamp":"","git":null,"working":{},"pending":["x"]}}',
    '{"":{"stamp":"","git":{},"working":{"a":1},"pending":[]}}',
    'no JSON',
  ])('that makes no sense is as good as none: %s', async (text) => {
    const { place, core, accept } = await createRow();
    const folder = join(place.home, 'positions');
    place.write('c.md', 'one\n');
    await core.scan();
    const [name] = readdirSync(folder);
    writeFileSync(join(folder, name!), text);
    expect(await core.resolve(accept)).toMatchObject({ kind: 'resolved' });
    expect(await edit(place, core, 'a.md', 'one', 'two')).toMatchObject({ recorded: { kind: 'recorded' } });
    expect(await (await place.open()).scan()).toMatchObject({ complete: true, external: 0 });
  });
});
