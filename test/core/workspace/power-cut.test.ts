import { expect, it } from 'vitest';
import type { Core } from '#core';
import { readDocument } from '#core/document';
import { counted, heal } from '../../helpers/death';
import { createCutDisk } from '../../helpers/power-cut';
import { createTrackingPlace, entriesOf, inputOf, type Place, savingFrom, savingOf } from '../../helpers/workspace';

/** What of the changes of names that were not flushed got to the disk: none, all, each alone, all but one. */
function patterns(pending: number): ((number: number) => boolean)[] {
  const each = Array.from({ length: pending }, (_, one) => one);
  return [
    () => false,
    ...(pending === 0 ? [] : [() => true]),
    ...(pending < 2 ? [] : each.flatMap((one) => [(number: number) => number === one, (number: number) => number !== one])),
  ];
}

/** Cuts the power before each call of `act` that changes the disk, once for each thing that the disk may have become by then; last, after all of it. */
async function cutAtEveryCall<T>(place: Place, act: (core: Core) => Promise<T>, check: (answer: T | null, where: string) => Promise<void>) {
  const restore = place.keep();
  let cuts = 0;
  for (let at = 0, isOver = false; !isOver; at++) {
    for (let which = 0, isLast = false; !isLast; which++) {
      const cut = createCutDisk(place.folder);
      const core = await place.open({ disk: cut.disk, git: false });
      cut.cutAt(at);
      const said = await act(core).catch(() => null);
      const answer = cut.isCut ? null : said;
      await core.close();
      const ways = patterns(cut.pending());
      isOver = !cut.isCut;
      isLast = which === ways.length - 1;
      cut.settle(ways[which]!);
      await check(answer, `call ${at}, way ${which} of ${ways.length}`);
      cuts++;
      restore();
    }
  }
  return counted(`power cuts: ${cuts}`, cuts);
}

it('a power cut at any call of a save leaves the old text or the new one with its entry, and its text is stored', async () => {
  const place = createTrackingPlace();
  const setting = await place.open({ git: false });
  await setting.save(savingOf(place, 'source.md', 'source\n'));
  await setting.save(savingOf(place, 'a.md', 'one\n'));
  const input = await inputOf(setting, 'source.md');
  const [old, next] = [place.text('a.md'), place.text('a.md').replace('one', 'two')];
  const hash = readDocument(Buffer.from(next), 'a.md').contentHash;
  const cuts = await cutAtEveryCall(
    place,
    (core) => core.save(savingFrom(place, 'a.md', next, [input])),
    async (answer, where) => {
      const core = await heal(place, where);
      const made = entriesOf(place, 'transformation').filter(({ body }) => body.outputs[0]!.content_hash === hash);
      if (answer !== null) expect(made, where).toHaveLength(1);
      expect(place.text('a.md'), where).toBe(made.length === 0 ? old : next);
      expect(
        made.map(({ body }) => [body.agent.type, body.inputs.length]),
        where,
      ).toEqual(made.length === 0 ? [] : [['model', 1]]);
      expect((await core.logFile('a.md')).heads, where).toHaveLength(1);
    },
  );
  expect(cuts).toBeGreaterThan(20);
});
