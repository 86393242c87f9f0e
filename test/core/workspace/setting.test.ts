import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { record } from '#core/workspace/record';
import type { Confidence } from '#kernel/body-transformation';
import { namedUuid } from '../../helpers/history';
import {
  countKinds,
  createPlace,
  createTrackingPlace,
  entriesOf,
  type Place,
  recording,
  savingFrom,
  savingOf,
  stamped,
} from '../../helpers/workspace';

const id = namedUuid('from elsewhere');

/** A workspace with a ledger in which `a.md` is tracked, and with the setting off. */
async function createOff() {
  const place = createTrackingPlace();
  const core = await place.open();
  await core.save(savingOf(place, 'a.md', 'one\n'));
  place.setting(false);
  return { place, core, object: (await core.logFile('a.md')).object };
}

/** A record as a workflow asks for it: what it read is known exactly. */
async function recordFrom(place: Place, path: string, from: readonly string[], confidence: Confidence = 'exact') {
  const workspace = await place.assemble();
  const inputs = from.map((input) => ({ path: input, role: 'direct' as const }));
  const intent = { kind: 'workflow', summary: 'saved by a step', prompt_hash: null };
  return record(workspace, { path, inputs, intent, confidence, agent: { type: 'model', id: 'workflow-genie' } });
}

describe('with the setting off and no ledger', () => {
  it('nothing is recorded, made or touched, whatever is saved', async () => {
    const place = createPlace();
    const core = await place.open();
    place.write('source.md', stamped(id, 'source\n'));
    const saves = [
      savingOf(place, 'a.md', 'text\n'),
      savingOf(place, 'b.md', stamped(namedUuid('b'), 'text\n')),
      savingOf(place, 'empty.md', ''),
      savingFrom(place, 'c.md', 'text\n', [{ object: id, path: 'source.md', revision: `rev1:${'0'.repeat(64)}` as never, role: 'direct' }]),
    ];
    for (const request of saves) {
      expect(await core.save(request)).toMatchObject({ kind: 'saved', recorded: { kind: 'off' } });
      expect(place.read(request.path)).toEqual(request.bytes);
    }
    await expect(core.record(recording('a.md', 'source.md'))).rejects.toMatchObject({ code: 'no-workspace-record' });
    await expect(core.track({ paths: ['a.md'], dryRun: false })).rejects.toMatchObject({ code: 'no-workspace-record' });
    expect([...place.tree().keys()]).toEqual(['a.md', 'b.md', 'c.md', 'empty.md', 'source.md']);
  });
});

