import { describe, expect, it } from 'vitest';
import type { Core } from '#core/core';
import { reviewOf } from '#renderer/editor/suggestion/review.ts';
import { ask, beginWriting, counted, type Desk, expectInStep, first, versions } from './ledger-scene.ts';

describe('what is recorded of accepted suggestions', () => {
  it('is one entry of the model with what it read, exact where nothing was typed', async () => {
    const { place, core, desk } = await beginWriting();
    (await ask(core, desk, { at: 0, source: 'one.md', next: counted() }))!();
    desk.accept();
    await desk.save();
    const { body } = versions(place).at(-1)!;
    expect(body).toMatchObject({ agent: { type: 'model', id: 'a-model' }, confidence: 'exact', intent: { kind: 'genie' } });
    const { revisions } = await core.logFile('a.md');
    expect(revisions.find(({ agent }) => agent.type === 'model')!.inputs.map(({ path }) => path)).toEqual(['a.md', 'one.md']);
    // Saved again it is the writer's, also where another suggestion of that answer is left.
    desk.type(desk.text().length, 'Mine.\n');
    await desk.save();
    expect(versions(place).at(-1)!.body).toMatchObject({ agent: { type: 'human' }, inputs: [] });
  });

  it.each([
    [
      'the text was not saved when it was asked',
      async (desk: Desk, core: Core) => {
        (await ask(core, desk, { at: 0, source: 'one.md', next: counted(), clean: false }))!();
        desk.accept();
      },
    ],
    [
      'something was typed before',
      async (desk: Desk, core: Core) => {
        (await ask(core, desk, { at: 0, source: 'one.md', next: counted() }))!();
        desk.type(desk.text().length, 'Mine.\n');
        desk.accept();
      },
    ],
    [
      'something was typed before, and written to the file, but not recorded',
      async (desk: Desk, core: Core) => {
        (await ask(core, desk, { at: 0, source: 'one.md', next: counted() }))!();
        desk.type(desk.text().length, 'Mine.\n');
        await desk.save({ auto: true });
        desk.accept();
      },
    ],
    [
      'something was typed after',
      async (desk: Desk, core: Core) => {
        (await ask(core, desk, { at: 0, source: 'one.md', next: counted() }))!();
        desk.accept();
        desk.type(desk.text().length, 'Mine.\n');
      },
    ],
    [
      'something was typed after an autosave',
      async (desk: Desk, core: Core) => {
        (await ask(core, desk, { at: 0, source: 'one.md', next: counted() }))!();
        desk.accept();
        await desk.save({ auto: true });
        desk.type(desk.text().length, 'Mine.\n');
      },
    ],
  ])('is inferred where %s', async (_, work) => {
    const { place, core, desk } = await beginWriting();
    await work(desk, core);
    await desk.save();
    expect(versions(place).at(-1)!.body).toMatchObject({ agent: { type: 'model' }, confidence: 'inferred' });
  });

  it('is nothing where it was taken back, also after an autosave', async () => {
    const { place, core, desk } = await beginWriting();
    const before = versions(place).length;
    (await ask(core, desk, { at: 0, source: 'one.md', next: counted() }))!();
    desk.accept();
    await desk.save({ auto: true });
    desk.undo();
    await desk.save();
    await core.settle(null);
    expect(versions(place)).toHaveLength(before);
    expect(desk.text()).toContain(first);
  });

  it('is the model’s anew where it was taken back, saved, done again and saved', async () => {
    const { place, core, desk } = await beginWriting();
    (await ask(core, desk, { at: 0, source: 'one.md', next: counted() }))!();
    desk.accept();
    const saved = async (act: () => unknown) => {
      act();
      await desk.save();
      return versions(place).at(-1)!.body.agent.type;
    };
    expect(await saved(() => {})).toBe('model');
    expect(await saved(desk.undo)).toBe('human');
    expect(await saved(desk.redo)).toBe('model');
    await expectInStep(place, core);
  });

  it('is recorded once where it was taken back, written to the file and done again before that was recorded', async () => {
    const { place, core, desk } = await beginWriting();
    (await ask(core, desk, { at: 0, source: 'one.md', next: counted() }))!();
    desk.accept();
    await desk.save();
    const before = versions(place).filter(({ body }) => body.agent.type === 'model').length;
    desk.undo();
    await desk.save({ auto: true });
    desk.redo();
    await desk.save();
    expect(versions(place).filter(({ body }) => body.agent.type === 'model')).toHaveLength(before);
    await expectInStep(place, core);
  });

  it('is recorded once for each suggestion of an answer that is taken in another save', async () => {
    const { place, core, desk } = await beginWriting();
    (await ask(core, desk, { at: 1, source: 'two.md', next: counted() }))!();
    const count = reviewOf(desk.buffer().state).suggestions.length;
    expect(count).toBeGreaterThan(1);
    for (let at = 0; at < count; at++) {
      desk.accept(0);
      await desk.save();
      expect(versions(place).at(-1)!.body).toMatchObject({ agent: { type: 'model' }, confidence: 'exact' });
    }
  });
});
