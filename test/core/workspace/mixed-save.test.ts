import { describe, expect, it } from 'vitest';
import type { Acceptance } from '#core/workspace/authorship';
import type { PinnedInput } from '#core/workspace/capture';
import type { Uuid } from '#kernel/uuid';
import { namedUuid } from '../../helpers/history';
import { createTrackingPlace, entriesOf, inputOf, type Place, savingOf } from '../../helpers/workspace';

async function begin() {
  const place = createTrackingPlace();
  const core = await place.open();
  for (const path of ['source.md', 'other.md', 'a.md']) await core.save(savingOf(place, path, `${path}\n`));
  const inputs = [await inputOf(core, 'a.md'), await inputOf(core, 'source.md')];
  return { place, core, inputs, other: await inputOf(core, 'other.md', 'contextual') };
}

const accepting = (inputs: readonly PinnedInput[], other: Partial<Acceptance> = {}): Acceptance => ({
  id: namedUuid('first'),
  model: 'a-model',
  kind: 'genie',
  inputs,
  clean: true,
  typed: false,
  ...other,
});
const changed = (place: Place, text: string) => place.text('a.md').replace(/[^\n]*\n$/u, `${text}\n`);
const last = (place: Place) => entriesOf(place, 'transformation').at(-1)!.body;

describe('a save with accepted text of a model', () => {
  it('is one entry of the model, exact, with all that it read', async () => {
    const { place, core, inputs } = await begin();
    await core.save(savingOf(place, 'a.md', changed(place, 'new'), { accepted: [accepting(inputs)] }));
    expect(last(place)).toMatchObject({
      agent: { type: 'model', id: 'a-model' },
      confidence: 'exact',
      intent: { kind: 'genie' },
      inputs: inputs.map(({ object, revision }) => ({ object, revision, role: 'direct' })),
    });
    // The document itself makes no row.
    expect((await core.breakdown({ all: true, scan: true })).artifacts.flatMap(({ rows }) => rows)).toHaveLength(1);
  });

  it.each([
    ['the buffer had unsaved changes', { clean: false }],
    ['something was typed after', { typed: true }],
  ])('is inferred where %s', async (_, other) => {
    const { place, core, inputs } = await begin();
    await core.save(savingOf(place, 'a.md', changed(place, 'new'), { accepted: [accepting(inputs, other)] }));
    expect(last(place)).toMatchObject({ agent: { type: 'model' }, confidence: 'inferred' });
  });

  it('has the union of what several read, each once', async () => {
    const { place, core, inputs, other } = await begin();
    const second = accepting([inputs[1]!, other], { id: namedUuid('second'), model: 'another', kind: 'ai-suggestion' });
    await core.save(savingOf(place, 'a.md', changed(place, 'new'), { accepted: [accepting(inputs), second] }));
    expect(last(place)).toMatchObject({ agent: { id: 'another' }, intent: { kind: 'ai-suggestion' } });
    expect(last(place).inputs.map(({ object, role }) => [object, role])).toEqual(
      [inputs[0]!, inputs[1]!, other].map(({ object, role }) => [object, role]),
    );
  });

  it('is the writer’s where none of it survives, and nothing where nothing else changed', async () => {
    const { place, core, inputs } = await begin();
    const request = { accepted: [accepting(inputs)], undone: [namedUuid('first')] };
    const before = entriesOf(place, 'transformation').length;
    await core.save(savingOf(place, 'a.md', place.text('a.md'), request));
    expect(entriesOf(place, 'transformation')).toHaveLength(before);
    await core.save(savingOf(place, 'a.md', changed(place, 'typed'), request));
    expect(last(place)).toMatchObject({ agent: { type: 'human' }, confidence: 'exact', inputs: [], intent: { kind: 'editor-save' } });
  });

  it('goes without an input that this ledger does not know, and is inferred then', async () => {
    const { place, core, inputs } = await begin();
    const unknown = { ...inputs[1]!, object: namedUuid('nobody') as Uuid };
    await core.save(savingOf(place, 'a.md', changed(place, 'new'), { accepted: [accepting([inputs[1]!, unknown])] }));
    expect(last(place)).toMatchObject({ confidence: 'inferred', inputs: [{ object: inputs[1]!.object }] });
  });

  it('keeps it over autosaves, until it is recorded or taken back', async () => {
    const { place, core, inputs } = await begin();
    const auto = { auto: true };
    await core.save(savingOf(place, 'a.md', changed(place, 'new'), { ...auto, accepted: [accepting(inputs)] }));
    await core.save(savingOf(place, 'a.md', changed(place, 'new and typed'), { ...auto, accepted: [accepting(inputs, { typed: true })] }));
    // Another program of this installation records it.
    await (await place.open()).scan();
    expect(last(place)).toMatchObject({ agent: { type: 'model' }, confidence: 'inferred', inputs: [{}, {}] });
    const second = accepting(inputs, { id: namedUuid('second') });
    await core.save(savingOf(place, 'a.md', changed(place, 'again'), { ...auto, accepted: [second] }));
    await core.save(savingOf(place, 'a.md', changed(place, 'mine'), { ...auto, undone: [second.id] }));
    await core.settle(null);
    expect(last(place)).toMatchObject({ agent: { type: 'human' }, inputs: [] });
  });

  it('applied, saved by itself and undone leaves nothing', async () => {
    const { place, core, inputs } = await begin();
    const [before, text] = [place.segments(), place.text('a.md')];
    await core.save(savingOf(place, 'a.md', changed(place, 'new'), { auto: true, accepted: [accepting(inputs)] }));
    await core.save(savingOf(place, 'a.md', text, { undone: [namedUuid('first')] }));
    await core.settle(null);
    expect(place.segments()).toEqual(before);
  });
});

describe('what a model is about to read', () => {
  it('is pinned as it is now; what cannot be is said', async () => {
    const { place, core } = await begin();
    place.write('source.md', place.text('source.md').replace('source', 'changed'));
    place.setting(false);
    place.write('plain.md', 'plain\n');
    const inputs = ['source.md', 'gone.md', 'plain.md'].map((path) => ({ path, role: 'direct' as const }));
    const pinned = await core.pin({ path: 'a.md', inputs });
    expect(pinned.inputs).toEqual([{ ...(await inputOf(core, 'source.md')) }]);
    expect((await core.logFile('source.md')).revisions).toHaveLength(2);
    expect(pinned.dropped).toEqual([
      { path: 'gone.md', reason: 'missing' },
      { path: 'plain.md', reason: 'not-tracked' },
    ]);
  });

  it('is nothing where provenance is off, and nothing is made', async () => {
    const place = createTrackingPlace();
    place.setting(false);
    place.write('a.md', 'a\n');
    const core = await place.open();
    expect(await core.pin({ path: null, inputs: [{ path: 'a.md', role: 'direct' }] })).toEqual({
      inputs: [],
      dropped: [{ path: 'a.md', reason: 'not-tracked' }],
    });
    expect([...place.tree().keys()]).toEqual(['a.md']);
  });
});