describe('with the setting off and a ledger', () => {
  it('a registered path without an id is recorded as the same document, and stays as it was written', async () => {
    const { place, core, object } = await createOff();
    expect(await core.save(savingOf(place, 'a.md', 'two\n'))).toMatchObject({ recorded: { kind: 'recorded', object } });
    expect(place.text('a.md')).toBe('two\n');
    expect((await core.logFile('a.md')).revisions).toHaveLength(2);
    expect(await core.scan()).toMatchObject({ unchanged: 1, external: 0 });
  });

  it.each(['\n', '\r\n'])('an unregistered path with an id is recorded under it (line ending %j)', async (ending) => {
    const { place, core } = await createOff();
    const text = stamped(id, 'text\n').replaceAll('\n', ending);
    expect(await core.save(savingOf(place, 'b.md', text))).toMatchObject({ recorded: { kind: 'recorded', object: id } });
    expect(place.text('b.md')).toBe(text);
    expect((await core.logFile('b.md')).object).toBe(id);
  });

  it('an unregistered path without an id is left out, and nothing is said of it in the ledger', async () => {
    const { place, core } = await createOff();
    const before = place.segments();
    expect(await core.save(savingOf(place, 'b.md', 'text\n'))).toMatchObject({ kind: 'saved', recorded: { kind: 'off' } });
    await expect(core.record(recording('b.md', 'a.md'))).rejects.toMatchObject({ code: 'not-tracked', detail: { path: 'b.md' } });
    expect(place.text('b.md')).toBe('text\n');
    expect(place.segments()).toEqual(before);
  });

  it('another id in a registered path wins, and the path is its own from then on', async () => {
    const { place, core, object } = await createOff();
    expect(await core.save(savingOf(place, 'a.md', stamped(id, 'other\n')))).toMatchObject({ recorded: { object: id } });
    expect((await core.logFile('a.md')).object).toBe(id);
    expect(entriesOf(place, 'object-registered').map(({ body }) => [body.object, body.path])).toEqual([
      [object, 'a.md'],
      [id, 'a.md'],
    ]);
    expect(await core.scan()).toMatchObject({ unchanged: 1, absent: 1, external: 0 });
  });

  it('inputs are kept where they are registered, adopted where they carry an id, and dropped otherwise', async () => {
    const { place, core } = await createOff();
    await core.save(savingOf(place, 'out.md', stamped(namedUuid('out'), 'out\n')));
    place.write('adopted.md', stamped(id, 'adopted\n'));
    place.write('plain.md', 'plain\n');
    const kept = await recordFrom(place, 'out.md', ['a.md', 'adopted.md']);
    expect(kept).toMatchObject({ confidence: 'exact', dropped: [] });
    const ofOut = () => entriesOf(place, 'transformation').filter(({ body }) => body.agent.id === 'workflow-genie');
    expect(ofOut().at(-1)!.body.confidence).toBe('exact');
    const lowered = await recordFrom(place, 'out.md', ['adopted.md', 'plain.md', 'gone.md', 'a.md']);
    expect(lowered).toMatchObject({
      confidence: 'inferred',
      dropped: [
        { path: 'plain.md', reason: 'not-tracked' },
        { path: 'gone.md', reason: 'missing' },
      ],
    });
    expect(lowered.inputs.map(({ path }) => path)).toEqual(['adopted.md', 'a.md']);
    expect(ofOut().at(-1)!.body).toMatchObject({ confidence: 'inferred', inputs: [{ object: id }, {}] });
    expect((await core.logFile('adopted.md')).revisions.map(({ agent, confidence }) => [agent.type, confidence])).toEqual([
      ['external', 'unknown'],
    ]);
    expect([place.text('adopted.md'), place.text('plain.md')]).toEqual([stamped(id, 'adopted\n'), 'plain\n']);
  });

  it('what is inferred stays so, and what is unreadable costs the input alone', async () => {
    const { place, core } = await createOff();
    await core.save(savingOf(place, 'out.md', stamped(namedUuid('out'), 'out\n')));
    mkdirSync(join(place.folder, 'folder.md'));
    const report = await recordFrom(place, 'out.md', ['a.md', 'folder.md', 'a.md'], 'inferred');
    expect(report).toMatchObject({
      confidence: 'inferred',
      dropped: [
        { path: 'folder.md', reason: 'unreadable' },
        { path: 'a.md', reason: 'repeated' },
      ],
    });
  });

  it('a scan runs, adopts what carries an id, and stamps nothing', async () => {
    const { place, core } = await createOff();
    place.write('b.md', stamped(id, 'text\n'));
    place.write('plain.md', 'plain\n');
    expect(await core.scan()).toMatchObject({ documents: 3, adopted: 1 });
    expect([place.text('b.md'), place.text('plain.md')]).toEqual([stamped(id, 'text\n'), 'plain\n']);
  });

  it('a ledger that another program made is followed', async () => {
    const place = createPlace();
    const core = await place.open();
    await core.save(savingOf(place, 'a.md', stamped(id, 'one\n')));
    const other = createTrackingPlace();
    await (await place.open({ home: other.home })).save(savingOf(place, 'b.md', 'text\n'));
    expect(await core.save(savingOf(place, 'a.md', stamped(id, 'two\n')))).toMatchObject({ recorded: { kind: 'recorded', object: id } });
    expect(new Set(place.entries().map(({ writer }) => writer)).size).toBe(2);
  });
});

