import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Core } from '#core';
import { workspaceKey } from '#core/home';
import { namedUuid } from '../../helpers/history';
import { createRepository } from '../../helpers/repository';
import { createTrackingPlace, entriesOf, inputOf, type Place, recording, savingFrom, savingOf, stamped } from '../../helpers/workspace';

const auto = { auto: true } as const;
const body = (place: Place, path: string, text: string) => place.text(path).replace(/[^\n]*\n$/u, `${text}\n`);
const autosave = (place: Place, core: Core, path: string, text: string) => core.save(savingOf(place, path, body(place, path, text), auto));
const dueFiles = (place: Place) => {
  try {
    return readdirSync(join(place.home, 'dues', workspaceKey(place.folder)));
  } catch {
    return [];
  }
};
/** Each version: who made it, and which of the others it follows. */
const story = (place: Place) => {
  const made = entriesOf(place, 'transformation').map(({ body: { agent, outputs } }) => ({ agent, output: outputs[0]! }));
  return made.map(({ agent, output }) => {
    const parents = output.parents.map((parent) => made.findIndex((other) => other.output.revision === parent) + 1).sort();
    return `${agent.type} ${parents.join('+')}`.trim();
  });
};

async function begin() {
  const place = createTrackingPlace();
  const core = await place.open();
  await core.save(savingOf(place, 'a.md', 'one\n'));
  return { place, core };
}

