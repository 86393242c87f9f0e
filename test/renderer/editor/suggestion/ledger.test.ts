import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Core } from '#core/core';
import { readDocument } from '#core/document';
import { isDirty } from '#renderer/editor/buffer.ts';
import { reviewOf } from '#renderer/editor/suggestion/review.ts';
import { createTrackingPlace, entriesOf, type Place, savingOf } from '../../../helpers/workspace.ts';
import { openDesk } from './desk.ts';

const paragraphs = [
  'One grey morning.',
  'Two boats went out past the mole and the old light into the grey water of the bay.',
  'Three came back.',
];
const first = `${paragraphs.join('\n\n')}\n`;

async function begin() {
  const place = createTrackingPlace();
  const core = await place.open();
  for (const [path, text] of Object.entries({ 'a.md': first, 'one.md': 'One.\n', 'two.md': 'Two.\n' }))
    await core.save(savingOf(place, path, text));
  return { place, core, desk: await openDesk(core, 'a.md') };
}
type Desk = Awaited<ReturnType<typeof openDesk>>;

const versions = (place: Place) => {
  const { id } = readDocument(place.read('a.md'), 'a.md').identity!;
  return entriesOf(place, 'transformation').filter(({ body }) => body.outputs.some(({ object }) => object === id));
};

function counted() {
  let count = 0;
  return () => `«s${++count}»`;
}

/** Asks about a paragraph: the answer puts signs behind its words that no other answer has. */
async function ask(core: Core, desk: Desk, at: number, next: () => string, clean: boolean, source: 'one.md' | 'two.md') {
  const start = desk.text().indexOf(
    desk
      .text()
      .split('\n')
      .filter((line) => /^[^-\s]/u.test(line) && !line.startsWith('vmark'))
      .at(at) ?? '\0',
  );
  if (start < 0) return;
  const original = desk.text().slice(start).split('\n', 1)[0]!;
  const { inputs } = await core.pin({ path: 'a.md', inputs: ['a.md', source].map((path) => ({ path, role: 'direct' as const })) });
  const id = desk.begin({ original, start, clean, inputs });
  desk.end(
    id,
    original.replaceAll(/\S+( \S+ \S+ \S+)?/gu, (some) => `${some}${next()}${source[0]}`),
  );
}

describe('what is recorded of accepted suggestions', () => {
  it('is one entry of the model with what it read, exact where nothing was typed', async () => {
    const { place, core, desk } = await begin();
    await ask(core, desk, 0, counted(), true, 'one.md');
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
        await ask(core, desk, 0, counted(), false, 'one.md');
        desk.accept();
      },
    ],
    [
      'something was typed before',
      async (desk: Desk, core: Core) => {
        await ask(core, desk, 0, counted(), true, 'one.md');
        desk.type(desk.text().length, 'Mine.\n');
        desk.accept();
      },
    ],
    [
      'something was typed after',
      async (desk: Desk, core: Core) => {
        await ask(core, desk, 0, counted(), true, 'one.md');
        desk.accept();
        desk.type(desk.text().length, 'Mine.\n');
      },
    ],
    [
      'something was typed after an autosave',
      async (desk: Desk, core: Core) => {
        await ask(core, desk, 0, counted(), true, 'one.md');
        desk.accept();
        await desk.save({ auto: true });
        desk.type(desk.text().length, 'Mine.\n');
      },
    ],
  ])('is inferred where %s', async (_, work) => {
    const { place, core, desk } = await begin();
    await work(desk, core);
    await desk.save();
    expect(versions(place).at(-1)!.body).toMatchObject({ agent: { type: 'model' }, confidence: 'inferred' });
  });

  it('is nothing where it was taken back, also after an autosave', async () => {
    const { place, core, desk } = await begin();
    const before = versions(place).length;
    await ask(core, desk, 0, counted(), true, 'one.md');
    desk.accept();
    await desk.save({ auto: true });
    desk.undo();
    await desk.save();
    await core.settle(null);
    expect(versions(place)).toHaveLength(before);
    expect(desk.text()).toContain(first);
  });

  it('is the model’s anew where it was taken back, saved, done again and saved', async () => {
    const { place, core, desk } = await begin();
    await ask(core, desk, 0, counted(), true, 'one.md');
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

  it('is recorded once for each suggestion of an answer that is taken in another save', async () => {
    const { place, core, desk } = await begin();
    await ask(core, desk, 1, counted(), true, 'two.md');
    const count = reviewOf(desk.buffer().state).suggestions.length;
    expect(count).toBeGreaterThan(1);
    for (let at = 0; at < count; at++) {
      desk.accept(0);
      await desk.save();
      expect(versions(place).at(-1)!.body).toMatchObject({ agent: { type: 'model' }, confidence: 'exact' });
    }
  });
});

