import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Core } from '#core/core';
import { createJournal } from '#core/journal/journal';
import { realDisk } from '#core/storage/disk';
import { isDirty } from '#renderer/editor/buffer.ts';
import { reviewOf } from '#renderer/editor/suggestion/review.ts';
import type { Place } from '../../../helpers/workspace.ts';
import { ask, beginWriting, counted, expectInStep } from './ledger-scene.ts';
import { liveIn, type WindowLife } from './window-life.ts';

/** What may happen to a text between two acts; saves are what most faults need. */
const meanwhile = fc.constantFrom('save', 'save', 'save', 'autosave', 'autosave', 'settle', 'core dies', 'window dies', 'nothing');
type Meanwhile = 'save' | 'autosave' | 'settle' | 'core dies' | 'window dies' | 'nothing';

/** How many orders are tried. */
const runs = Number(process.env.STEMMA_RUNS ?? 16);

const kindOf = <const Kind extends string>(...kinds: Kind[]) => fc.constantFrom(...kinds);
/** What a writer, a model, a clock and a crash do, in any order. */
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: kindOf('ask'), at: fc.nat(4), source: kindOf('one.md', 'two.md'), isLate: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ kind: kindOf('answer') }) },
  { weight: 4, arbitrary: fc.record({ kind: kindOf('accept'), at: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ kind: kindOf('reject'), at: fc.nat(3) }) },
  // Whoever cannot decide asks, takes it, takes it back and takes it again; between that anything may happen.
  { weight: 6, arbitrary: fc.record({ kind: kindOf('waver'), at: fc.nat(3), between: fc.tuple(meanwhile, meanwhile, meanwhile) }) },
  { weight: 3, arbitrary: fc.record({ kind: kindOf('type'), at: fc.nat(1000) }) },
  { weight: 1, arbitrary: fc.record({ kind: kindOf('cut'), at: fc.nat(5) }) },
  { weight: 3, arbitrary: fc.record({ kind: kindOf('undo') }) },
  { weight: 2, arbitrary: fc.record({ kind: kindOf('redo') }) },
  { weight: 5, arbitrary: fc.record({ kind: kindOf('meanwhile'), what: meanwhile }) },
);
type Step = typeof step extends fc.Arbitrary<infer Kind> ? Kind : never;

/** Plays steps over a place. A window that died comes back from its journal; a core that died was not closed. */
async function play(steps: readonly Step[]): Promise<{ readonly place: Place; readonly core: Core; readonly life: WindowLife }> {
  const begun = await beginWriting();
  const { place } = begun;
  let { core } = begun;
  const journal = createJournal(realDisk, { folder: join(place.home, 'left'), owner: 'core' });
  let life = liveIn(begun.desk, journal);
  let answers: (() => void)[] = [];
  const next = counted();
  let typed = 0;

  const happen = async (what: Meanwhile) => {
    if (what === 'save') await life.desk.save();
    else if (what === 'autosave') await life.desk.save({ auto: true });
    else if (what === 'settle') await life.desk.record();
    else if (what === 'core dies') {
      core = await place.open();
      life.desk.takeCore(core);
    } else if (what === 'window dies') {
      life = await life.die(core);
      // Nobody waits for an answer any more.
      answers = [];
    }
  };
  const write = (at: number) => {
    const { desk } = life;
    const body = desk.text().indexOf('---\n', 4) + 4;
    const spaces = [...desk.text().slice(body).matchAll(/ /gu)].map(({ index }) => body + index);
    desk.type(spaces[at % Math.max(1, spaces.length)] ?? desk.text().length, ` ‹t${++typed}›`);
  };
  const cut = (at: number) => {
    const taken = reviewOf(life.desk.buffer().state).suggestions.filter(({ status, from, to }) => status === 'accepted' && to > from);
    const one = taken[at % Math.max(1, taken.length)];
    if (one !== undefined) life.desk.type(one.from, '', one.to);
  };
  const take = async (one: Step) => {
    const { desk } = life;
    if (one.kind === 'ask') {
      const answer = await ask(core, desk, { ...one, next, clean: !isDirty(desk.buffer()) });
      if (answer !== null && one.isLate) answers.push(answer);
      else answer?.();
    } else if (one.kind === 'answer') answers.shift()?.();
    else if (one.kind === 'accept') desk.accept(one.at);
    else if (one.kind === 'reject') desk.reject(one.at);
    else if (one.kind === 'type') write(one.at);
    else if (one.kind === 'cut') cut(one.at);
    else if (one.kind === 'undo') life.undo();
    else if (one.kind === 'redo') life.redo();
    else if (one.kind === 'meanwhile') await happen(one.what);
    else {
      if (desk.pending().length === 0) (await ask(core, desk, { at: one.at, source: 'one.md', next, clean: !isDirty(desk.buffer()) }))?.();
      desk.accept(one.at % Math.max(1, desk.pending().length));
      for (const [at, what] of one.between.entries()) {
        if (at === 1) life.undo();
        if (at === 2) life.redo();
        await happen(what);
      }
    }
  };
  for (const one of steps) await take(one);
  return { place, core, life };
}

/** What a due save holds is taken back, something is typed, and it is taken again. */
const takenAgain: Step[] = [
  { kind: 'waver', at: 0, between: ['save', 'save', 'autosave'] },
  { kind: 'undo' },
  { kind: 'type', at: 0 },
  { kind: 'accept', at: 0 },
];

describe('accept, reject, undo, redo, typing, saves, autosaves and crashes in every order', () => {
  it('keep the ledger and the text in step', { timeout: 60_000 + 5000 * runs }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
        const { place, core, life } = await play(steps);
        await life.desk.save();
        await life.desk.record();
        await core.settle(null);
        expect(place.text('a.md')).toBe(life.desk.text());
        await expectInStep(place, core);
      }),
      { numRuns: runs, examples: [[takenAgain]] },
    );
  });
});