describe('an autosave', () => {
  it('writes the file and records nothing; the explicit save after it is one version onto the first', async () => {
    const { place, core } = await begin();
    const before = place.segments();
    for (const text of ['two', 'three', 'four']) {
      expect(await autosave(place, core, 'a.md', text)).toMatchObject({ kind: 'saved', recorded: { kind: 'due' } });
      expect(place.text('a.md').endsWith(`${text}\n`)).toBe(true);
    }
    expect(place.segments()).toEqual(before);
    expect(readdirSync(join(place.folder, '.vmark/snapshots/sha256'))).toHaveLength(1);
    expect(await core.save(savingOf(place, 'a.md', body(place, 'a.md', 'five')))).toMatchObject({ recorded: { kind: 'recorded' } });
    expect(story(place)).toEqual(['human', 'human 1']);
    expect(dueFiles(place)).toEqual([]);
  });

  it('is recorded as the writer, with what it was written over, when that is asked for', async () => {
    const { place, core } = await begin();
    await autosave(place, core, 'a.md', 'two');
    await autosave(place, core, 'a.md', 'three');
    const heard: string[] = [];
    core.followSettled(({ path, recorded }) => heard.push(`${path} ${recorded.kind}`));
    expect(await core.settle('a.md')).toMatchObject([{ path: 'a.md', recorded: { kind: 'recorded', entry: expect.any(String) } }]);
    expect(await core.settle('a.md')).toEqual([]);
    expect([heard, story(place)]).toEqual([['a.md recorded'], ['human', 'human 1']]);
    expect(entriesOf(place, 'transformation')[1]!.body).toMatchObject({ confidence: 'exact', inputs: [], intent: { kind: 'editor-save' } });
    expect((await core.show('a.md', 'v2')).text).toBe('three\n');
    expect([await core.scan(), dueFiles(place)]).toMatchObject([{ unchanged: 1, external: 0 }, []]);
  });

  it.each(['scan', 'breakdown', 'coherence', 'record', 'pin', 'check'] as const)('is recorded before a %s', async (what) => {
    const { place, core } = await begin();
    await core.save(savingOf(place, 'out.md', 'out\n'));
    await autosave(place, core, 'a.md', 'two');
    const acts = {
      scan: () => core.scan(),
      breakdown: () => core.breakdown({ all: true, scan: true }),
      coherence: () => core.coherence('a.md'),
      record: () => core.record(recording('out.md', 'a.md')),
      pin: () => core.pin({ path: 'out.md', inputs: [{ path: 'a.md', role: 'direct' }] }),
      check: () => core.check({ failOn: ['version-stale'] }),
    };
    const answer = await acts[what]();
    const [, , human, made] = entriesOf(place, 'transformation');
    if (what === 'check') expect([human, answer]).toMatchObject([undefined, { complete: true }]);
    else expect(human!.body).toMatchObject({ agent: { type: 'human' }, outputs: [{ object: (await core.logFile('a.md')).object }] });
    if (what === 'record') expect(made!.body.inputs[0]!.revision).toBe(human!.body.outputs[0]!.revision);
    if (what === 'pin') expect(answer).toMatchObject({ inputs: [{ revision: human!.body.outputs[0]!.revision }], dropped: [] });
    expect(await core.scan()).toMatchObject({ external: 0, adopted: 0 });
  });

  it('is counted by a check, which writes nothing', async () => {
    const { place, core } = await begin();
    await core.save(savingFrom(place, 'out.md', 'out\n', [await inputOf(core, 'a.md')]));
    await autosave(place, core, 'a.md', 'two');
    const before = place.segments();
    expect(await core.check({ failOn: ['version-stale'] })).toMatchObject({ failing: { 'version-stale': 1 } });
    expect([place.segments(), dueFiles(place).length]).toEqual([before, 2]);
  });

  it('is nothing where it comes back to what is recorded', async () => {
    const { place, core } = await begin();
    await autosave(place, core, 'a.md', 'two');
    await autosave(place, core, 'a.md', 'one');
    await core.settle(null);
    expect([story(place), dueFiles(place)]).toEqual([['human'], []]);
  });

  it('of a new document stamps it, and makes the ledger when it is recorded', async () => {
    const place = createTrackingPlace();
    const core = await place.open();
    await core.save(savingOf(place, 'a.md', 'one\n', auto));
    const text = place.text('a.md');
    expect([text, place.tree().has('.vmark/')]).toEqual([expect.stringMatching(/^---\nvmark:\n {2}id: .{36}\n---\none\n$/u), false]);
    await autosave(place, core, 'a.md', 'two');
    expect(await core.breakdown({ all: true, scan: true })).toMatchObject({ scan: { documents: 1, external: 0 } });
    expect([story(place), place.text('a.md')]).toEqual([['human'], text.replace('one', 'two')]);
    expect((await core.logFile('a.md')).object).toBe(/id: (.{36})/u.exec(text)![1]);
  });

  it('of what is not tracked leaves nothing anywhere', async () => {
    const { place, core } = await begin();
    place.setting(false);
    expect(await core.save(savingOf(place, 'plain.md', 'one\n', auto))).toMatchObject({ recorded: { kind: 'off' } });
    expect(dueFiles(place)).toEqual([]);
  });

  it('asked for again after a lost answer is the same, before it is recorded and after', async () => {
    const { place, core } = await begin();
    const request = savingOf(place, 'a.md', body(place, 'a.md', 'two'), { ...auto, idem: namedUuid('lost') });
    const first = await core.save(request);
    expect(await core.save(request)).toEqual(first);
    await core.settle(null);
    expect(await core.save(request)).toMatchObject({ kind: 'saved', recorded: { kind: 'recorded' } });
    expect(story(place)).toEqual(['human', 'human 1']);
  });

  it('of a document whose id is in two files is due until one remains, and then the writer’s', async () => {
    const { place, core } = await begin();
    place.write('copy.md', place.text('a.md'));
    expect(await core.scan()).toMatchObject({ held: ['a.md', 'copy.md'] });
    expect(await autosave(place, core, 'a.md', 'two')).toMatchObject({
      kind: 'saved',
      recorded: { kind: 'failed', code: 'held-duplicate' },
    });
    expect(await core.settle('a.md')).toMatchObject([{ recorded: { kind: 'failed', code: 'held-duplicate' } }]);
    place.remove('copy.md');
    await core.scan();
    await core.scan();
    expect(story(place)).toEqual(['human', 'human 1']);
  });
});