/** What a writer, a model, a clock and a crash do, in any order. */
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('ask' as const),
      at: fc.nat(4),
      source: fc.constantFrom('one.md' as const, 'two.md' as const),
    }),
  },
  { weight: 5, arbitrary: fc.record({ kind: fc.constantFrom('accept' as const, 'reject' as const), at: fc.nat(3) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('type' as const), at: fc.nat(1000) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cut' as const), at: fc.nat(5) }) },
  {
    weight: 7,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        'undo' as const,
        'redo' as const,
        'undo' as const,
        'save' as const,
        'autosave' as const,
        'settle' as const,
        'crash' as const,
      ),
    }),
  },
);

const signsIn = (text: string) => new Set(text.match(/«s\d+»[ot]/gu));
const typedIn = (text: string) => new Set(text.match(/‹t\d+›/gu));
const missing = (now: Set<string>, before: Set<string>) => [...now].filter((one) => !before.has(one));

describe('accept, reject, undo, redo, typing, saves, autosaves and crashes in every order', () => {
  it('keep the ledger and the text in step', { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
        const { place, core: opened, desk } = await begin();
        let core = opened;
        let sign = 0;
        for (const one of steps) {
          if (one.kind === 'ask') await ask(core, desk, one.at, () => `«s${++sign}»`, !isDirty(desk.buffer()), one.source);
          else if (one.kind === 'accept') desk.accept(one.at);
          else if (one.kind === 'reject') desk.reject(one.at);
          else if (one.kind === 'type') {
            const body = desk.text().indexOf('---\n', 4) + 4;
            const spaces = [...desk.text().slice(body).matchAll(/ /gu)].map(({ index }) => body + index);
            desk.type(spaces[one.at % Math.max(1, spaces.length)] ?? desk.text().length, ` ‹t${++sign}›`);
          } else if (one.kind === 'cut') {
            const taken = reviewOf(desk.buffer().state).suggestions.filter(({ status, from, to }) => status === 'accepted' && to > from);
            const cut = taken[one.at % Math.max(1, taken.length)];
            if (cut !== undefined) desk.type(cut.from, '', cut.to);
          } else if (one.kind === 'undo') desk.undo();
          else if (one.kind === 'redo') desk.redo();
          else if (one.kind === 'save') await desk.save();
          else if (one.kind === 'autosave') await desk.save({ auto: true });
          else if (one.kind === 'settle') await desk.record();
          else {
            await core.close();
            core = await place.open();
            desk.takeCore(core);
          }
        }
        await desk.save();
        await desk.record();
        await core.settle(null);
        expect(place.text('a.md')).toBe(desk.text());
        await expectInStep(place, core);
      }),
      { numRuns: Number(process.env.STEMMA_RUNS ?? 12) },
    );
  });
});

/** New text of a model is in versions of the model and in no other; such a version names what was read; an exact one holds nothing typed. */
async function expectInStep(place: Place, core: Core): Promise<void> {
  const { revisions } = await core.logFile('a.md');
  const textOf = async (revision: string | undefined) => (revision === undefined ? '' : ((await core.show('a.md', revision)).text ?? ''));
  for (const { revision, parents, agent, confidence, inputs } of revisions) {
    const [now, before] = [await textOf(revision), await textOf(parents[0])];
    const added = missing(signsIn(now), signsIn(before));
    expect({ revision, isModel: agent.type === 'model', added }).toEqual({ revision, isModel: added.length > 0, added });
    const sources = new Set(added.map((sign) => (sign.endsWith('o') ? 'one.md' : 'two.md')));
    for (const source of sources) expect(inputs.map(({ path }) => path)).toContain(source);
    if (added.length === 0) expect(inputs).toEqual([]);
    if (agent.type === 'model' && confidence === 'exact') expect(missing(typedIn(now), typedIn(before))).toEqual([]);
  }
  expect(revisions.at(-1) ?? revisions[0]).toBeDefined();
  const head = (await core.show('a.md', (await core.logFile('a.md')).heads[0]!)).text;
  expect(readDocument(Buffer.from(head ?? ''), 'a.md').contentHash).toBe(readDocument(place.read('a.md'), 'a.md').contentHash);
}