describe('with the setting on', () => {
  it('the first write makes the ledger, and stamps the document and its inputs that have no id', async () => {
    const place = createTrackingPlace();
    place.write('out.md', '# Out\n');
    place.write('source.md', 'source\r\n');
    place.write('known.md', stamped(id, 'known\n'));
    const report = await recordFrom(place, 'out.md', ['source.md', 'known.md']);
    expect(report).toMatchObject({ confidence: 'exact', dropped: [], inputs: [{ path: 'source.md' }, { path: 'known.md', object: id }] });
    expect(place.text('out.md')).toBe(stamped(report.object, '# Out\n'));
    expect(place.text('source.md')).toBe(stamped(report.inputs[0]!.object, 'source\n').replaceAll('\n', '\r\n'));
    expect(place.text('known.md')).toBe(stamped(id, 'known\n'));
    expect(countKinds(place)).toEqual({ 'object-registered': 3, transformation: 3 });
    expect(place.text('.vmark/.gitignore').split('\n')).toEqual(['index.db*', 'snapshots/tmp/', 'ledger/quarantine/', '']);
  });

  it('a registered document whose block was removed gets it back, with its schema', async () => {
    const place = createTrackingPlace();
    const core = await place.open();
    const block = `---\nvmark:\n  id: ${id}\n  schema: character\n---\n`;
    await core.save(savingOf(place, 'a.md', `${block}one\n`));
    expect(await core.save(savingOf(place, 'a.md', 'two\n'))).toMatchObject({ recorded: { object: id } });
    expect(place.text('a.md')).toBe(`${block}two\n`);
    expect(countKinds(place)).toEqual({ 'object-registered': 1, transformation: 2 });
  });

  it.each([
    ['bom', '\uFEFF# Title\n'],
    ['inline-map', '---\nvmark: {id: x}\n---\ntext\n'],
    ['unterminated', '---\ntitle: a\n'],
  ])('a document that cannot carry an id is tracked by its path, and not a byte of it changes: %s', async (reason, text) => {
    const place = createTrackingPlace();
    const core = await place.open();
    const first = await core.save(savingOf(place, 'a.md', text));
    expect(place.text('a.md')).toBe(text);
    const second = await core.save(savingOf(place, 'a.md', `${text}more\n`));
    expect(second).toMatchObject({
      recorded: { object: first.kind === 'saved' && first.recorded.kind === 'recorded' && first.recorded.object },
    });
    expect((await core.logFile('a.md')).revisions).toHaveLength(2);
    expect((await core.track({ paths: ['a.md'], dryRun: false })).documents).toMatchObject([
      { outcome: 'already-tracked', tracked_by: 'path', reason },
    ]);
    expect(await core.scan()).toMatchObject({ unchanged: 1, external: 0 });
  });

  it('a document that rests on itself is pinned at its version before, and makes no row of that', async () => {
    const place = createTrackingPlace();
    const core = await place.open();
    await core.save(savingOf(place, 'a.md', 'one\n'));
    const [before] = (await core.logFile('a.md')).heads;
    place.write('a.md', place.text('a.md').replace('one', 'two'));
    const { inputs, dropped } = await core.record(recording('a.md', 'a.md'));
    expect([inputs.map(({ revision }) => revision), dropped]).toEqual([[before], []]);
    expect((await core.breakdown({ all: true, scan: true })).artifacts).toEqual([]);
  });

  it('a link is never recorded nor an input, wherever it leads', async () => {
    const place = createTrackingPlace();
    const core = await place.open();
    await core.save(savingOf(place, 'a.md', 'one\n'));
    symlinkSync('a.md', join(place.folder, 'link.md'));
    const before = place.segments();
    const refused = { code: 'is-a-link', message: expect.stringMatching(/^link\.md is a link.*\.$/u) };
    await expect(core.record(recording('link.md', 'a.md'))).rejects.toMatchObject(refused);
    await expect(core.track({ paths: ['link.md'], dryRun: false })).rejects.toMatchObject(refused);
    expect(place.segments()).toEqual(before);
    expect((await core.record(recording('a.md', 'link.md'))).dropped).toEqual([{ path: 'link.md', reason: 'link' }]);
  });

  it.each([
    ['.gitignore', 'mine\n'],
    ['.gitattributes', 'x -text\r\nledger/** -text'],
  ])('lines that are missing in %s are added, and what is there stays', async (name, text) => {
    const place = createTrackingPlace();
    place.write(`.vmark/${name}`, text);
    await (await place.open()).save(savingOf(place, 'a.md', 'one\n'));
    expect(place.text(`.vmark/${name}`).startsWith(text)).toBe(true);
    const lines = place.text(`.vmark/${name}`).split(/\r?\n/u);
    const wanted =
      name === '.gitignore'
        ? ['index.db*', 'snapshots/tmp/', 'ledger/quarantine/']
        : ['ledger/*.jsonl merge=union', 'ledger/** -text', 'snapshots/** -text -diff'];
    for (const line of wanted) expect(lines.filter((one) => one === line)).toHaveLength(1);
  });

  it('another file that is tracked because the writer asked is never stamped', async () => {
    const place = createTrackingPlace();
    const core = await place.open();
    place.write('data.json', '{"a": 1}\n');
    expect((await core.track({ paths: ['data.json'], dryRun: false })).documents).toMatchObject([
      { outcome: 'tracked', tracked_by: 'path', reason: 'not-a-document' },
    ]);
    expect(place.text('data.json')).toBe('{"a": 1}\n');
    place.write('data.json', '{"a": 2}\n');
    expect(await core.scan()).toMatchObject({ external: 1 });
    expect(await core.save(savingOf(place, 'data.json', '{"a": 3}\n'))).toMatchObject({ recorded: { kind: 'recorded' } });
    expect(place.text('data.json')).toBe('{"a": 3}\n');
    expect(existsSync(join(place.folder, '.vmark'))).toBe(true);
  });
});