describe('a text that autosave left due', () => {
  it.each(['scan', 'settle'] as const)('of a held document stays so for a program that starts with a %s', async (act) => {
    const { place, core } = await begin();
    await core.save(savingOf(place, 'b.md', 'b\n'));
    place.write('b.md', place.text('a.md'));
    await core.scan();
    await autosave(place, core, 'a.md', 'two');
    const before = place.segments();
    await (await place.open())[act](null as never);
    expect([place.segments(), dueFiles(place).length]).toEqual([before, 2]);
  });

  it('takes no path that another document has by now', async () => {
    const { place, core } = await begin();
    await core.save(savingOf(place, 'b.md', '\uFEFFb\n'));
    await autosave(place, core, 'a.md', 'two');
    place.write('moved.md', place.text('a.md'));
    place.write('a.md', place.text('b.md'));
    await core.track({ paths: ['a.md'], dryRun: false });
    expect(await core.scan()).toMatchObject({ external: 0, moved: 0 });
    expect((await core.logFile('moved.md')).revisions).toHaveLength(2);
    expect((await core.logFile('a.md')).path).toBe('a.md');
  });

  it('is nobody else’s for a watcher, which leaves it alone', async () => {
    const { place, core } = await begin();
    const changed = Promise.withResolvers<void>();
    await core.follow({ reconciled: () => changed.resolve(), troubled: () => {} });
    await autosave(place, core, 'a.md', 'two');
    await changed.promise;
    expect([story(place), dueFiles(place).length]).toEqual([['human'], 2]);
  });

  it('is known to another program of this installation, and to one that starts after a crash', async () => {
    const { place, core } = await begin();
    await autosave(place, core, 'a.md', 'two');
    const other = await place.open();
    expect(await other.scan()).toMatchObject({ external: 0, unchanged: 1 });
    expect(story(place)).toEqual(['human', 'human 1']);
    // The first program finds that it is done.
    await autosave(place, core, 'a.md', 'three');
    expect(await core.settle(null)).toHaveLength(1);
    expect(story(place)).toEqual(['human', 'human 1', 'human 2']);
  });

  it('is a version of its own where another program wrote over it', async () => {
    const { place, core } = await begin();
    await autosave(place, core, 'a.md', 'mine');
    place.write('a.md', body(place, 'a.md', 'theirs'));
    expect(await core.scan()).toMatchObject({ external: 1 });
    expect(story(place)).toEqual(['human', 'human 1', 'external 2']);
    expect((await core.show('a.md', 'v2')).text).toBe('mine\n');
  });

  it('is a version of its own where its file was moved, or is gone', async () => {
    const { place, core } = await begin();
    await core.save(savingOf(place, 'b.md', 'b one\n'));
    await autosave(place, core, 'a.md', 'two');
    await autosave(place, core, 'b.md', 'b two');
    place.write('moved.md', place.text('a.md'));
    place.remove('a.md');
    place.remove('b.md');
    expect(await core.scan()).toMatchObject({ external: 0, moved: 1, absent: 1 });
    expect((await core.logFile('moved.md')).revisions.map(({ agent }) => agent.type)).toEqual(['human', 'human']);
    expect(story(place)).toEqual(['human', 'human', 'human 1', 'human 2']);
  });

  it('is not what a model writes: that is a version onto it', async () => {
    const { place, core } = await begin();
    await autosave(place, core, 'a.md', 'mine');
    await core.save(savingFrom(place, 'a.md', body(place, 'a.md', 'its'), []));
    expect(story(place)).toEqual(['human', 'human 1', 'model 2']);
  });

  it('is recorded once, however many programs of the installation settle it at once', async () => {
    const { place, core } = await begin();
    await autosave(place, core, 'a.md', 'two');
    const cores = [core, await place.open(), await place.open()];
    await Promise.all(cores.map((one) => one.settle(null)));
    expect([story(place), place.lines().length]).toEqual([['human', 'human 1'], 3]);
  });

  it('stays due where the ledger cannot be written, also after an explicit save, and is then the writer’s', async () => {
    const { place, core } = await begin();
    place.write('.vmark/ledger/newer.jsonl', `${JSON.stringify({ ...JSON.parse(place.lines()[0]!), format: 1 })}\n`);
    expect(await core.save(savingOf(place, 'a.md', body(place, 'a.md', 'two')))).toMatchObject({
      recorded: { kind: 'failed', code: 'ledger-from-the-future' },
    });
    place.remove('.vmark/ledger/newer.jsonl');
    const other = await place.open();
    expect(await other.scan()).toMatchObject({ external: 0 });
    expect(story(place)).toEqual(['human', 'human 1']);
  });

  it('is recorded after a checkout that kept it, onto what it was written over', async () => {
    const repo = createRepository();
    const place = createTrackingPlace(repo.folder);
    const core = await place.open();
    await core.save(savingOf(place, 'a.md', 'one\n'));
    repo.commit('begin');
    await core.scan();
    await autosave(place, core, 'a.md', 'two');
    repo.git('switch', '--quiet', '--create', 'side');
    expect(await core.scan()).toMatchObject({ external: 0, git: 0 });
    expect(story(place)).toEqual(['human', 'human 1']);
  });
});

