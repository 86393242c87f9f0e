import { join as joinPath } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createJournal } from '#core/journal/journal';
import { realDisk } from '#core/storage/disk';
import { acceptancesOf, nothingTold } from '#renderer/editor/acceptance.ts';
import { createTrackingPlace, entriesOf, savingOf } from '../../../helpers/workspace.ts';
import { openDesk } from './desk.ts';
import { liveIn } from './window-life.ts';

const text = 'One grey morning.\n\nTwo boats went out.\n';

async function begin() {
  const place = createTrackingPlace();
  const core = await place.open();
  for (const [path, content] of Object.entries({ 'a.md': text, 'one.md': 'One.\n' })) await core.save(savingOf(place, path, content));
  const { inputs } = await core.pin({ path: 'a.md', inputs: ['a.md', 'one.md'].map((path) => ({ path, role: 'direct' as const })) });
  const journal = createJournal(realDisk, { folder: joinPath(place.home, 'left'), owner: 'core' });
  const desk = await openDesk(core, 'a.md');
  const life = liveIn(desk, journal);
  /** A model's word goes into the first sentence. */
  const take = () => {
    const id = desk.begin({ original: 'One grey morning.', start: desk.text().indexOf('One grey'), inputs });
    desk.end(id, 'One cold, grey morning.');
    desk.accept();
  };
  const die = async (how?: { intoOpen: boolean }) => (await life.die(core, how)).desk;
  const last = () => entriesOf(place, 'transformation').at(-1)!.body;
  return { place, core, desk, take, die, last };
}

describe('text of a model that was in no file when the window died', () => {
  it('comes back as the model’s, with what it read, and is the writer’s no more than before', async () => {
    const { desk, take, die, last } = await begin();
    take();
    const later = await die();
    await later.save();
    expect(last()).toMatchObject({ agent: { type: 'model', id: 'a-model' }, confidence: 'exact', intent: { kind: 'genie' } });
    expect(last().inputs).toHaveLength(2);
    later.type(later.text().length, 'Mine.\n');
    await later.save();
    expect(last()).toMatchObject({ agent: { type: 'human' }, inputs: [] });
    expect(later.text()).toBe(`${desk.text()}Mine.\n`);
  });

  it.each([
    ['before it died', true],
    ['after', false],
  ])('is inferred where something was typed %s', async (_, isBefore) => {
    const { desk, take, die, last } = await begin();
    take();
    if (isBefore) desk.type(desk.text().length, 'Mine.\n');
    const later = await die();
    if (!isBefore) later.type(later.text().length, 'Mine.\n');
    await later.save();
    expect(last()).toMatchObject({ agent: { type: 'model' }, confidence: 'inferred' });
  });

  it('is the model’s also where the document is open already', async () => {
    const { take, die, last } = await begin();
    take();
    const later = await die({ intoOpen: true });
    await later.save();
    expect(last()).toMatchObject({ agent: { type: 'model' }, confidence: 'inferred' });
  });

  it('is nobody’s where it was taken back, before or after', async () => {
    for (const isBefore of [true, false]) {
      const { desk, take, die, last } = await begin();
      take();
      if (isBefore) {
        desk.undo();
        desk.type(desk.text().length, 'Mine.\n');
      }
      const later = await die();
      if (!isBefore) {
        later.undo();
        later.type(later.text().length, 'Mine.\n');
      }
      expect(later.text()).toContain('One grey morning.');
      await later.save();
      expect(last()).toMatchObject({ agent: { type: 'human' }, inputs: [] });
    }
  });

  it('is the model’s where a save left it due, and not what the next window makes of it', async () => {
    for (const isBefore of [true, false]) {
      const { place, desk, take, die, last } = await begin();
      const models = () => entriesOf(place, 'transformation').filter(({ body }) => body.agent.type === 'model');
      take();
      await desk.save({ auto: true });
      if (isBefore) desk.undo();
      const later = await die();
      if (!isBefore) later.undo();
      expect(later.text()).toContain('One grey morning.');
      await later.save();
      expect(last()).toMatchObject({ agent: { type: 'human' }, inputs: [] });
      expect(models()).toHaveLength(1);
      expect(later.text()).toBe(place.text('a.md'));
    }
  });

  it('is not told again where a save had told of it', async () => {
    for (const auto of [false, true]) {
      const { core, desk, take, die, last } = await begin();
      take();
      await desk.save({ auto });
      desk.type(desk.text().length, 'Mine.\n');
      const later = await die();
      await core.settle(null);
      expect(last()).toMatchObject({ agent: { type: 'model' } });
      await later.save();
      expect(last()).toMatchObject({ agent: { type: 'human' }, inputs: [] });
    }
  });

  it('is not told again where a save had reached the ledger unheard', async () => {
    const { place, core, desk, take, die, last } = await begin();
    take();
    const { accepted } = acceptancesOf(desk.buffer().state, nothingTold);
    await core.save({ ...savingOf(place, 'a.md', desk.text()), accepted } as never);
    expect(last()).toMatchObject({ agent: { type: 'model' } });
    desk.type(desk.text().length, 'Mine.\n');
    const later = await die();
    await later.save();
    expect(last()).toMatchObject({ agent: { type: 'human' }, inputs: [] });
  });
});