describe('what a save is written over', () => {
  const settledOutside = async () => {
    const { place, core } = await begin();
    const opened = await core.openDocument('a.md');
    place.write('a.md', body(place, 'a.md', 'theirs'));
    return { place, core, content: opened.kind === 'text' ? opened.content : null };
  };

  it('is the outside version and the writer’s own, where the writer keeps both or merges', async () => {
    const { place, core, content } = await settledOutside();
    await core.save(savingOf(place, 'a.md', body(place, 'a.md', 'mine'), { descends: content as never }));
    expect(story(place)).toEqual(['human', 'external 1', 'human 1+2']);
  });

  it('is the outside version alone, where the writer took theirs', async () => {
    const { place, core } = await settledOutside();
    await core.save(savingOf(place, 'a.md', body(place, 'a.md', 'theirs and more')));
    expect(story(place)).toEqual(['human', 'external 1', 'human 2']);
  });

  it('is the due text that was written over outside, and what did so, also by autosave', async () => {
    const { place, core } = await begin();
    const mine = await autosave(place, core, 'a.md', 'mine');
    const content = await core.openDocument('a.md');
    expect(mine.kind).toBe('saved');
    place.write('a.md', body(place, 'a.md', 'theirs'));
    const descends = (content.kind === 'text' ? content.content : null) as never;
    await core.save(savingOf(place, 'a.md', body(place, 'a.md', 'both'), { ...auto, descends }));
    await core.settle(null);
    expect(story(place)).toEqual(['human', 'human 1', 'external 2', 'human 2+3']);
  });

  it('is one of several heads, never all: a plain save joins nothing', async () => {
    const place = createTrackingPlace();
    const [one, two] = [createTrackingPlace(), createTrackingPlace()];
    const core = await place.open();
    await core.save(savingOf(place, 'a.md', stamped(namedUuid('a'), 'one\n')));
    for (const [clone, text] of [
      [one, 'left'],
      [two, 'right'],
    ] as const) {
      clone.write('a.md', place.text('a.md'));
      for (const [name, bytes] of place.segments()) clone.write(`.vmark/ledger/${name}`, bytes);
      const there = await clone.open();
      await there.save(savingOf(clone, 'a.md', body(clone, 'a.md', text)));
      for (const [name, bytes] of clone.segments()) place.write(`.vmark/ledger/${name}`, bytes);
    }
    expect((await core.logFile('a.md')).heads).toHaveLength(2);
    place.write('a.md', one.text('a.md'));
    await core.save(savingOf(place, 'a.md', body(place, 'a.md', 'more')));
    place.remove('a.md');
    await core.save(savingOf(place, 'a.md', stamped(namedUuid('a'), 'anew\n'), { base: null }));
    expect((await core.logFile('a.md')).heads).toHaveLength(2);
    for (const { body: made } of entriesOf(place, 'transformation')) expect(made.outputs[0]!.parents.length).toBeLessThan(2);
  });
});
